"""Names in LaTeX: a letter with its accent, index, primes and star is one name; and letters that are functions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lark import Token

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.latex_signs import (
    ALIKE,
    BEFORE_BRACKETS,
    BERNOULLI,
    BIGS,
    LETTERS,
    ORDERS,
    UPRIGHT,
)
from banditproof.verify.judge.reading.words import DEEPEST, OF_LAWS, PROMISE, word_at
from banditproof.verify.judge.reading.words import LETTERS as UNICODE

COMMAND = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
TYPED = re.compile(r"(?<![\\A-Za-z])(sqrt(?=\{)|frac(?=\{)|binom(?=\{)|(?:sum|prod)(?=_\{?\w))")  # without a backslash
BLANK = re.compile(r"(?:[\s&]|\\[,!])*")
BRACKET = re.compile(r"(?:\s|\\[,!]|\\left(?![a-z])|\\[bB]igg?l?(?![a-z]))*[(\[]|(?:\s|\\left|\\[bB]igg?l?)*\\[{|]")
_PRIMES = re.compile(r"\s*'+|\s*\^\s*(?:\{\s*(?:\\prime\s*)+\}|\\prime(?![a-z]))")
_INDEX = re.compile(r"(?:\s|\\[,!])*_")
_STAR = re.compile(r"\s*\^\s*(?:\{\s*(?:\*|\\star|\\ast)\s*\}|\*|\\star(?![a-z])|\\ast(?![a-z]))")
_POWER_THEN_INDEX = re.compile(r"\s*\^\s*(?:\d|\{[^{}]*\})\s*_")
_SPELLED = UPRIGHT.keys() - {"tr"}  # t r is a product
_LONE_ARGUMENT = re.compile(r"(?:\\left)?\(\s*\\?[A-Za-z]+\s*(?:\\right)?\)")
# The brackets of a divergence of two laws that are named: D(Ber(p) || Ber(q)).
_LAWS = re.compile(
    r"(?:\s|\\left|\\[bB]igg?l?)*\(\s*(?:\\[a-z]+\s*)?\{?\s*(?:N|Ber[a-z]*|Poi[a-z]*|Exp[a-z]*|Geo[a-z]*|Lap[a-z]*|Bin[a-z]*)\s*\}?\s*(?:\\left)?\([^|]*\\?\|"
)
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


def name_of(spelled: str) -> str:
    """The name of a variable whose range stands in a field of its own, also where it is spelled as LaTeX."""
    word = re.sub(r"[${}\s]", "", spelled)
    m = re.fullmatch(r"(\\?)([A-Za-z]+|.)(.*)", word)
    if m is None:
        return spelled
    stem = LETTERS.get(m[2], m[2]) if m[1] else UNICODE.get(m[2], m[2])
    return stem + "_" * m[3].isdigit() + m[3].replace("\\", "")


@dataclass
class Names:
    """Where the reader stands in a text, what it has found, and how it reads names."""

    text: str
    known: frozenset[str]
    at: int = 0
    found: list[Token] = field(default_factory=list)
    spelled: dict[str, str] = field(default_factory=dict)  # how each name is printed: two letters are no one name
    starts: list[int] = field(default_factory=list)  # where each open group begins among the tokens
    lefts: int = 0
    euler: bool = False  # whether the text says that \\gamma is Euler's constant

    def words(self, closing: str) -> None:
        """Reads plain text up to its closing sign."""
        raise NotImplementedError

    def argument(self) -> None:
        """Reads an argument and puts braces around it."""
        raise NotImplementedError

    def power(self, begin: int) -> None:
        """Reads a power."""
        raise NotImplementedError

    def big(self, name: str, begin: int) -> None:
        """Reads the word of a sum, an infimum or their kind."""
        raise NotImplementedError

    def in_divergence(self) -> bool:
        """Whether the innermost open bracket is that of kl or tv."""
        raise NotImplementedError

    def put(self, kind: str, value: str, at: int | None = None) -> None:
        """Adds a token that begins at a place and ends where the reader stands."""
        self.found.append(Token(kind, value, start_pos=self.at if at is None else at, end_pos=self.at))

    def refused(self, why: str, token: str, at: int) -> Unread:
        """What is raised where the text cannot be read."""
        return Unread(why, token, at)

    def blank(self) -> None:
        """Passes spaces that say nothing."""
        m = BLANK.match(self.text, self.at)
        assert m is not None
        self.at = m.end()

    def open(self, at: int) -> None:
        """Goes into a group."""
        self.starts.append(len(self.found))
        if len(self.starts) > DEEPEST:
            raise Unread(f"groups stand more than {DEEPEST} deep in each other", self.text[at], at)

    def ends(self, closing: str, opened: int) -> bool:
        """Whether the group, or the text, ends here; passes what closes it."""
        if self.at >= len(self.text):
            if closing:
                sign = {"}": "{", "]": "[", "\\)": "\\(", "\\]": "\\["}.get(closing, closing.replace("end", "begin"))
                raise Unread(f"{sign} is not closed", sign, opened)
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
            m = COMMAND.match(self.text, begin)
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

    def name_of_command(self) -> str:
        """Passes a command; its name without the backslash."""
        m = COMMAND.match(self.text, self.at) or TYPED.match(self.text, self.at)
        if m is None:
            raise self.refused("a backslash ends the text", "\\", self.at)
        self.at = m.end()
        return m[1]

    def font(self, font: str, begin: int, alone: bool) -> None:
        """\\mathrm{...} and its kind: a function, a word, or a name."""
        self.blank()
        start = self.at
        content = re.sub(r"\\[,!;: ]|[\s~]", "", self.braced())
        if font not in ("mathcal", "mathscr", "mathfrak", "boldsymbol", "bm", "mathbf") and not alone:
            words = re.sub(r"[-~]|\\[,; ]", " ", content)
            is_word = PROMISE.fullmatch(content) or ((p := word_at(words, 0)) and p[2] == len(words) and len(words) > 1)
            if is_word and self.text.startswith("{", start) and content not in UPRIGHT:
                self.at = start + 1
                self.words("}")
                return
        self.upright(font, content, begin, alone)

    def upright(self, font: str, content: str, begin: int, alone: bool = False) -> None:
        """A name in other letters: a function that is known, or a variable."""
        if content in UPRIGHT and font not in ("mathcal", "mathbf", "boldsymbol", "bm") and content not in self.known:
            if content in BIGS:
                self.big(content, begin)
            elif content != "W" or BRACKET.match(self.text, self.at):
                self.put("FUNC", UPRIGHT[content], begin)
            else:
                self.letter(content, content, begin, alone)
            return
        base = LETTERS.get(content[1:], "") if content.startswith("\\") else content
        if content in BERNOULLI and BRACKET.match(self.text, self.at) and self.in_divergence():
            return  # kl(Ber(p), Ber(q)) is kl(p, q)
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", base):
            raise self.refused(f"{content!r} in other letters is no name", content, begin)
        self.letter(base, f"\\{font}{{{content}}}", begin, alone)

    def accent(self, accent: str, begin: int, alone: bool) -> None:
        """\\hat\\mu is the name mu_hat."""
        raw = self.braced().strip()
        base = LETTERS.get(raw[1:], "") if raw.startswith("\\") else raw
        if not base.isalpha() or (not raw.startswith("\\") and len(base) != 1):
            raise self.refused(f"\\{accent} stands over a single letter", f"\\{accent}", begin)
        accent = accent.removeprefix("wide")
        self.letter(f"{base}_{accent}", f"\\{accent}{{{raw}}}", begin, alone)

    def letter(self, base: str, spelled: str, begin: int, alone: bool = False) -> None:
        """A name with all that belongs to it: primes, an index, a star; and the power that stands over its index."""
        stems = {re.split(r"[_']", name)[0] for name in self.known}
        if base not in stems:
            base = next((other for group in ALIKE if base in group for other in group if other in stems), base)
        if base == "epsilon" and not stems & {"eps", "epsilon"} and "\\varepsilon" not in self.text:
            base = "eps"
        if not alone and self._is_function(base, spelled, begin):
            return
        primes = star = index = ""
        power = -1
        while not alone and power < 0:
            if m := _PRIMES.match(self.text, self.at):
                primes += "'" * (m[0].count("'") + m[0].count("prime"))
                self.at = m.end()
            elif not index and (m := _INDEX.match(self.text, self.at)):
                self.at = m.end()
                index = self._index(self.braced(), begin)
            elif not star and (m := _STAR.match(self.text, self.at)):
                self.at, star = m.end(), "_star"
            elif not index and (m := _POWER_THEN_INDEX.match(self.text, self.at)):
                power, self.at = self.at, m.end()
                index = self._index(self.braced(), begin)
            else:
                break
        name = base + star + ("_" + index if index else "") + primes
        printed = f"{spelled}{'^*' * bool(star)}" + (f"_{{{index}}}" if index else "")
        if name in ("e", "pi") and _LONE_ARGUMENT.match(self.text, self.at) and name not in self.known:
            raise self.refused(f"is {spelled} a function here, or a number? Write \\cdot behind it", spelled, begin)
        if name not in ("e", "pi") and self.spelled.setdefault(name, printed) != printed:
            other = self.spelled[name]
            raise self.refused(
                f"{printed} and {other} are both {name} here: use another letter for one", spelled, begin
            )
        euler = name == "gamma_E" or (name == "gamma" and self.euler)
        self.put("NAME", "euler" if euler and name not in self.known else name, begin)
        if power >= 0:
            after, self.at = self.at, power
            self.power(self.at)
            self.at = after

    def _is_function(self, base: str, spelled: str, begin: int) -> bool:
        """Whether a letter is a function by what follows it; its tokens are put then."""
        m = re.compile(r"[A-Za-z]{2,}").match(self.text, begin)
        if m and m[0] in _SPELLED and spelled == base and not (begin and self.text[begin - 1].isalpha()):
            if BRACKET.match(self.text, m.end()):  # "log(1 + x)" without its backslash
                self.at = m.end()
                self.upright("mathrm", m[0], begin)
                return True
            raise self.refused(f"{m[0]!r} is a product of letters: write \\{m[0]} or \\mathrm{{{m[0]}}}", m[0], begin)
        if base in self.known:
            return False
        if BRACKET.match(self.text, self.at) and not (base == "D" and _LAWS.match(self.text, self.at)):
            alone = re.search(re.escape(spelled) + r"(?![A-Za-z]|\s*(?:\\[a-zA-Z]*\s*)?\()", self.text)
            if base in BEFORE_BRACKETS and not alone:
                self.put("FUNC", BEFORE_BRACKETS[base], begin)
                return True
            if base in ORDERS or base in OF_LAWS and "\\sim" in self.text:
                self.put("CALL", OF_LAWS.get(base, base), begin)
                return True
            return False
        start, index = self.at, ""
        if re.match(r"\s*_", self.text[self.at :]):
            self.at = self.text.index("_", self.at) + 1
            index = re.sub(r"\s|\\(?:mathrm|text|operatorname|mathsf|textrm)|[{}]", "", self.braced())
        lone = re.search(r"W_(?:0|\{0\})(?!\s*(?:\\[a-zA-Z]*\s*)?\()", self.text)  # a number
        if base == "W" and index == "0" and BRACKET.match(self.text, self.at) and not lone and "W_0" not in self.known:
            self.put("FUNC", "W", begin)
            return True
        if base == "D" and not index and _LAWS.match(self.text, self.at):
            self.put("FUNC", "kl", begin)
            return True
        if base in ("d", "D") and BRACKET.match(self.text, self.at):
            if index in UPRIGHT and UPRIGHT[index] in ("kl", "tv"):
                self.put("FUNC", UPRIGHT[index], begin)
                return True
            if base == "d" and re.search(r"\\(?:var)?epsilon", index):
                self.put("FUNC", "d_eps", begin)
                self.put("SUB", "_", begin)
                self.at = self.text.index("_", start) + 1
                self.argument()
                return True
        if base == "H" and re.fullmatch(r"\d*[nmkNKTtj]([+-]\d+)?", index) and f"H_{index}" not in self.known:
            self.put("FUNC", "H", begin)
            self.put("LPAR", "(", begin)
            self.at = self.text.index("_", start) + 1
            self.argument()
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
        word = re.sub(r"\\infty(?![A-Za-z])", " inf", word)
        word = re.sub(r"\\([A-Za-z]+)", lambda m: f" {LETTERS.get(m[1], m[1] if m[1] in BIGS else '?')}", word)
        word = re.sub(r"\s*,\s*", "_", re.sub(r"\\[,!;: ]", " ", word).strip())
        word = re.sub(r"\s+", "", word)
        if not re.fullmatch(r"[A-Za-z0-9_]+", word):
            raise self.refused(f"the index {raw!r} is not read: use a letter, a number or a word", raw, begin)
        return word

    def set(self, letter: str, begin: int) -> None:
        """`\\mathbb{R}` and its kind, with what stands at it."""
        letter = letter.strip()
        if letter in ("P", "E", "V") and BRACKET.match(self.text, self.at):
            self.put("CALL", "Var" if letter == "V" else letter, begin)
            return
        if letter == "1":
            raise self.refused("an indicator is not read: state each case alone", "\\mathbb{1}", begin)
        if letter not in ("N", "Z", "R"):
            raise self.refused(f"\\mathbb{{{letter}}} is no set that is known here", f"\\mathbb{{{letter}}}", begin)
        sign = ""
        if m := re.compile(r"\s*(?:_|\^(?=\s*\{?\s*[+*]))").match(self.text, self.at):
            self.at = m.end()
            sign = re.sub(r"\\geq?(?:slant)?(?![a-z])", ">=", self.braced()).replace(" ", "").replace("\\gt", ">")
        if letter != "R" and re.fullmatch(r">=?\d+", sign) and sign not in _SET_SIGNS:
            self.put("SET", f"{letter}_{{{sign}}}", begin)
            return
        if sign not in _SET_SIGNS:
            raise self.refused(f"the set with {sign} is not known here", sign, begin)
        word = letter + _SET_SIGNS[sign]
        self.put("SET", {"N_{>=0}": "N_0", "Z_1": "N_1", "N_{++}": "N_1"}.get(word, word), begin)
