r"""The words of prose in a text, nearly the same in a PDF, its LaTeX source and a dump of its HTML.

Formulas, digits, citations and references are left out, since every form of a text writes them differently; so are
words of less than three letters and names with capitals inside (DP-UCB, AdaP). What is left is in small letters without
accents, and words are whole that a line end had cut.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """A word in its normal form, and where it stands in the text."""

    form: str
    start: int
    end: int


# Names of functions, joints of lists, references: their presence depends on the form of the text.
LEFT_OUT = frozenset(
    """log exp min max sup inf arg argmin argmax lim det var cov tan sin cos sgn sign diag span supp poly polylog lap
    reg ber bern unif and iff divide squareroot over
    theorem theorems lemma lemmas corollary corollaries proposition propositions definition definitions assumption
    assumptions algorithm algorithms section sections appendix appendices chapter chapters figure figures table tables
    equation equations remark remarks example examples fact facts claim claims eqn eqs eqref thm thms prop lem cor def
    sec app fig figs alg algs ref refs line lines page pages item items footnote proof""".split()
)

_LETTERS = r"[^\W\d_]"
_CUT = r"(?:[-\u2010\u2011]|\u00ad)[ \t]*\n\s*"  # a hyphen at the end of a line
_WORD = re.compile(
    rf"{_LETTERS}+(?:(?:{_CUT}|[-\u2010\u2011\u00ad]|[´`¨ˆ˜˘ˇ'’\u0300-\u036f](?={_LETTERS})){_LETTERS}+)*"
)
_MATHEMATICS = "\U0001d400-\U0001d7ff"
_FORMULA_BEFORE = re.compile(r"[\d_^\\{=<>/|$@]$")
_FORMULA_BEHIND = re.compile(r"[\d_^\\={(<>/|@]|\.[A-Za-z]")

MATHS = "equation|align|gather|multline|eqnarray|math|displaymath|flalign|alignat|dmath"
FORMULA = re.compile(
    rf"\\begin\{{(?P<name>(?:{MATHS})\*?)\}}.*?\\end\{{(?P=name)\}}|\\\[.*?\\\]|\\\(.*?\\\)"
    r"|(?<!\\)\$\$(?:[^$\\]|\\.)+?(?<!\\)\$\$|(?<!\\)\$(?:[^$\\\n]|\\.|\n(?!\s*\n))+?(?<!\\)\$",
    re.DOTALL,
)
_SPOKEN = re.compile(r"\\(?:text|mbox|textrm|intertext|textit|hbox)\s*\{([^{}$\\]*)\}")
_SILENT = re.compile(  # commands whose arguments are not printed as they stand
    r"\\(?:cite\w*|[a-zA-Z]*[cC]ite[a-z]*|ref|[a-zA-Z]*ref|label|tag|input|include|includegraphics|usepackage|"
    r"documentclass|bibliography\w*|[vh]space|[vh]skip|url|pagestyle|thispagestyle|setcounter|addtocounter|color|"
    r"textcolor|definecolor|setlength|bibitem|hypersetup|newtheorem|theoremstyle|vskip|index|begin|end)\*?"
    r"(?:\s*\[[^\]\n]*\])*(?:\s*\{[^{}]*\})"
)
_OPTIONS = re.compile(r"(?<=\})\s*\[(?:[htbpH!]+|[^\]\n]*=[^\]\n]*)\]")
_COMMAND = re.compile(r"\\(?:[A-Za-z@]+\*?|.)", re.DOTALL)

_YEAR = r"(?:19|20)\d\d[a-z]?"
_NAME = rf"[A-Z\u00c0-\u00de](?:{_LETTERS}|[-'’´])+"
_CITATION = re.compile(
    rf"\([^()]*?\b{_YEAR}\b[^()]*\)|\[[^\[\]]*?\b{_YEAR}\b[^\[\]]*\]|\[\s*\d[\d,;\s–-]*\]"
    rf"|\b{_NAME}(?:(?:,? and | & |, ){_NAME})*(?: et al\.?,?)?\s*(?:\((?=[^()]*{_YEAR})[^()]*\)|\[\d[\d,;\s–-]*\])"
)

DUMPED = ("italic_", "POSTSUBSCRIPT")
_DUMP_FORMULA = re.compile(rf"\S*(?:[\\_{{}}^{_MATHEMATICS}]|start_|end_|divide|square-root)\S*")
_BEHIND_FORMULA = re.compile(rf"(?:.*[\\_{{}}^{_MATHEMATICS}].*?)(?=-[A-Za-z]{{3,}}[^\\_{{}}^]*$)")


def words(text: str) -> list[Word]:
    """The words of prose of a text in their order.

    >>> [word.form for word in words("The log-concave ($x$-)dis-\\ntribution of Rényi's [3] is T-bounded.")]
    ['the', 'logconcave', 'distribution', 'bounded']
    """
    bare = prose(text)
    return [Word(form, m.start(), m.end()) for m in _WORD.finditer(bare) for form in _normal(m, bare)]


def prose(text: str) -> str:
    """The text with blanks in place of formulas, commands and citations: every character stays where it is."""
    if all(sign in text for sign in DUMPED):
        text = _without_dumped_formulas(text)
    if "$" in text or "\\" in text:
        text = _without_latex(text)
    return _CITATION.sub(_blank, text)


def _normal(match: re.Match[str], text: str) -> Iterator[str]:
    """The normal form of a word, nothing where it is left out."""
    start, end = match.span()
    if _FORMULA_BEFORE.search(text[max(0, start - 1) : start]) or _FORMULA_BEHIND.match(text, end):
        return
    parts = [_plain(part) for part in re.split(rf"{_CUT}|[-\u2010\u2011]", match[0])]
    parts = [part for part in parts if len(part) > 1 and part.isascii()]
    if any(part[1:] != part[1:].lower() for part in parts):
        return
    form = "".join(parts).lower()
    if len(form) > 2 and form not in LEFT_OUT:
        yield form


def _plain(part: str) -> str:
    """A part of a word without accents and ligatures."""
    if part.isascii() and part.isalpha():
        return part
    whole = unicodedata.normalize("NFKD", part)
    return "".join(sign for sign in whole if sign.isalpha())


def _without_dumped_formulas(text: str) -> str:
    """Without the formulas of an HTML dump, which stand there several times over; '-private' behind one is a word."""

    def token(match: re.Match[str]) -> str:
        behind = _BEHIND_FORMULA.match(match[0])
        kept = match[0][behind.end() :] if behind else ""
        return " " * (len(match[0]) - len(kept)) + kept

    text = _SPOKEN.sub(_blank, text)
    return _DUMP_FORMULA.sub(token, text)


def _without_latex(text: str) -> str:
    """Without formulas, whose words stay (`\\text{otherwise}`), and commands, whose arguments stay if printed."""

    def formula(match: re.Match[str]) -> str:
        kept = _blank(match)
        for said in _SPOKEN.finditer(match[0]):
            if _is_said(said):
                kept = kept[: said.start(1)] + said[1] + kept[said.end(1) :]
        return kept

    text = FORMULA.sub(formula, text)
    text = _SILENT.sub(_blank, text)
    text = _OPTIONS.sub(_blank, text)
    text = _COMMAND.sub(_blank, text)
    return re.sub(r"[{}~]", " ", text)


def _is_said(text: re.Match[str]) -> bool:
    """Whether a text in a formula is prose and not a name, as 'Ham', and 'opt' in a subscript, are."""
    said = text[1].strip()
    name = re.search(r"[_^]\s*\{?\s*$", text.string[: text.start()]) or re.match(r"\s*[(_^]", text.string[text.end() :])
    return bool(re.match(r"[^A-Za-z]*[a-z]", said)) and (" " in said or not name)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
