r"""The statements that a copy of a paper prints under a number: what a catalogue of it begins with.

From LaTeX they are its environments, with the numbers that its counters give; from a PDF or a text the headings at the
beginnings of lines ("Theorem 3.2 (Name).") and the numbers at their ends ("(17)", ``\tag{17}``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from banditproof.claims.report.printed.copies import Copy
from banditproof.claims.report.printed.latex_numbers import counted, numbers_of_aux

_SAME = ("theorem", "lemma", "proposition", "corollary", "definition", "algorithm", "remark", "assumption")
KINDS = {name: name for name in _SAME}
KINDS |= {"fact": "lemma", "claim": "lemma", "conjecture": "statement", "protocol": "algorithm"}
"""The word of a heading, and the kind of its item in a catalogue."""
LETTERS = {"theorem": "T", "lemma": "L", "proposition": "P", "corollary": "C", "definition": "D", "algorithm": "A"}
LETTERS |= {"remark": "R", "assumption": "AS", "equation": "EQ", "statement": "S"}
LONGEST = 6000  # characters of a statement whose end nothing shows


@dataclass(frozen=True)
class Printed:
    """A statement with a number, and where it stands.

    Attributes:
        kind: theorem, lemma, ..., algorithm or equation.
        word: what the paper calls it ("Claim"), and ``number`` its number; "(17)" is the equation 17.
        name: in brackets behind the number; empty where there is none.
        section: the number of the section it stands in; empty before the first.
        start, end: its characters in the text of the copy.
    """

    kind: str
    word: str
    number: str
    name: str
    section: str
    start: int
    end: int

    @property
    def called(self) -> str:
        """As the paper refers to it."""
        return f"({self.number})" if self.kind == "equation" else f"{self.word} {self.number}"

    @property
    def id(self) -> str:
        """The end of its id: 'T3.2'; of a number that is no word, what can be typed."""
        number = self.number.replace("'", "-prime").replace("*", "star")
        return LETTERS[self.kind] + re.sub(r"[^\w.-]+", "", number)


def printed_statements(copy: Copy) -> list[Printed]:
    """The numbered statements of a copy in their order, each number of a word once."""
    statements = _of_latex(copy.text, copy.preamble) if copy.path.suffix.lower() == ".tex" else _of_text(copy.text)
    once: dict[tuple[str, str], Printed] = {}
    for one in sorted(statements, key=lambda p: p.start):
        once.setdefault((one.word.lower(), one.number), one)
    return list(once.values())


# ----------------------------------------------------------------------------------------------------------------- text

_WORDS = "|".join(KINDS)
_NUMBER = r"(?:[A-Z]{0,2}\.?\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)+|[IVX]+)"
_NAME = r"\((?:[^()\n]|\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))*\)"
_HEADING = re.compile(
    rf"^[ \t]*(?:#+[ \t]*|\|[ \t]*)?(?P<marks>\*{{0,3}})(?P<word>{_WORDS})[ \t\u00a0~]+(?P<number>{_NUMBER})(?![\w.]\w)"
    rf"\*{{0,3}}[ \t]*(?:(?P<stop>[.:](?=[*\s])|$)|(?P<name>{_NAME}|\(.*\)(?=\.?[ \t]*$)))?"
    r"(?P<rest>[^\n]*)",
    re.MULTILINE | re.IGNORECASE,
)
_SECTION = re.compile(
    r"^[ \t]*(?:#+[ \t]*)?\*{0,2}(?:(?:section|appendix|chapter)[ \t]+)?(?P<number>\d+(?:\.\d+)*|[A-Z](?:\.\d+)*)\.?"
    r"\*{0,2}[ \t]+\*{0,2}(?P<title>[A-Z][^\n=<>|$\\]{2,80})$",
    re.MULTILINE,
)
_NUMBERED = re.compile(
    rf"\\tag\*?\{{(?P<tag>{_NUMBER})\}}|(?<=[ \t]{{3}})\((?P<number>{_NUMBER})\)[ \t]*$"
    rf"|^[ \t]*\((?P<alone>\d+(?:\.\d+)*)\)[ \t]*$"
    rf"|(?<=[ \t])\((?P<inside>{_NUMBER})\)[ \t]*(?:\$\$|\\\])[ \t]*$"
    r"|(?<=[ \t])\((?P<next>\d+)\)[ \t]*$",
    re.MULTILINE,
)
_RELATION = re.compile(r"[=<>≤≥∼≜≡≈]|\\[a-z]")
_BREAK = re.compile(r"\n[ \t]*\*{0,3}Proofs?\b[^\n]*|\n[ \t]*#+[ \t]|\n[ \t]*\n[ \t]*\n", re.IGNORECASE)


def _of_text(text: str) -> Iterator[Printed]:
    sections = [(m.start(), m["number"]) for m in _in_order(_SECTION.finditer(text))]
    headings = [m for m in _HEADING.finditer(text) if _heads(text, m)]
    starts = sorted([m.start() for m in headings] + [start for start, _ in sections])
    for heading in headings:
        after = next((s for s in starts if s > heading.start()), len(text))
        broken = _BREAK.search(text, heading.end(), after)
        end = min(after, broken.start() if broken else after, heading.start() + LONGEST)
        if heading["word"].lower() in ("algorithm", "protocol"):
            end = min(after, heading.start() + LONGEST)
        name = (heading["name"] or "")[1:-1]
        if not name and heading["word"].lower() in ("algorithm", "protocol"):
            name = heading["rest"].strip(" \t.*|")
        yield _printed(heading["word"], heading["number"], name, _at(sections, heading.start()), heading.start(), end)
    last = 0  # after one blank a number is that of an equation where it is the next one, behind a relation
    for equation in _NUMBERED.finditer(text):
        number = equation["tag"] or equation["number"] or equation["alone"] or equation["inside"] or equation["next"]
        if equation["next"]:
            line = text[text.rfind("\n", 0, equation.start()) + 1 : equation.start()]
            if not last < int(number) <= last + 3 or not _RELATION.search(line):
                continue
        last = int(number) if number.isdigit() else last
        start = text.rfind("\n\n", max(0, equation.start() - LONGEST), equation.start()) + 2
        yield _printed("equation", number, "", _at(sections, equation.start()), max(start, 0), equation.end())


def _heads(text: str, match: re.Match[str]) -> bool:
    """Whether this begins a statement, and is no reference that happens to begin a line."""
    stop, rest = match["stop"], match["rest"].strip(" \t.*|")
    before = text[text.rfind("\n", 0, max(0, match.start() - 1)) + 1 : max(0, match.start() - 1)].strip()
    if not match["word"][0].isupper():
        return False
    marked = bool(match["marks"]) or "#" in match[0][: match.start("word") - match.start()]
    if KINDS[match["word"].lower()] == "algorithm" and rest and stop is None:  # its name stands behind the number
        return marked or not rest[0].islower() and not match["rest"].rstrip().endswith((".", ",", ":"))
    if not rest and (stop or match["name"]) or marked and (stop is not None or match["name"]) or stop == ":":
        return True
    return (stop is not None or match["name"] is not None) and (not before or bool(stop) and before[-1] in ".:;)*|$}")


def _in_order(headings: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Headings of sections whose numbers rise: others are lines of a table, of a list or of a formula."""
    last: tuple[int, ...] = ()
    for one in headings:
        parts = one["number"].split(".")
        place = tuple(int(p) if p.isdigit() else 100 + ord(p) for p in parts)
        first_letter_in_order = place[0] < 100 or last and place[0] - max(last[0], 164) <= 1
        if place > last and (not last or place[0] - last[0] <= 1 or place[0] == 165) and first_letter_in_order:
            last = place
            yield one


