"""The tokens of LaTeX, as papers print it: what TeX would show is read, nothing is expanded or run.

Formulas are divided into letters, numbers and commands; the words in `\\text{...}` and outside of `$...$` are read as
plain text is. A letter with its index, accent and primes is one name: `\\hat\\mu_1'` is `mu_hat_1'`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from lark import Token

from banditproof.verify.judge.latex_signs import (
    ACCENTS,
    BEFORE_BRACKETS,
    BIGS,
    ENVIRONMENTS,
    FONTS,
    FUNCTIONS,
    LETTER_FUNCTIONS,
    LETTERS,
    NOTHING,
    ORDERS,
    QUADS,
    SINGLE,
    TEXTS,
    THIN,
    TOKENS,
    UPRIGHT,
    WIDE,
)
from banditproof.verify.judge.sentence import Unread
from banditproof.verify.judge.words import (
    BEGINS_OPERAND,
    CLOSES,
    DEEPEST,
    ENDS_OPERAND,
    KEYS,
    OPENS,
    PROMISE,
    checked_length,
    paired,
    plain_step,
    settled,
    word_at,
)
from banditproof.verify.judge.words import LETTERS as UNICODE

_COMMAND = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
_BLANK = re.compile(r"(?:[\s&]|%[^\n]*(?:\n|$)|\\[,!])*")
_BRACKET = re.compile(r"(?:\s|\\[,!]|\\left(?![a-z])|\\[bB]igg?l?(?![a-z]))*[(\[]|(?:\s|\\left|\\[bB]igg?l?)*\\[{|]")
_SET = re.compile(r"\s*(?:\{\s*([A-Z])\s*\}|([A-Z]))")
_SET_SIGNS = {
    "": "",
    "0": "_0",
    "+": "_+",
    "++": "_{++}",
    ">0": "_{>0}",
    ">=0": "_{>=0}",
    "1": "_1",
    ">=1": "_1",
    "*": "_1",
}
_SIDED = re.compile(r"(?P<to>[+-]?(?:\d+|[A-Za-z]))\s*\^?\s*(?P<side>\{\s*[+-]\s*\}|[+-])(?=\s*(?:$|[)},;.$\\]))")
_DERIVATIVE = re.compile(
    r"\\[dt]?frac\s*\{\s*(?:d|\\partial|\\mathrm\s*\{d\}|\\mathrm\s+d)\s*\}"
    r"\s*\{\s*(?:d|\\partial|\\mathrm\s*\{d\}|\\mathrm\s+d)\s*(?=\\?[A-Za-z])"
)


def latex_tokens(text: str, known: Iterable[str] = ()) -> list[Token]:
    """The tokens of a statement in LaTeX; `known` are the names of variables whose ranges stand elsewhere."""
    reader = _Reader(checked_length(text), frozenset(known))
    reader.statement()
    return list(paired(settled(_without_gaps(reader.found)), text))


def name_of(spelled: str, among: Iterable[str] = ()) -> str:
    """The name that a variable has here: `\\varepsilon` is eps, unless epsilon is asked for."""
    word = spelled.strip().strip("$").lstrip("\\").replace("{", "").replace("}", "").replace(" ", "")
    stem, line, index = word.partition("_")
    stem = UNICODE.get(stem, LETTERS.get(stem, stem) if spelled.strip().strip("$").startswith("\\") else stem)
    return stem + line + index.lstrip("\\")


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
        elif after.type not in OPENS and _compares(kept, -1) and _compares(found[i + 1 :], 1):
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


@dataclass
class _Reader:
    """Where the reader stands in a text, and what it has found."""

    text: str
    known: frozenset[str]
    at: int = 0
    found: list[Token] = field(default_factory=list)
    spelled: dict[str, str] = field(default_factory=dict)  # how each name is printed: two letters are no one name
    starts: list[int] = field(default_factory=list)  # where each open group begins among the tokens
    lefts: int = 0

    # What is shared

    def statement(self) -> None:
        """Reads the whole text: words with formulas in `$...$`, or one formula with words in `\\text{...}`."""
        self.mechanism = PROMISE.search(self.text) is not None
        end = re.search(r"[\s.,;]*$", self.text)
        if end is not None and not self.text[: end.end()].rstrip().endswith(("..", "\\,", "\\;")):
            self.text = self.text[: end.start()]
        if self._has_formulas_in_words():
            self._words("")
        else:
            self._formula("")
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

    def put(self, kind: str, value: str, at: int | None = None) -> None:
        """Adds a token that begins at a place and ends where the reader stands."""
        self.found.append(Token(kind, value, start_pos=self.at if at is None else at, end_pos=self.at))

    def refused(self, why: str, token: str, at: int) -> Unread:
        return Unread(why, token, at)

    def blank(self) -> None:
        """Passes spaces that say nothing."""
        m = _BLANK.match(self.text, self.at)
        assert m is not None
        self.at = m.end()

    def _open(self, at: int) -> None:
        self.starts.append(len(self.found))
        if len(self.starts) > DEEPEST:
            raise Unread(f"groups stand more than {DEEPEST} deep in each other", self.text[at], at)

    def _ends(self, closing: str, opened: int) -> bool:
        """Whether the group, or the text, ends here; passes what closes it."""
        if self.at >= len(self.text):
            if closing:
                raise Unread(f"{self.text[opened : opened + 2].strip()!r} is not closed", self.text[opened], opened)
            return True
        if closing and self.text.startswith(closing, self.at):
            self.at += len(closing)
            return True
        return False

    def braced(self) -> str:
        """The raw text of the argument that follows, without its braces."""
        self.blank()
        begin = self.at
        if not self.text.startswith("{", begin):
            m = _COMMAND.match(self.text, begin)
            self.at = m.end() if m else begin + 1
            if begin >= len(self.text) or self.text[begin] in "}$^_&":
                raise Unread("an argument is missing", self.text[begin : begin + 1], begin)
            return self.text[begin : self.at]
        depth, i = 0, begin
        while i < len(self.text):
            c = self.text[i]
            if c == "\\":
                i += 2
                continue
            depth += (c == "{") - (c == "}")
            i += 1
            if not depth:
                self.at = i
                return self.text[begin + 1 : i - 1]
        raise Unread("'{' is not closed", "{", begin)

    # Words

    def _words(self, closing: str) -> None:
        """Reads plain text up to its closing sign, with formulas in `$...$` in it."""
        opened = max(self.at - 1, 0)
        self._open(opened)
        while not self._ends(closing, opened):
            c = self.text[self.at]
            if c.isspace() or c == "~":
                self.at += 1
            elif c == "%":
                self.blank()
            elif c == "{":
                self.at += 1
                self._words("}")
            elif c == "$":
                sign = "$$" if self.text.startswith("$$", self.at) else "$"
                self.at += len(sign)
                self._formula(sign)
            elif c == "\\":
                self._command_in_words()
            elif c == "." and (m := re.compile(r"\.\s+(?=Then\b|We have\b)").match(self.text, self.at)):
                self.put("COMMA", ",")
                self.at = m.end()
            elif c in ".," and re.match(r"[.,\s]*(?:\\end|$)", self.text[self.at :]):
                self.at += 1
            else:
                stop = re.compile(r"[$\\{}~%]|$").search(self.text, self.at)
                assert stop is not None
                self.at = plain_step(self.found, self.text, self.at, stop.start(), self.mechanism, self.known)
        self.starts.pop()

    def _command_in_words(self) -> None:
        begin, name = self.at, self._name_of_command()
        if name in ("(", "["):
            self._formula("\\)" if name == "(" else "\\]")
        elif name == "begin":
            self._environment(begin)
        elif name in TEXTS:
            self.blank()
            self._braces(begin)
            self._words("}")
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

    def _name_of_command(self) -> str:
        m = _COMMAND.match(self.text, self.at)
        if m is None:
            raise self.refused("a backslash ends the text", "\\", self.at)
        self.at = m.end()
        return m[1]

    def _braces(self, begin: int) -> None:
        if not self.text.startswith("{", self.at):
            raise self.refused("'{' is missing", self.text[begin : self.at].strip(), begin)
        self.at += 1

    # Formulas

    def _formula(self, closing: str) -> None:
        """Reads a formula up to its closing sign."""
        opened = max(self.at - max(len(closing), 1), 0)
        self._open(opened)
        while True:
            self.blank()
            if self._ends(closing, opened):
                break
            self._one()
        self.starts.pop()

    def _argument(self, digits: int = 1) -> None:
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
            self._letter(self.text[begin], self.text[begin], begin, alone=True)
        else:
            self._open(begin)
            self._one(alone=True)
            self.starts.pop()
        self.put("RBRACE", "}")

    def _one(self, alone: bool = False) -> None:
        """Reads what stands here; `alone`: it is an argument without braces, which no index belongs to."""
        begin, c = self.at, self.text[self.at]
        if c == "\\":
            self._command(alone)
        elif m := re.compile(r"\d+\.\d+|\.\d+|\d+").match(self.text, begin):
            self.at = m.end()
            self.put("NUMBER", m[0], begin)
        elif c in UNICODE and c not in SINGLE:
            self.at += 1
            self._letter(LETTERS.get(UNICODE[c], UNICODE[c]), c, begin, alone)
        elif c.isascii() and c.isalpha():
            self.at += 1
            self._letter(c, c, begin, alone)
        elif c == "{":
            self.at += 1
            self._group(begin)
        elif c == "^":
            self._power(begin)
        elif c == "_":
            if not self.found or self.found[-1].type not in ("FUNC", "BIG", "RBRACE"):
                raise self.refused("an index has no meaning here", "_", begin)
            self.at += 1
            self.put("SUB", "_", begin)
            self._argument()
        elif c == "~":
            self.at += 1
            self.put("GAP", "wide", begin)
        elif c == ":" and self.text.startswith(":=", begin):
            self.at += 2
            self.put("SIGN", "==", begin)
        elif c == ":" and next((t.type for t in reversed(self.found) if t.type in KEYS), "") == "EXISTS":
            self.at += 1
            self.put("WITH", "with", begin)
        elif c == "." and re.match(r"[.,;\s]*(?:\\[\])]|\\end|\$|\}|$)", self.text[begin:]):
            self.at += 1
        elif c == "!" and self.text.startswith("!!", begin):
            raise self.refused("n!! is no factorial of a factorial, and is not read", "!!", begin)
        elif c in SINGLE:
            self.at += 1
            self.put(*SINGLE[c], begin)
        else:
            raise self.refused(f"{c!r} has no meaning in a formula", c, begin)

    def _group(self, begin: int) -> None:
        """Braces that are no argument print nothing; old commands such as \\choose divide them."""
        if m := re.compile(r"\s*\\(?:rm|sf|it|bf|cal)\b\s*([A-Za-z]+)\s*\}").match(self.text, self.at):
            self.at = m.end()
            self._upright("mathrm", m[1], begin)
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

    def _power(self, begin: int) -> None:
        self.at += 1
        if self.found and self.found[-1].type == "RBRACE" and self._is_power_before():
            raise self.refused("a second power: write braces", "^", begin)
        self.put("POW", "^", begin)
        self._argument()

    def _is_power_before(self) -> bool:
        depth = 0
        for i in range(len(self.found) - 1, 0, -1):
            depth += (self.found[i].type == "RBRACE") - (self.found[i].type == "LBRACE")
            if not depth:
                return self.found[i - 1].type == "POW"
        return False

    # Commands

    def _command(self, alone: bool) -> None:
        begin = self.at
        name = self._name_of_command()
        if name in TOKENS:
            self.put(*TOKENS[name], begin)
            if name in ("to", "rightarrow", "longrightarrow"):
                self._side()
        elif name in LETTER_FUNCTIONS and name not in self.known and _BRACKET.match(self.text, self.at):
            self.put("FUNC", LETTER_FUNCTIONS[name], begin)
        elif name in LETTERS:
            self._letter(LETTERS[name], f"\\{name}", begin, alone)
        elif name in BIGS:
            self._big(name, begin)
        elif name in FUNCTIONS:
            self.put("FUNC", FUNCTIONS[name], begin)
        elif name.rstrip("*") in FONTS:
            self._font(name.rstrip("*"), begin, alone)
        elif name in ACCENTS:
            self._accent(name, begin, alone)
        elif name in QUADS or name in WIDE or name.isspace() or name in ("hspace", "hspace*"):
            if name.startswith("hspace"):
                self.braced()
            self.put("GAP", "quad" if name in QUADS else "wide", begin)
        elif name in ("label", "tag", "tag*"):
            self.braced()
        elif name not in THIN and not self._built(name, begin):
            raise self.refused(f"\\{name} is not read", f"\\{name}", begin)

    def _built(self, name: str, begin: int) -> bool:
        """Reads a command that takes arguments or changes what stands beside it; False where it is none."""
        if name in ("left", "right") or name in NOTHING:
            self._fence(name, begin)
        elif name in ("frac", "tfrac", "dfrac", "cfrac"):
            self._fraction(begin)
        elif name in ("binom", "tbinom", "dbinom"):
            self.put("BINOM", f"\\{name}", begin)
            self._argument()
            self._argument()
        elif name == "sqrt":
            self._root(begin)
        elif name in ("over", "choose"):
            self._divided(name, begin)
        elif name in TEXTS:
            self._text(begin)
        elif name == "mathbb":
            self._set(self.braced(), begin)
        elif name == "cap" and (
            m := re.compile(r"\s*\\mathbb\s*(?:\{\s*([NZ])\s*\}|([NZ]))").match(self.text, self.at)
        ):
            self.at = m.end()
            self.put("MARK", "integer" if "N" in m[0] else "whole", begin)
        elif name in ("downarrow", "uparrow"):
            self.put("ARROW", "->", begin)
            self._argument()
            del self.found[-3], self.found[-1]  # one sign without braces
            self.put("SIDE", "+" if name == "downarrow" else "-", begin)
        elif name == "not" and (m := re.compile(r"\s*=").match(self.text, self.at)):
            self.at = m.end()
            self.put("SIGN", "!=", begin)
        elif name in ("|", "Vert", "parallel", "mid"):
            if not self._in_divergence():
                raise self.refused(
                    f"\\{name} has no meaning here: norms and conditions are not read", f"\\{name}", begin
                )
            self.put("COMMA", ",", begin)
        elif name == "\\":
            self._line(begin)
        elif name == "begin":
            self._environment(begin)
        else:
            return False
        return True

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
        if name[-1] not in "tlr" or name in ("limits", "nolimits", "nonumber"):
            return
        self.blank()
        if name in ("left", "right") and self.text.startswith(".", self.at):
            raise self.refused(f"\\{name}. has no bracket", f"\\{name}", begin)
        if m := re.compile(r"\||\\vert(?![a-z])").match(self.text, self.at):
            self.at = m.end()
            self.put("LBAR" if name in ("left", "bigl", "Bigl", "biggl", "Biggl") else "RBAR", "|", begin)

    def _fraction(self, begin: int) -> None:
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
        self._argument()
        self._argument()
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
        self._argument()

    def _text(self, begin: int) -> None:
        self.blank()
        content = re.compile(r"\{\s*(\w+)\s*\}").match(self.text, self.at)
        if content and content[1] in UPRIGHT:
            self.at = content.end()
            self._upright("mathrm", content[1], begin)
            return
        self._braces(begin)
        self._words("}")

    def _big(self, name: str, begin: int) -> None:
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
        m = _COMMAND.match(self.text, self.at)
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

    def _in_divergence(self) -> bool:
        """Whether the innermost open bracket is that of kl or tv."""
        depth = 0
        for i in range(len(self.found) - 1, 0, -1):
            depth += (self.found[i].type in CLOSES) - (self.found[i].type in OPENS)
            if depth < 0:
                return self.found[i - 1].type == "FUNC" and self.found[i - 1] in ("kl", "tv")
        return False

    # Names

    def _font(self, font: str, begin: int, alone: bool) -> None:
        self.blank()
        start = self.at
        content = re.sub(r"\\[,!;: ]|[\s~]", "", self.braced())
        if font not in ("mathcal", "mathscr", "mathfrak", "boldsymbol", "bm", "mathbf") and not alone:
            words = re.sub(r"[-~]|\\[,; ]", " ", content)
            is_word = PROMISE.fullmatch(content) or ((p := word_at(words, 0)) and p[2] == len(words) and len(words) > 1)
            if is_word and self.text.startswith("{", start) and content not in UPRIGHT:
                self.at = start + 1
                self._words("}")
                return
        self._upright(font, content, begin, alone)

    def _upright(self, font: str, content: str, begin: int, alone: bool = False) -> None:
        """A name in other letters: a function that is known, or a variable."""
        if content in UPRIGHT and font not in ("mathcal", "mathbf", "boldsymbol", "bm") and content not in self.known:
            if content in BIGS:
                self._big(content, begin)
            elif content != "W" or _BRACKET.match(self.text, self.at):
                self.put("FUNC", UPRIGHT[content], begin)
            else:
                self._letter(content, content, begin, alone)
            return
        base = LETTERS.get(content[1:], "") if content.startswith("\\") else content
        if not re.fullmatch(r"[A-Za-z]+", base):
            raise self.refused(f"{content!r} in other letters is no name", content, begin)
        self._letter(base, f"\\{font}{{{content}}}", begin, alone)

    def _accent(self, accent: str, begin: int, alone: bool) -> None:
        raw = self.braced().strip()
        base = LETTERS.get(raw[1:], "") if raw.startswith("\\") else raw
        if not base.isalpha() or (not raw.startswith("\\") and len(base) != 1):
            raise self.refused(f"\\{accent} stands over a single letter", f"\\{accent}", begin)
        accent = accent.removeprefix("wide")
        self._letter(f"{base}_{accent}", f"\\{accent}{{{raw}}}", begin, alone)

    def _letter(self, base: str, spelled: str, begin: int, alone: bool = False) -> None:
        """A name with all that belongs to it: primes, an index, a star."""
        if spelled in ("\\epsilon", "\\varepsilon", "ε", "ϵ") and "epsilon" in self.known:
            base = "epsilon"
        if not alone and self._is_function(base, spelled, begin):
            return
        name, index, primes = base, "", ""
        while not alone:
            if m := re.compile(r"\s*('+)|\s*\^\s*(?:\{\s*((?:\\prime\s*)+)\}|(\\prime(?![a-z])))").match(
                self.text, self.at
            ):
                primes += "'" * (len(m[1] or "") + m[0].count("prime"))
                self.at = m.end()
            elif not index and (m := re.compile(r"(?:\s|\\[,!])*_").match(self.text, self.at)):
                self.at = m.end()
                spelled += f"_{(raw := self.braced()).replace(' ', '')}"
                index = self._index(raw, begin)
            elif m := re.compile(r"\s*\^\s*(?:\{\s*(?:\*|\\star|\\ast)\s*\}|\*|\\star(?![a-z])|\\ast(?![a-z]))").match(
                self.text, self.at
            ):
                self.at, name, spelled = m.end(), f"{name}_star", f"{spelled}^*"
            else:
                break
        name = name + ("_" + index if index else "") + primes
        if name not in ("e", "pi") and self.spelled.setdefault(name, spelled) != spelled:
            raise self.refused(
                f"{spelled} and {self.spelled[name]} are both {name} here: use another letter for one", spelled, begin
            )
        self.put("NAME", name, begin)

    def _is_function(self, base: str, spelled: str, begin: int) -> bool:
        """Whether a letter is a function by what follows it; its tokens are put then."""
        m = re.compile(r"[A-Za-z]{2,}").match(self.text, begin)
        if m and m[0] in UPRIGHT and spelled == base and not (begin and self.text[begin - 1].isalpha()):
            raise self.refused(f"{m[0]!r} is a product of letters: write \\{m[0]} or \\mathrm{{{m[0]}}}", m[0], begin)
        if base in self.known:
            return False
        if _BRACKET.match(self.text, self.at):
            if base in BEFORE_BRACKETS:
                self.put("FUNC", BEFORE_BRACKETS[base], begin)
                return True
            if base in ORDERS:
                self.put("CALL", base, begin)
                return True
            return False
        start, index = self.at, ""
        if re.match(r"\s*_", self.text[self.at :]):
            self.at = self.text.index("_", self.at) + 1
            index = re.sub(r"\s|\\(?:mathrm|text|operatorname|mathsf|textrm)|[{}]", "", self.braced())
        if base in ("d", "D") and _BRACKET.match(self.text, self.at):
            if index in UPRIGHT and UPRIGHT[index] in ("kl", "tv"):
                self.put("FUNC", UPRIGHT[index], begin)
                return True
            if base == "d" and index in ("\\epsilon", "\\varepsilon"):
                self.put("FUNC", "d_eps", begin)
                self.put("SUB", "_", begin)
                self.at = self.text.index("_", start) + 1
                self._argument()
                return True
        if base == "H" and re.fullmatch(r"\d*[nmkNKTtj]([+-]\d+)?", index) and f"H_{index}" not in self.known:
            self.put("FUNC", "H", begin)
            self.put("LPAR", "(", begin)
            self.at = self.text.index("_", start) + 1
            self._argument()
            opening = max(i for i, t in enumerate(self.found) if t.type == "LPAR")
            del self.found[opening + 1], self.found[-1]
            self.put("RPAR", ")")
            return True
        self.at = start
        return False

    def _index(self, raw: str, begin: int) -> str:
        """An index as a part of a name."""
        word = re.sub(r"\\(?:text|mathrm|textrm|operatorname|mathsf|mathit)\s*\{([^{}]*)\}", r"\1", raw)
        word = re.sub(r"\\(?:star|ast)(?![a-z])|\*", "star", word)
        word = re.sub(r"\\([A-Za-z]+)", lambda m: f" {LETTERS.get(m[1], m[1] if m[1] in BIGS else '?')}", word)
        word = re.sub(r"\s*,\s*", "_", re.sub(r"\\[,!;: ]", " ", word).strip())
        word = re.sub(r"\s+", "", word)
        if not re.fullmatch(r"[A-Za-z0-9_]+", word):
            raise self.refused(f"the index {raw!r} is not read: use a letter, a number or a word", raw, begin)
        return word

    def _set(self, letter: str, begin: int) -> None:
        """`\\mathbb{R}` and its kind, with what stands at it."""
        letter = letter.strip()
        if letter not in ("N", "Z", "R"):
            raise self.refused(f"\\mathbb{{{letter}}} is no set that is known here", f"\\mathbb{{{letter}}}", begin)
        sign = ""
        if m := re.compile(r"\s*(?:_|\^(?=\s*\{?\s*[+*]))").match(self.text, self.at):
            self.at = m.end()
            sign = re.sub(r"\\geq?(?:slant)?(?![a-z])", ">=", self.braced()).replace(" ", "")
        if sign not in _SET_SIGNS:
            raise self.refused(f"the set with {sign} is not known here", sign, begin)
        word = letter + _SET_SIGNS[sign]
        self.put("SET", {"N_{>=0}": "N_0", "Z_1": "N_1", "N_{++}": "N_1"}.get(word, word), begin)
