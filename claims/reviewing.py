r"""A review of somebody's paper as one statement file that a person completes: each sentence with its reading.

    ## L3-2
    Lemma 3, line 120: Then $\log(1+x)\le x$ for all $x>-1$.

        log(1 + x) <= x for x in (-1, inf)

A block that begins with "?" is a draft that nothing judges: its ranges are a guess, or nothing could be read. Whoever
has compared a block with its sentence adds "· compared" to its heading, and the page then shows its verdict at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from banditproof.claims.paragraphs import paragraphs_in
from banditproof.claims.report.printed.copies import read_copy, read_text
from banditproof.claims.report.printed.formulas import Sentence, formulas_of, sentences
from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.reading import read
from banditproof.verify.judge.sentence import Unread

DRAFT = "?"
COMPARED = "compared"
GUESS = "(0, inf)"
GUESSES = 12  # letters of one formula whose ranges are guessed
_NUMBERED = re.compile(r"\\q*quad\s*\(\w+(?:\.\w+)*\)\s*$")
_CONDITION = re.compile(r"[\w']+ (?:[<>]=?|!?=) -?[\w'./]+(?: (?:for|when) .*)?")
ABOUT = """\
# Review of @paper@

Every block below its sentence is judged. A block that begins with ? is a draft: write the formula with its ranges and
take the ? away, or delete the paragraph. Add '· compared' to a heading when its block says what the sentence says.
"""


@dataclass(frozen=True)
class Reviewed:
    """A paragraph of a review: its sentence with the place, what is judged, and what was left out or guessed."""

    id: str
    printed: str
    block: str
    notes: str
    compared: bool

    @property
    def is_draft(self) -> bool:
        """Whether somebody has to write it first."""
        return self.block.startswith(DRAFT)


def draft_review(paper: Path, target: Path) -> list[Reviewed]:
    """Write the statement file for a paper; what it holds.

    Raises:
        InvalidInput: a copy that cannot be read or has no sentence with a relation, or a target that exists.
    """
    rows = []
    for one in sentences(read_copy(paper)):
        block, notes = _drafted(one)
        if block and (block != DRAFT or one.before is not None):
            rows.append(Reviewed(one.id, f"{one.place}: {one.text}", block, notes, False))
    if not rows:
        raise InvalidInput("paper", str(paper), "a text with relations in formulas, as LaTeX and Markdown have them")
    return _written(target, paper, rows)


def draft_remarks(remarks: Path, target: Path) -> list[Reviewed]:
    """Write the statement file for remarks of a person or of a tool: JSON, a list or a line each.

    A remark has the printed `quote`, the `formula` in question and `remark`, what is said to be wrong; `id` and `where`
    may be left out.

    Raises:
        InvalidInput: for a file that holds something else, or a target that exists.
    """
    text = read_text(remarks)
    try:
        given = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{remarks.name}, line {error.lineno}", error.msg, "remarks in JSON") from None
    rows = []
    for number, one in enumerate(given, start=1):
        if not isinstance(one, dict) or not all(isinstance(one.get(name), str) for name in ("quote", "remark")):
            raise InvalidInput(f"remark {number}", str(one)[:60], "an object with the texts `quote` and `remark`")
        if not isinstance(where := one.get("where") or {}, dict):
            raise InvalidInput(f"where of remark {number}", str(where)[:60], 'an object such as {"x": "[0, 1]"}')
        name = re.sub(r"[^\w.-]+", "-", str(one.get("id", f"remark-{number}")))
        formula = _line(str(one.get("formula", "")))
        ranges = ", ".join(f"{letter} in {values}" for letter, values in where.items())
        block = f"{formula} for {ranges}" if ranges else formula or DRAFT
        rows.append(Reviewed(name, _line(one["quote"]), block, f"The remark: {_line(one['remark'])}", False))
    if not rows:
        raise InvalidInput("remarks", str(remarks), "at least one remark")
    return _written(target, remarks, rows)


def _line(text: str) -> str:
    return " ".join(text.split())


def _written(target: Path, source: Path, rows: Sequence[Reviewed]) -> list[Reviewed]:
    """The rows as a statement file, which is read again."""
    if target.exists():
        raise InvalidInput("folder", str(target), "a folder without statements yet")
    parts = [ABOUT.replace("@paper@", source.name)]
    for row in rows:
        notes = f"\n{row.notes}\n" if row.notes else ""
        parts.append(f"## {row.id}\n{row.printed}\n\n    {row.block}\n{notes}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(parts), encoding="utf-8")
    return reviewed(target)


def reviewed(path: Path) -> list[Reviewed]:
    """The paragraphs of a review. Raises InvalidInput, with the line at fault."""
    found: dict[str, Reviewed] = {}
    for one in paragraphs_in(path)[1]:
        if one.id in found:
            one.refuse(one.line, "id", one.id, "an id that no other paragraph has")
        block = " ".join(text for _, text in one.block)
        found[one.id] = Reviewed(one.id, one.said.strip(), block, one.notes, COMPARED in one.marks)
    return list(found.values())


def _drafted(sentence: Sentence) -> tuple[str, str]:
    """The first reading of a sentence as a block, with what has to be known of it; '' where it only limits letters."""
    why = ""
    for text, form, note in _tries(sentence):
        try:
            said = read(text, None, form).said
        except Unread as error:
            why = why or str(error).splitlines()[0]
            continue
        if not _CONDITION.fullmatch(said):
            return said, note
    formulas = [_NUMBERED.sub("", formula).rstrip(" .,;") for formula in formulas_of(sentence.text)]
    guesses = [guessed for formula in formulas if (guessed := _guessed(formula))]
    for said, letters in guesses:
        if not _CONDITION.fullmatch(said):
            return f"{DRAFT} {said}", f"The ranges of {', '.join(letters)} are guesses."
    if formulas and len(guesses) == len(formulas):
        return "", ""
    return DRAFT, f"Not read: {why}."


def _tries(one: Sentence) -> Iterator[tuple[str, str, str]]:
    """Texts with the form in which they are read, the most literal first, and what is then left out."""
    texts = [one.text, *([f"{one.before} {one.text}"] if one.before else [])]
    yield from ((text, "latex", "") for text in texts)
    yield from ((text, "formula", "The words around the formula are left out.") for text in texts)


def _guessed(formula: str) -> tuple[str, Sequence[str]] | None:
    """A formula as it reads alone, with a guess for each letter without a range."""
    where: dict[str, str] = {}
    for _ in range(GUESSES):
        try:
            return read(formula, where, "latex").said, list(where)
        except Unread as error:
            if "has no range" not in str(error) or error.token in where:
                return None
            where[error.token] = GUESS
    return None