def _at(sections: list[tuple[int, str]], start: int) -> str:
    return next((number for place, number in reversed(sections) if place <= start), "")


def _printed(word: str, number: str, name: str, section: str, start: int, end: int) -> Printed:
    kind = KINDS.get(word.lower(), word.lower())
    return Printed(kind, word.capitalize(), number, name, section, start, end)


# ---------------------------------------------------------------------------------------------------------------- LaTeX

_MAY_BE_OF_A_CLASS = {name: name.capitalize() for name, kind in KINDS.items() if kind != "algorithm"}


def _of_latex(text: str, preamble: str) -> Iterator[Printed]:
    """Theorems and their like, algorithms and displays, as LaTeX numbers them."""
    for one in counted(text, preamble, _MAY_BE_OF_A_CLASS).items:
        said = [word for word in one.word.lower().split() if word in KINDS]
        kind = one.word if one.word == "equation" else KINDS[said[-1]] if said else "statement"
        yield Printed(kind, one.word.capitalize(), one.number, one.name, one.section, one.start, one.end)


def unlike_the_aux(copy: Copy) -> list[str]:
    """The labels whose numbers are others in the `.aux` file beside a LaTeX source, each in a line."""
    told = numbers_of_aux(copy.path.with_suffix(".aux"))
    ours = counted(copy.text, copy.preamble, _MAY_BE_OF_A_CLASS).labels
    return [
        f"{label} is {told[label]} there and {ours[label]} here"
        for label in ours
        if label in told and told[label] != ours[label]
    ]
