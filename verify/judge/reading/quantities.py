r"""Quantities of LaTeX that have no value here: what they are printed equal to stands for them; and headings.

`\mathrm{Var}\,U_{(k)}=A\le B` claims A <= B, and says that A is a variance, which nothing printed allows to judge. Such
a quantity becomes a name; sentences.py drops a name from a chain beside a sign of equality, and never beside
inequalities alone. A quantity of which every letter is explained, by a range, a law or its other use, keeps its claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.latex_signs import BERNOULLI, FUNCTIONS, UPRIGHT
from banditproof.verify.judge.reading.words import CALLED, OF_LAWS, word_at

# The names of quantities: of one that says nothing of a variable, and of any other one.
NUMBER, QUANTITY = "Number[A-H]", "Quantity[A-H]"
_FONT = r"\\(?:mathrm|operatorname|mathsf|mathbf|mathtt|text|textsf|textrm)\*?"
_TEXT = re.compile(rf"(?:{_FONT}|\\(?:mbox|textit|textnormal|emph))\s*\{{")
_TOKEN = re.compile(_TEXT.pattern + r"|\\(?:begin|end)\s*\{[^}]*\}|:=|\\[A-Za-z]+\*?|\\.|.", re.DOTALL)
_OPENS, _CLOSES = ("{", "(", "[", "\\{", "\\langle"), ("}", ")", "]", "\\}", "\\rangle")
_EQUAL = ("=", ":=", "\\coloneqq", "\\triangleq")
_SIGNS = (*_EQUAL, "<", ">", "\\in", "\\sim", "\\to", "\\ne", "\\neq", "\\approx")
_SIGN = re.compile(r"\\[lg](?:e(?:q|qslant|qq)?|t)")
_ENDS = re.compile(
    r"[,;:$]|\\(?:q?quad|iff|implies|forall|exists|land|\\|(?:begin|end)\W.*)|\\(?:Long|long)?(?:left)?(?i:r)ightarrow"
)
_UNITS = ("bit", "bits", "nat", "nats")

_WORD = re.compile(rf"{_FONT}\s*\{{\s*([A-Za-z]{{2,}})\s*\}}")
_SCRIPT = re.compile(r"\\(?:mathcal|mathscr|mathfrak)\s*(?:\{\s*([A-Z])\s*\}|([A-Z]))")
_OVER_WORD = re.compile(r"\\(?:overline|bar|widehat|hat|widetilde|tilde)\s*\{\s*\\?([a-z]{2,})\s*\}")
_INDEXED = re.compile(r"(?<![A-Za-z\\])([a-z]_\{[^{}]*\w[+-]\w[^{}]*\})")
_MEANS = ("Var", "Cov", "E", "Pr", "P", "V")  # of what stands behind them
_BLACKBOARD = r"\\mathbb\s*(?:\{\s*[EPV]\s*\}|[EPV])|\\(?:Pr|E|EE|P|PP|det|tr)(?![A-Za-z])"
_SUPER = r"(?:[\^_](?:\{[^{}]*\}|\\?[A-Za-z]+|\d))*"
_BEFORE_BRACKET = rf"(?<![A-Za-z\\_])(?:[A-Z]|d_|\\[a-z]+(?=_\{{?[A-Z]))(?={_SUPER}\s*(?:\\left|\\[bB]igg?l?)?\s*[(\[])"
_OPERATOR = re.compile(
    rf"{_BLACKBOARD}|{_FONT}\s*\{{|{_BEFORE_BRACKET}|\\chi{_SUPER}\s*(?:\\left|\\[bB]igg?l?)?\s*\(|\\\||\\lVert"
)
_LETTER = re.compile(r"[a-z]")
_CAPITAL = re.compile(r"(?<![A-Za-z\\^])(?<!\^\{)([A-Z])(?![A-Za-z])")
_LAWS = "Lap Laplace Poi Poisson Exp Bin Geom".split()
_KNOWN = {*CALLED, *UPRIGHT, *_UNITS, *FUNCTIONS, *BERNOULLI, *OF_LAWS, *_MEANS, *_LAWS}


@dataclass(frozen=True)
class _Operand:
    """What stands between two signs of comparison, or at the end of a chain."""

    begin: int
    end: int
    before: str
    after: str

    @property
    def equated(self) -> bool:
        """Whether it is printed equal to something."""
        return self.before in _EQUAL or self.after in _EQUAL


def _closing(text: str, at: int) -> int:
    """Where the braces end that begin before this place."""
    depth = 1
    for m in re.compile(r"\\.|[{}]").finditer(text, at):
        depth += {"{": 1, "}": -1}.get(m[0], 0)
        if not depth:
            return m.end()
    return len(text)


def _is_phrase(words: str) -> bool:
    """Whether words in a formula stand between formulas, and are no name in upright letters."""
    try:
        return not re.fullmatch(r"\\?[A-Za-z]+\d?", words) or len(words) > 1 and word_at(words, 0) is not None
    except Unread:
        return True


def _signs(text: str) -> Iterator[tuple[int, int, str]]:
    """The signs of comparison outside of brackets, and "" for what ends a chain: begin, end and sign."""
    depth = at = 0
    while m := _TOKEN.match(text, at):
        begin, at, sign = at, m.end(), m[0]
        if _TEXT.fullmatch(sign):
            at = _closing(text, at)
            if not depth and _is_phrase(text[m.end() : at - 1].strip()):
                yield begin, at, ""
        elif sign in _OPENS or sign in _CLOSES:
            depth = max(0, depth + (1 if sign in _OPENS else -1))
        elif not depth and (sign in _SIGNS or _SIGN.fullmatch(sign)):
            yield begin, at, sign
        elif not depth and _ENDS.fullmatch(sign):
            yield begin, at, ""
    yield len(text), len(text), ""


def _operands(text: str) -> list[_Operand]:
    """All operands of comparisons, and what else stands between the ends of chains."""
    found, begin, before = [], 0, ""
    for start, end, sign in _signs(text):
        if text[begin:start].strip():
            found.append(_Operand(begin, start, before, sign))
        begin, before = end, sign
    return found


def _symbols(formula: str) -> set[str]:
    """The letters and words of a formula that mean something only if the text says what."""
    found = {w for w in _WORD.findall(formula) if w not in _KNOWN}
    found |= {a or b for a, b in _SCRIPT.findall(formula)} - {"N", "U"}  # of laws
    found |= {*_OVER_WORD.findall(formula), *_INDEXED.findall(formula)}
    if _OPERATOR.search(formula):
        found |= {*_CAPITAL.findall(_without_operators(formula))} - {"I"}  # the matrix
    return found


def _without_operators(formula: str) -> str:
    """The formula without its commands, words and the letters before brackets."""
    for sign in (_BLACKBOARD, rf"{_FONT}\s*\{{[^{{}}]*\}}", _BEFORE_BRACKET, r"\\[A-Za-z]+"):
        formula = re.sub(sign, " ", formula)
    return formula


def _says(text: str, symbol: str) -> bool:
    """Whether a symbol stands in a text."""
    bare = re.sub(r"\\mathbb\s*\{?[A-Z]\}?", " ", text)
    return re.search(rf"(?<![A-Za-z\\]){re.escape(symbol)}(?![A-Za-z])", bare) is not None


def with_names(text: str, known: Iterable[str] = ()) -> tuple[str, dict[str, str]]:
    """The text with names for quantities that have no value and are printed equal to something; what each name is."""
    stems = {name.split("_")[0] for name in known}
    taken = [o for o in _operands(text) if o.equated]
    while True:
        rest = _without(text, taken)
        kept = [o for o in taken if any(not _says(rest, s) for s in _symbols(text[o.begin : o.end]) - stems)]
        if len(kept) == len(taken):
            break
        taken = kept
    names: dict[str, str] = {}
    for o, letter in reversed([*zip(taken, "ABCDEFGH", strict=False)]):
        formula = text[o.begin : o.end].strip(" &")
        of_variables = _LETTER.search(_without_operators(formula))
        name = (QUANTITY if of_variables else NUMBER).replace("[A-H]", letter)
        told = rf"\mathrm{{{name}}}".ljust(o.end - o.begin)
        text, names[name] = text[: o.begin] + told + text[o.end :], formula
    return text, names


def _without(text: str, operands: Iterable[_Operand]) -> str:
    """The text with spaces for operands."""
    for o in operands:
        text = text[: o.begin] + " " * (o.end - o.begin) + text[o.end :]
    return text


# Headings

_SPACE = re.compile(r"\\[,!;: ]|\\q?quad|\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])|[\s~&]")
_GENERAL = re.compile(
    rf"(?:{_FONT}\{{[A-Za-z]+\}}|\\chi|(?<![A-Za-z\\])[A-Z])(?:[\^_](?:\{{[^{{}}]*\}}|\w))*(?:\([^()]*\))?"
)
_THAT_IS = r"\\text\{\s*(?:i\.e\.|that is|namely),?\s*\}"
# What stands beside a general form: commas, "for Bernoulli laws:", and what a word of it is.
_BESIDE = re.compile(
    r"[,:]|\\q?quad|\\text\{\s*(?:(?:for|with|where)\s*|(?:for|of) (?:two )?(?:Bernoulli|two-point)"
    rf" (?:laws|distributions)\s*:\s*)\}}|{_THAT_IS}"
)
LONGEST = 200  # signs of a case, of which a form takes the third power
_TELLS = re.compile(rf"|[A-Z](?:_\w)?=(?:\d+|{_FONT}\{{[A-Za-z]+\}})")


def without_heading(text: str, known: Iterable[str] = ()) -> tuple[str, str]:
    r"""The text without the general form before a colon of which the rest is a case, and that form.

    `\mathrm{TV}\le\sqrt{\mathrm{KL}/2}:\ |p-q|\le\sqrt{\mathrm{kl}(p,q)/2}`: of laws, which have no value here, and of
    numbers.
    """
    parts = _parts(text)
    joints = (i for i, (*_, end) in enumerate(parts) if end.rstrip("} ").endswith(":") or re.fullmatch(_THAT_IS, end))
    colon = next(joints, -1)
    if not 0 <= colon < len(parts) - 1:
        return text, ""
    general, *asides = (_bare(text[b:e]) for b, e, _ in parts[: colon + 1])
    named = all(map(_TELLS.fullmatch, asides)) and all(_BESIDE.fullmatch(end) for _, _, end in parts[: colon + 1])
    begin, end, _ = parts[colon + 1]
    stems = {name.split("_")[0] for name in known}
    explained = any(s in stems or _says(text[begin:], s) for s in _general_symbols(general))
    if explained or not named or not _is_case(general, _bare(text[begin:end])):
        return text, ""
    return " " * begin + text[begin:], text[: parts[colon][1]].strip()


def _general_symbols(general: str) -> set[str]:
    """The letters and words that a general form speaks of."""
    words = {w for w in _WORD.findall(general) if w not in CALLED}
    return words | {*_CAPITAL.findall(_WORD.sub("", general))} | {*re.findall(r"\\chi", general)}


def _parts(text: str) -> list[tuple[int, int, str]]:
    """What stands between the ends of chains: begin, end, and what ends it."""
    found, begin = [], 0
    for start, end, sign in _signs(text):
        if not sign and (text[begin:start].strip() or not re.fullmatch(r",|\\q?quad", text[start:end])):
            found.append((begin, start, text[start:end]))
        begin = begin if sign else end
    return found


def _bare(formula: str) -> str:
    """A formula without spaces and sizes of brackets."""
    return re.sub(r"\\[td]frac", r"\\frac", _SPACE.sub("", formula))


def _is_case(general: str, case: str) -> bool:
    """Whether a formula is another one with numbers in place of its words, of which there are three at most."""
    words = list(dict.fromkeys(m[0] for m in _GENERAL.finditer(general)))
    if not 0 < len(words) < 4 or len(case) > LONGEST:
        return False
    literal = re.sub(r"\\[lg]eq?(?![a-z])|[<>=]", "", _GENERAL.sub("", general))
    form, seen, at = "", set[str](), 0
    for m in _GENERAL.finditer(general):
        group = f"w{words.index(m[0])}"
        form += re.escape(general[at : m.start()]) + (f"(?P={group})" if group in seen else f"(?P<{group}>.+)")
        at, _ = m.end(), seen.add(group)
    found = re.fullmatch(form + re.escape(general[at:]), case)
    tells = re.search(r"\w", literal) is not None or "kl}" in case
    return tells and found is not None and all(map(_is_balanced, found.groups()))


def _is_balanced(formula: str) -> bool:
    """Whether all brackets of a formula open and close in it."""
    depth = 0
    for sign in formula:
        depth += (sign in "{([") - (sign in "})]")
        if depth < 0:
            return False
    return not depth
