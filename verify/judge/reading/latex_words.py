"""The tokens of LaTeX, as papers print it: what TeX would show is read, nothing is expanded or run.

Formulas are divided into letters, numbers and commands; the words in `\\text{...}` and outside of `$...$` are read as
plain text is. A letter with its index, accent and primes is one name: `\\hat\\mu_1'` is `mu_hat_1'`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lark import Token

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.clauses import IN_MATH
from banditproof.verify.judge.reading.latex_names import BRACKET, COMMAND, TYPED, Names, name_of
from banditproof.verify.judge.reading.latex_signs import (
    ACCENTS,
    ASKED,
    BERNOULLI,
    BIGS,
    BLACKBOARD,
    DEFINES,
    ENVIRONMENTS,
    FONTS,
    FUNCTIONS,
    LETTER_FUNCTIONS,
    LETTERS,
    NOTHING,
    QUADS,
    SAME,
    SINGLE,
    TEXTS,
    THIN,
    TOKENS,
    UPRIGHT,
    WIDE,
)
from banditproof.verify.judge.reading.words import (
    BEGINS_OPERAND,
    CLOSES,
    ENDS_OPERAND,
    GREEK,
    KEYS,
    OPENS,
    PROMISE,
    checked_length,
    in_call,
    innermost,
    joined,
    leading_ranges,
    listed,
    next_sentence,
    norm_bar,
    paired,
    plain_step,
    settled,
    without_title,
    word_at,
)
from banditproof.verify.judge.reading.words import LETTERS as UNICODE

# A number, whose thousands may be set apart: 10\,000 or 1{,}000{,}000; one {,} may be a decimal comma.
_OWN_FACTOR = re.compile(r"\s*\\,\s*(?:\\left\s*)?(?:\||\\[lv]?vert\b)")
_NUMBER = re.compile(r"\d{1,3}(?:(?:\\,\d{3})+|(?:\{,\}\d{3}){2,})(?!\d)|\d+\.\d+|\.\d+|\d+")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
# "where H_n = \sum ... is the n-th harmonic number": the formula says it
_NAMED_BEHIND = re.compile(
    r"(?<=\$)\s+(?:is|denotes)\s+the\s+(?:\$n\$-?th|nth|\$n\^\{?\\(?:text|mathrm|textrm)\{th\}\}?\$)\s+harmonic\s+number"
)
_SIDED = re.compile(r"(?P<to>[+-]?(?:\d+|[A-Za-z]))\s*\^?\s*(?P<side>\{\s*[+-]\s*\}|[+-])(?=\s*(?:$|[)},;.$\\]))")
_MATRIX = re.compile(r"\\begin\{([pbv]|small|)matrix\}((?:(?!\\begin\b).)*?)(?:\\\\\s*)?\\end\{\1matrix\}")
_EIGENVALUE = re.compile(r"(?P<of>\\(?:lambda|sigma)_\{?\s*\\m(?:ax|in)\s*\}?)\s*(?P<rows>\[\[[^$]*?\]\])")
# "\\stackrel{(a)}{\\le}": a sign that the text comes back to
_LABELLED = re.compile(
    r"\\(?:stackrel|overset)\s*\{\s*(?:\\(?:text|mathrm|rm|mathit)\s*\{\s*)?\(\s*(?:\\?[a-z]{1,3}|\d+)\s*\)\s*\}?\s*\}"
    r"\s*(?P<open>\{\s*)?(?P<sign>=|<|>|\\[lg]e(?:q|qslant)?(?![a-z]))(?(open)\s*\})"
)
_CASES = re.compile(r"\\begin\{([dr]?cases)\}((?:(?!\\begin\b).)*?)(?:\\\\\s*)?\\end\{\1\}")
_IF = re.compile(
    r"\\(?:text|mbox|textrm|mathrm|textnormal)\s*\{[\s~]*(?:if|for|when|where)[\s~]*(\$[^${}]*\$[\s.,;]*)?\}|^\s*\\(?:if|quad|qquad)\b"
)
_OTHERWISE = re.compile(r"\s*\\(?:text|mbox|textrm|mathrm|textnormal)\s*\{[\s~]*(?:otherwise|else)[\s.,;]*\}[\s.,;]*")
_D = r"(?:d|\\partial|\\mathrm\s*\{d\}|\\mathrm\s+d)"
_DERIVATIVE = re.compile(rf"\\[dt]?frac\s*\{{\s*{_D}\s*\}}\s*\{{\s*{_D}\s*(?=\\?[A-Za-z])")

_SECOND = re.compile(
    rf"\\[dt]?frac\s*\{{\s*{_D}\s*\^\s*\{{?2\}}?\s*\}}\s*\{{\s*{_D}\s*(\\?[A-Za-z]+)\s*\^\s*\{{?2\}}?\s*\}}"
)


def _as_rows(m: re.Match[str]) -> str:
    """A matrix as the list of its rows, as long as it is printed; between bars, its determinant."""
    rows = re.sub(r"\\\\(?:\[[\d.]+\w+\])?", "],[", m[2].replace("&", ","))
    opening = "\\det([[" if m[1] == "v" else "[["
    return (opening.ljust(m.start(2) - m.start()) + rows + ("]])" if m[1] == "v" else "]]")).ljust(len(m[0]))


def _as_cases(m: re.Match[str]) -> str:
    r"""Cases as \cases(value, condition, value, condition, ...), as long as they are printed."""
    rows = re.split(r"(\\\\(?:\[[\d.]+\w+\])?)", m[2])
    if m[1] == "rcases" or any(row.count("&") != 1 for row in rows[::2]):
        return m[0]
    found = []
    for row in rows:
        value, sign, when = row.partition("&")
        when = _IF.sub(lambda w: (w[1] or "").replace("$", " ").rjust(len(w[0])), when)
        when = re.sub(r"[.,;](?=[\s.,;]*$)", " ", when)
        value = re.sub(r"[.,;](?=\s*$)", " ", value)
        if _OTHERWISE.fullmatch(when):
            sign, when = " ", " " * len(when)
        found.append(",".ljust(len(row)) if row.startswith("\\\\") else value + sign.replace("&", ",") + when)
    return ("\\cases(".ljust(m.start(2) - m.start()) + "".join(found) + ")").ljust(len(m[0]))


def without_comments(text: str) -> str:
    """The text with spaces for comments and labels of signs, and for stars and links of Markdown between formulas."""
    if not isinstance(text, str):
        return text
    text = _COMMENT.sub(lambda m: " " * len(m[0]), text)
    text = _LABELLED.sub(lambda m: f"{m['sign']} ".rjust(len(m[0])), text)
    if "$" not in text and "\\[" not in text and "\\(" not in text:
        return text
    spans, at = [], 0
    for m in _MATHS.finditer(text):
        spans += [_MARKDOWN.sub(_unmarked, text[at : m.start()]), m[0]]
        at = m.end()
    return "".join((*spans, _MARKDOWN.sub(_unmarked, text[at:])))


def _unmarked(m: re.Match[str]) -> str:
    return (m["words"] or "").ljust(len(m[0]))


_MATHS = re.compile(
    IN_MATH + r"|\\begin\{(?P<kind>(?:equation|align|gather|multline)\*?)\}.*?\\end\{(?P=kind)\}", re.DOTALL
)
_MARKDOWN = re.compile(
    r"(?<!\w)\*\*(?=[^\s*]|$)|(?:^|(?<=[^\s*]))\*\*(?!\w)|(?<![\w*\\])\*(?=[\w ])|(?<=[\w.,;: ])\*(?![\w*])|`"
    r"|\[(?P<words>[^\][$]+)\](?:\[\w*\]|\([^()\s]*\))"
)


def latex_tokens(text: str, known: Iterable[str] = (), euler: bool = False) -> list[Token]:
    """The tokens of a statement in LaTeX; `known` are names of variables whose ranges stand elsewhere.

    `euler`: gamma is Euler's constant.
    """
    printed = without_comments(checked_length(text))
    reader = _Reader(without_title(re.sub(r"\s", " ", printed)), frozenset(known), euler=euler)
    reader.statement()
    for i, token in enumerate(reader.found):
        if token.type == "MEET" and _compares(reader.found[:i], -1) and _compares(reader.found[i + 1 :], 1):
            raise Unread(
                f"does {token} join two comparisons or two numbers? Write 'and' for sentences, \\max or \\min",
                token,
                token.start_pos or 0,
            )
    return list(paired(settled(listed(_without_gaps(reader.found))), text))


def _without_gaps(found: list[Token]) -> list[Token]:
    """The tokens without spaces: a quad between two formulas is a comma, a smaller space has to leave no doubt."""
    kept: list[Token] = []
    for i, token in enumerate(found):
        if token.type != "GAP":
            kept.append(token)
            continue
        after = next((t for t in found[i + 1 :] if t.type != "GAP"), None)
        ends = bool(kept) and (kept[-1].type in ENDS_OPERAND or kept[-1].type in ("SET", "MARK", "SHAPE", "PROMISE"))
        if not (ends and after is not None and after.type in BEGINS_OPERAND - {"PLUS", "MINUS"}):
            continue
        if token == "quad":
            kept.append(Token("COMMA", ",", start_pos=token.start_pos, end_pos=token.start_pos))
        elif after.type not in {*OPENS, "FRAC"} and _compares(kept, -1) and _compares(found[i + 1 :], 1):
            raise Unread(
                "does a range begin behind this space? Write a comma before it", str(after), after.start_pos or 0
            )
    return kept


def _compares(tokens: list[Token], way: int) -> bool:
    """Whether a sign of comparison stands in the part of a list that begins, or ends, here."""
    depth = 0
    for token in tokens[::way]:
        depth += way * ((token.type in OPENS) - (token.type in CLOSES))
        if depth < 0 or (
            not depth and token.type in ("COMMA", "AND", "ASSUME", "WITH", "IFF", "IMPLIES", "AS", "THEN")
        ):
            return False
        if not depth and token.type in ("SIGN", "IN", "ARROW"):
            return True
    return False


class _Reader(Names):
    """Words and formulas."""

    def statement(self) -> None:
        """Reads the whole text: words with formulas in `$...$`, or one formula with words in `\\text{...}`."""
        self.text = _CASES.sub(_as_cases, _MATRIX.sub(_as_rows, self.text))
        self.text = _EIGENVALUE.sub(r"\g<of>(\g<rows>)", self.text)
        self.text = _NAMED_BEHIND.sub(lambda m: " " * len(m[0]), self.text)
        self.mechanism = PROMISE.search(self.text) is not None
        end = len(self.text.rstrip(" \t\r\n.,;"))
        if not self.text.rstrip().endswith("..") and self.text[end - 1 : end] != "\\":
            self.text = self.text[:end]
        read = self.words if self._has_formulas_in_words() else self._formula
        lead, begin = leading_ranges(self.text)
        ranges: list[Token] = []
        if lead:
            whole, self.text, self.mechanism = self.text, self.text[:lead], False
            read("")
            ranges, self.found = self.found, []
            self.text, self.at, self.mechanism = whole, begin, True
        read("")
        self.found += joined(ranges)
        if self.lefts:
            raise Unread("\\left has no \\right", "\\left", self.text.find("\\left"))

    def _has_formulas_in_words(self) -> bool:
        depth = 0
        for m in re.finditer(r"\\[({[\]})]|\\begin\b|[{}$]", self.text):
            if m[0] in ("{", "}"):
                depth += 1 if m[0] == "{" else -1
            elif not depth and (m[0] in ("$", "\\(", "\\[") or m[0] == "\\begin"):
                return True
        return False

    # Words

    def words(self, closing: str) -> None:
        """Reads plain text up to its closing sign, with formulas in `$...$` in it."""
        opened = max(self.at - 1, 0)
        self.open(opened)
        while not self.ends(closing, opened):
            c = self.text[self.at]
            if c.isspace() or c == "~":
                self.at += 1
            elif c == "{":
                self.at += 1
                self.words("}")
            elif c == "$":
                sign = "$$" if self.text.startswith("$$", self.at) else "$"
                self.at += len(sign)
                self._formula(sign)
            elif c == "\\":
                self._command_in_words()
            elif m := re.compile(r"s\.\s?t\.").match(self.text, self.at):
                self.put("WITH", "with")
                self.at = m.end()
            elif c in ".," and re.match(r"[.,\s}$]*(?:\\end|\\[\])]|$)", self.text[self.at :]):
                self.at += 1
            elif c == ".":
                self.found.append(next_sentence(self.found, self.text, self.at))
                self.at += 1
            else:
                stop = re.compile(r"[$\\{}~]|$").search(self.text, self.at)
                assert stop is not None
                begin, before = self.at, len(self.found)
                self.at = plain_step(self.found, self.text, self.at, stop.start(), self.mechanism, self.known)
                word = self.text[begin : self.at]
                if len(self.found) > before and self.found[-1].type == "NAME" and re.fullmatch(r"[A-Za-z]{2,}", word):
                    if word.lower() not in {*GREEK, "eps", "inf"} and word not in self.known:
                        raise self.refused(f"the word {word!r} is not read here", word, begin)
        self.starts.pop()

    def _command_in_words(self) -> None:
        begin, name = self.at, self.name_of_command()
        if name in ("(", "["):
            self._formula("\\)" if name == "(" else "\\]")
        elif name == "begin":
            self._environment(begin)
        elif name in TEXTS:
            self.blank()
            self._braces(begin)
            self.words("}")
        elif name == "label":
            self.braced()
        elif name not in THIN | WIDE | QUADS | {"noindent", "\\"}:
            raise self.refused(f"\\{name} has no meaning between words", f"\\{name}", begin)

    def _environment(self, begin: int) -> None:
        name = self.braced()
        if name.rstrip("*") not in ENVIRONMENTS:
            raise self.refused(f"the environment {name} is not read", "\\begin", begin)
        if name.startswith("aligned") and self.text.startswith("[", self.at):
            self.at = self.text.find("]", self.at) + 1
        self._formula(f"\\end{{{name}}}")

    def _braces(self, begin: int) -> None:
        if not self.text.startswith("{", self.at):
            raise self.refused("'{' is missing", self.text[begin : self.at].strip(), begin)
        self.at += 1

    # Formulas

    def _formula(self, closing: str) -> None:
        """Reads a formula up to its closing sign."""
        opened = max(self.at - max(len(closing), 1), 0)
        self.open(opened)
        while True:
            self.blank()
            if self.ends(closing, opened):
                break
            self._one()
        self.starts.pop()

    def argument(self) -> None:
        """Reads an argument, `{...}` or the single sign that follows, and puts braces around it."""
        self.blank()
        begin = self.at
        self.put("LBRACE", "{")
        if self.text.startswith("{", begin):
            self.at += 1
            self._formula("}")
        elif begin >= len(self.text) or self.text[begin] in "}$^_&'":
            raise self.refused("an argument is missing", self.text[begin : begin + 1], begin)
        elif self.text[begin].isdigit():
            self.at += 1
            self.put("NUMBER", self.text[begin], begin)
        elif self.text[begin].isalpha():
            self.at += 1
            self.letter(self.text[begin], self.text[begin], begin, alone=True)
        else:
            self.open(begin)
            self._one(alone=True)
            self.starts.pop()
        self.put("RBRACE", "}")

    def _one(self, alone: bool = False) -> None:
        """Reads what stands here; `alone`: it is an argument without braces, which no index belongs to."""
        begin, c = self.at, self.text[self.at]
        if c == "\\" or TYPED.match(self.text, begin):
            self._command(alone)
        elif m := _NUMBER.match(self.text, begin):
            self.at = m.end()
            self.put("NUMBER", re.sub(r"\\,|\{,\}", "", m[0]), begin)
            if [str(t) for t in self.found[-2:-1]] == ["log"] and _OWN_FACTOR.match(self.text, self.at):
                self.put("TIMES", "*")  # log2\,|x|: who means the logarithm of both leaves no space
        elif c in UNICODE and c not in SINGLE:
            self.at += 1
            self.letter(LETTERS.get(UNICODE[c], UNICODE[c]), c, begin, alone)
        elif c.isascii() and c.isalpha() and self._word(begin):
            return
        elif c.isascii() and c.isalpha():
            self.at += 1
            self.letter(c, c, begin, alone)
        elif c == "{":
            self.at += 1
            self._group(begin)
        elif m := re.compile(r"[_^]\s*(?:\+|\{\s*\+\s*\})").match(self.text, begin):
            self._positive_part(m)
        elif c == "^":
            self.power(begin)
        elif c == "_":
            if not self.found or self.found[-1].type not in ("FUNC", "BIG", "RBRACE", "RNORM"):
                raise self.refused("an index has no meaning here", "_", begin)
            self.at += 1
            self.put("SUB", "_", begin)
            self.argument()
        elif c == "~":
            self.at += 1
            self.put("GAP", "wide", begin)
        elif c == ":" and self.text.startswith(":=", begin):
            self.at += 2
            self.define(":=", begin)
        elif c == "=" and self.text.startswith("=:", begin):
            self.at += 2
            self.put("SIGN", "==", begin)
        elif c == ":":
            self.at += 1
            self._colon(begin)
        elif c == "." and re.match(r"[.,;\s]*(?:\\[\])]|\\end|\\tag\b|\\label\b|\$|\}|$)", self.text[begin:]):
            self.at += 1
        elif self.text.startswith(("<=", ">="), begin):  # typed
            self.at += 2
            self.put("SIGN", f"{c}=", begin)
        elif c == "|" and self.text.startswith("||", begin) and self.in_divergence():
            self.at += 2
            self.put("COMMA", ",", begin)
        elif c == "!" and self.text.startswith("!!", begin):
            raise self.refused("n!! is no factorial of a factorial, and is not read", "!!", begin)
        elif c in SINGLE:
            self.at += 1
            self.put(*SINGLE[c], begin)
        else:
            raise self.refused(f"{c!r} has no meaning in a formula", c, begin)

    def _positive_part(self, sign: re.Match[str]) -> None:
        """`(x)_+`: the larger one of x and 0."""
        if not self.found or self.found[-1].type not in ("RPAR", "RSQB", "RCURLY"):
            raise self.refused("a positive part stands behind brackets: (x)_+", sign[0], sign.start())
        self.at = sign.end()
        self.put("BANG", "_+", sign.start())

    def _word(self, begin: int) -> bool:
        """Reads `for all` and its kind where they stand bare in a formula: nobody means f times o times r."""
        m = re.compile(r"(?<![A-Za-z\\])(?:[A-Za-z]{3,}|if|If)(?=\s)").match(self.text, begin)
        phrase = word_at(self.text, begin) if m else None
        if not m or phrase is None or phrase[2] < m.end() or not phrase[0]:
            return False
        self.at = phrase[2]
        self.put(phrase[0], phrase[1], begin)
        return True

    def _colon(self, begin: int) -> None:
        """A colon is a comma, and "such that" behind what is said to exist."""
        exists = next((t.type for t in reversed(self.found) if t.type in KEYS), "") == "EXISTS"
        self.put(*(("WITH", "with") if exists else ("COMMA", ":")), begin)

    def _group(self, begin: int) -> None:
        """Braces that are no argument print nothing; old commands such as \\choose divide them."""
        if m := re.compile(r"\s*\\(?:rm|sf|it|bf|cal)\b\s*([A-Za-z]+)\s*\}").match(self.text, self.at):
            self.at = m.end()
            self.upright("mathrm", m[1], begin)
            return
        before = len(self.found)
        self._formula("}")
        if len(self.found) == before and re.match(r"\s*[\^_]", self.text[self.at :]):
            raise self.refused("an index or power of nothing has no meaning", "{}", begin)

    def _divided(self, name: str, begin: int) -> None:
        """`{a \\over b}` and `{n \\choose k}`."""
        at = self.starts[-1]
        if len(self.starts) < 2:
            raise self.refused(f"\\{name} stands in braces", f"\\{name}", begin)
        kind = "FRAC" if name == "over" else "BINOM"
        place = self.found[at].start_pos or 0 if at < len(self.found) else begin
        opening = [Token(kind, f"\\{name}", start_pos=place), Token("LBRACE", "{", start_pos=place)]
        self.found[at:at] = opening
        self.put("RBRACE", "}", begin)
        self.put("LBRACE", "{", begin)
        self._formula("}")
        self.put("RBRACE", "}")
        self.at -= 1  # the brace closes the group too

    def power(self, begin: int) -> None:
        self.at += 1
        if m := re.compile(
            r"\s*(?:\{\s*\\(?:top|intercal)\s*\}|\\(?:top|intercal)(?![a-z])"
            r"|\{?\s*\\math(?:sf|rm)\s*\{?\s*T\s*\}?\s*\}?(?![a-z]))"
        ).match(self.text, self.at):
            self.at = m.end()  # x^\top y is the product of vectors, and x y^\top the matrix of their products
            if [t.type for t in self.found[-2:]] == ["NAME", "NAME"] and not self._goes_on():
                self._outer()
            else:
                self.put("TIMES", "*", begin)
            return
        if self.found and self.found[-1].type == "RBRACE" and self._is_power_before():
            raise self.refused("a second power: write braces", "^", begin)
        if re.compile(r"\s*\{\s*\(\s*(?:\d+|\\?[A-Za-z]+)\s*\)\s*\}").match(self.text, self.at):
            raise self.refused("a number or letter in brackets above is an index as often as a power", "^", begin)
        self.put("POW", "^", begin)
        self.argument()

    def _goes_on(self) -> bool:
        """Whether a factor follows: a letter, a number, a bracket that opens, a command that is none of these signs."""
        ends = r"le[qs]?|ge[qs]?|leqslant|geqslant|succ\w*|prec\w*|right|[bB]ig+r?|text|quad|qquad"
        factor = rf"(?:[\s~]|\\[,;:! ])*(?:[\w(\[{{]|\\(?!(?:{ends})(?![a-z]))[a-zA-Z])"
        return bool(re.compile(factor).match(self.text, self.at))

    def _outer(self) -> None:
        """The last two names as the matrix x y^T."""
        x, y = self.found[-2:]
        kinds = ("CALL", "outer"), ("LPAR", "("), x, ("COMMA", ","), y, ("RPAR", ")")
        self.found[-2:] = [k if isinstance(k, Token) else Token(*k, start_pos=x.start_pos) for k in kinds]

    def _is_power_before(self) -> bool:
        depth = 0
        for i in range(len(self.found) - 1, 0, -1):
            depth += (self.found[i].type == "RBRACE") - (self.found[i].type == "LBRACE")
            if not depth:
                return self.found[i - 1].type == "POW"
        return False

    def define(self, printed: str, begin: int) -> None:
        """A sign of definition, which is refused where it gives a new meaning to what has one: ⌈x⌉ := 1 + ⌊x⌋."""
        if self.found and self.found[-1].type in ("RFLOOR", "RCEIL", "RBAR", "RNORM"):
            raise self.refused(
                "this defines anew what has a meaning: write its formula where it is used", printed, begin
            )
        self.put("SIGN", "==", begin)

    # Commands

    def _command(self, alone: bool) -> None:
        begin = self.at
        name = SAME.get(name := self.name_of_command(), name)
        if name in DEFINES:
            self.define(f"\\{name}", begin)
        elif name in TOKENS:
            self.put(*TOKENS[name], begin)
            if name in ("to", "rightarrow", "longrightarrow"):
                self._side()
        elif name in LETTER_FUNCTIONS and name not in self.known and BRACKET.match(self.text, self.at):
            self.put("FUNC", LETTER_FUNCTIONS[name], begin)
        elif name == "Phi" and re.compile(r"\s*\^\s*\{\s*-\s*1\s*\}(?:\s|\\left|\\[bB]igg?l?)*[(\[]").match(
            self.text, self.at
        ):
            self.put("FUNC", "Phi", begin)
        elif name in LETTERS:
            self.letter(LETTERS[name], f"\\{name}", begin, alone)
        elif name in BIGS:
            self.big(name, begin)
        elif name in FUNCTIONS:
            self.put("FUNC", FUNCTIONS[name], begin)
        elif name.rstrip("*") in FONTS:
            self.font(name.rstrip("*"), begin, alone)
        elif name in ACCENTS:
            self.accent(name, begin, alone)
        elif name in QUADS or name in WIDE or name.isspace() or name in ("hspace", "hspace*"):
            if name.startswith("hspace"):
                self.braced()
            self.put("GAP", "quad" if name in QUADS else "wide", begin)
        elif name in ("label", "tag", "tag*"):
            self.braced()
        elif name in ASKED:
            raise self.refused(f"\\{name} has two readings: write {ASKED[name]}", f"\\{name}", begin)
        elif name not in THIN and not self._built(name, begin):
            raise self.refused(f"\\{name} is not read", f"\\{name}", begin)

    def _built(self, name: str, begin: int) -> bool:
        """Reads a command that takes arguments or changes what stands beside it; False where it is none."""
        if name in ("left", "right") or name in NOTHING:
            self._fence(name, begin)
        elif name in ("frac", "tfrac", "dfrac", "cfrac", "nicefrac", "sfrac"):
            self._fraction(begin)
        elif name in ("binom", "tbinom", "dbinom"):
            self.put("BINOM", f"\\{name}", begin)
            self.argument()
            self.argument()
        elif name == "sqrt":
            self._root(begin)
        elif name == "substack":
            self.blank()
            self._braces(begin)
            self._formula("}")
        elif name in ("over", "choose"):
            self._divided(name, begin)
        elif name in TEXTS:
            self._text(begin)
        elif name == "mathbb":
            self.set(self.braced(), begin)
        elif name in BLACKBOARD:
            self.set(BLACKBOARD[name], begin)
        elif name in ("abs", "norm"):
            self.put(*(("FUNC", "abs") if name == "abs" else ("CALL", "norm")), begin)
            self.blank()
            self._braces(begin)
            self.put("LPAR", "(")
            self._formula("}")
            self.put("RPAR", ")")
        elif name == "cap" and (
            m := re.compile(r"\s*\\mathbb\s*(?:\{\s*([NZ])\s*\}|([NZ]))").match(self.text, self.at)
        ):
            self.at = m.end()
            self.put("MARK", "integer" if "N" in m[0] else "whole", begin)
        elif name in ("downarrow", "uparrow"):
            self.put("ARROW", "->", begin)
            self.argument()
            del self.found[-3], self.found[-1]  # one sign without braces
            self.put("SIDE", "+" if name == "downarrow" else "-", begin)
        elif name == "not" and (m := re.compile(r"\s*=").match(self.text, self.at)):
            self.at = m.end()
            self.put("SIGN", "!=", begin)
        elif name in ("|", "Vert", "parallel", "mid", "lVert", "rVert"):
            self._bar(name, begin)
        elif name in ("langle", "rangle"):
            self.put(*(("CALL", "dot") if name == "langle" else ("RPAR", ")")), begin)
            if name == "langle":
                self.put("LPAR", "(", begin)
        elif name == "Pr" or (name == "P" and BRACKET.match(self.text, self.at)):
            self.put("CALL", "P", begin)
        elif name == "cases" and re.match(r"\s*\(", self.text[self.at :]):
            self.put("CALL", "pieces", begin)
        elif name == "\\":
            self._line(begin)
        elif name == "colon":
            self._colon(begin)
        elif name == "begin":
            self._environment(begin)
        else:
            return False
        return True

    def _bar(self, name: str, begin: int) -> None:
        """`\\|`: between the two laws of a divergence, or around a vector."""
        if self.in_divergence():
            self.put("COMMA", ",", begin)
        elif name in ("parallel", "mid"):
            raise self.refused(f"\\{name} has no meaning here: conditions are not read", f"\\{name}", begin)
        else:
            at = innermost(self.found)
            if name != "lVert" and at > 0 and self.found[at - 1] in ("D", "d", "P"):
                raise self.refused(
                    "what does this bar divide? Of Bernoulli laws write \\mathrm{kl}(p, q)", f"\\{name}", begin
                )
            kind = {"lVert": "LNORM", "rVert": "RNORM"}.get(name) or norm_bar(self.found)
            self.put(kind, f"\\{name}", begin)

    def _side(self) -> None:
        """`0^+` behind an arrow: from above."""
        self.blank()
        if m := _SIDED.match(self.text, self.at):
            begin = self.at
            to = m["to"].lstrip("+-")
            if m["to"].startswith("-"):
                self.put("MINUS", "-", begin)
            self.at = m.end()
            self.put("NUMBER" if to.isdigit() else "NAME", to, begin)
            self.put("SIDE", m["side"].strip("{} "), m.start("side"))

    def _fence(self, name: str, begin: int) -> None:
        """\\left, \\bigr and their kind: a bar behind them is known to open or to close."""
        if name == "left":
            self.lefts += 1
        if name == "right":
            self.lefts -= 1
        if self.lefts < 0:
            raise self.refused("\\right has no \\left", "\\right", begin)
        if name == "middle" and (bar := re.match(r"\s*(?:\||\\[|]|\\l?Vert(?![a-z]))", self.text[self.at :])):
            if not self.in_divergence():
                raise self.refused("\\middle| has no meaning here: conditions are not read", "\\middle", begin)
            self.at += len(bar[0])
            self.put("COMMA", ",", begin)
        if name[-1] not in "tlr" or name in ("limits", "nolimits", "nonumber"):
            return
        self.blank()
        if name in ("left", "right") and self.text.startswith(".", self.at):
            self.at += 1
        if m := re.compile(r"\||\\\||\\[vV]ert(?![a-z])").match(self.text, self.at):
            self.at = m.end()
            norm, opens = m[0] in ("\\|", "\\Vert"), name in ("left", "bigl", "Bigl", "biggl", "Biggl")
            self.put(("L" if opens else "R") + ("NORM" if norm else "BAR"), m[0], begin)

    def _fraction(self, begin: int) -> None:
        if "d" not in self.known and (m := _SECOND.match(self.text, begin)):
            self.at = m.end()
            for kind, value in 2 * (("BIG", "diff"), ("SUB", "_"), ("LBRACE", "{"), ("NAME", ""), ("RBRACE", "}")):
                self.put(kind, value or name_of(m[1]), begin)
            return
        if "d" not in self.known and (m := _DERIVATIVE.match(self.text, begin)):
            self.at = m.end()
            self.put("BIG", "diff", begin)
            self.put("SUB", "_", begin)
            self.put("LBRACE", "{", begin)
            self._formula("}")
            self.put("RBRACE", "}")
            return
        number = bool(self.found) and self.found[-1].type == "NUMBER"
        self.put("FRAC", "\\frac", begin)
        start = len(self.found)
        self.argument()
        self.argument()
        if number and [t.type for t in self.found[start:]] == ["LBRACE", "NUMBER", "RBRACE"] * 2:
            raise self.refused(
                "a number before a fraction is a product or a mixed number: write \\cdot or +", "\\frac", begin
            )

    def _root(self, begin: int) -> None:
        self.put("SQRT", "\\sqrt", begin)
        self.blank()
        if self.text.startswith("[", self.at):
            self.put("LSQB", "[")
            self.at += 1
            self._formula("]")
            self.put("RSQB", "]")
        self.argument()

    def _text(self, begin: int) -> None:
        self.blank()
        content = re.compile(r"\{\s*(\w+)\s*\}").match(self.text, self.at)
        bernoulli = content and content[1] in BERNOULLI and self.in_divergence()
        if content and (content[1] in UPRIGHT or bernoulli):
            self.at = content.end()
            self.upright("mathrm", content[1], begin)
            return
        self._braces(begin)
        self.words("}")

    def big(self, name: str, begin: int) -> None:
        """A sum, an infimum and their kind have an index; a minimum without one is a function."""
        m = re.compile(r"\s*(?:\\(?:no)?limits)?\s*(?=[_^])").match(self.text, self.at)
        if m is None and name in ("min", "max"):
            self.put("FUNC", name, begin)
            return
        if m is None or name in ("min", "max") and not self.text.startswith("_", m.end()):
            if name in ("min", "max"):
                self.put("FUNC", name, begin)
                return
            raise self.refused(f"\\{name} has no index below it", f"\\{name}", begin)
        self.put("BIG", name, begin)
        self.at = m.end()

    def _line(self, begin: int) -> None:
        """A new line is nothing where the next one begins with a sign of comparison."""
        self.blank()
        rest = re.compile(r"(?:\[[^\]]*\])?(?:[\s&]|\\[,!;:]|\\q?quad)*").match(self.text, self.at)
        assert rest is not None
        self.at = rest.end()
        m = COMMAND.match(self.text, self.at)
        sign = TOKENS.get(m[1], ("", ""))[0] if m else SINGLE.get(self.text[self.at : self.at + 1], ("", ""))[0]
        ended = self.at >= len(self.text) or bool(m and m[1] == "end")
        joined = bool(self.found) and self.found[-1].type in (
            "COMMA",
            "SIGN",
            "PLUS",
            "MINUS",
            "TIMES",
            "IFF",
            "IMPLIES",
        )
        if not ended and not joined and sign not in ("SIGN", "IFF", "IMPLIES", "PLUS", "TIMES"):
            raise self.refused("does this line go on, or is it another statement?", "\\\\", begin)

    def in_divergence(self) -> bool:
        """Whether the innermost open bracket is that of kl or tv."""
        return in_call(self.found) in ("kl", "tv")
