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
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from banditproof.claims.paragraphs import Paragraph, paragraphs_in
from banditproof.claims.report.printed.copies import read_copy, read_text
from banditproof.claims.report.printed.dumps import undumped
from banditproof.claims.report.printed.formulas import Sentence, formulas_of, links_of, sentences
from banditproof.claims.report.printed.letters import EXAMPLE, Guessed, Letters, said_once
from banditproof.theory.errors import InvalidInput, close_to, known_fields
from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.readers import read

OF_A_REMARK = ("id", "quote", "formula", "where", "remark")
DRAFT = "?"
COMPARED = "compared"
DRAFTED, BEFORE = "drafted.md", "statements-before.md"
"""Beside the statement file: what was drafted when the source was last read, and the file before it was read again."""
_PLACE = re.compile(r"^[^:]{0,80}\b(?:line|page) \d+: ")
_NUMBERED = re.compile(r"\\q*quad\s*\(\w+(?:\.\w+)*\)\s*$")
_CONDITION = re.compile(r"-?[\w'./]+(?: (?:[<>]=?|!?=) -?[\w'./]+)+(?: (?:for|when) .*)?")
_LETTER_FIRST = re.compile(r"[a-zA-Z][\w']* [<>]?=")
_SAME = re.compile(r"([^<>=]+?) [<>]?= ([^<>=]+?)(?: (?:for|when) .*)?")
_BARE = re.compile(r"(?:abs\()?([a-zA-Z][\w']*)\)? [<>]?= ([^=<>]*?)(?: (?:for|when) .*)?")
_POWERS = re.compile(
    r"[\w']+\^(\([^()]*\)|\w+) = [\w']+\^\1(?: (?:for|when) .*)?"
)  # of sequences: r^(j - 1) = r'^(j - 1)
ABOUT_WHAT = "Write what 'about' means: a limit such as f(n) ~ g(n) as n -> inf, or how large the difference may be."
ABOUT = """\
# Review of @paper@

Every block below its sentence is judged. A block that begins with ? is a draft: write the formula with its ranges and
take the ? away, or delete the paragraph. Add '· compared' to a heading when its block says what the sentence says.
An indented line above the first heading says what a letter is in the whole paper, such as $T\\ge1$ or $g(x)=x/2$. Run
the command again then: it drafts anew what you have not edited.
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

    @property
    def drafted(self) -> tuple[str, str]:
        """Its sentence, wherever that is printed, and its block."""
        return _PLACE.sub("", self.printed), self.block


def begun(source: Path, target: Path) -> list[Reviewed]:
    """Write the statement file for a paper or for remarks, and beside it the same as it was drafted; what it holds.

    Raises InvalidInput for a source that cannot be read or has nothing to review, and for a target that exists.
    """
    if target.exists():
        raise InvalidInput("folder", str(target), "a folder without statements yet")
    text = _text(source, drafts_of(source))
    target.parent.mkdir(parents=True, exist_ok=True)
    for path in (target, target.with_name(DRAFTED)):
        path.write_text(text, encoding="utf-8")
    return reviewed(target)


def renewed(source: Path, target: Path) -> str:
    """Read again what changed in the source since its sentences were drafted; what that is, '' where nothing did.

    A sentence that stands there as before, with the same draft, keeps its paragraph under its new id, and so does what
    somebody added. The statement file as it was is kept beside the new one.

    Raises InvalidInput for another source than the one that was drafted.
    """
    drafted, (head, said) = target.with_name(DRAFTED), _head(target)
    rows = drafts_of(source, said)
    if not drafted.exists():
        return f"{target} does not say what {source.name} was when it was drafted: changes since are not read"
    text, old = _text(source, rows), drafted.read_text(encoding="utf-8")
    if text == old:
        return ""
    if not old.startswith(text.split("\n", 1)[0] + "\n"):
        raise InvalidInput("paper", str(source), f"that of this review: {old.splitlines()[0].lstrip('# ')}")
    held, known = {one.id: one for one in paragraphs_in(target)[1]}, defaultdict[tuple[str, str], list[str]](list)
    before, now = {one.id: one for one in reviewed(drafted)}, {one.id: one for one in reviewed(target)}
    mine = {name for name in before if name not in now or now[name].block != before[name].block or now[name].compared}
    for one in before.values():
        known[one.drafted].append(one.id)
    parts, fresh, sentences = [head], [], {row.drafted[0] for row in rows}
    for row in rows:
        own = before.get(row.id)
        if own is not None and row.id in mine and row.id in known[own.drafted] and own.drafted[0] == row.drafted[0]:
            known[own.drafted].remove(former := row.id)  # whatever its draft would be now
        elif not known[row.drafted]:
            fresh.append(row.id)
            parts.append(_paragraph(row))
            continue
        else:
            former = known[row.drafted].pop(0)
        parts += [_moved(held[former], row)] if former in held else []  # else somebody has deleted it
    gone = {name for names in known.values() for name in names}
    printed = {name for name in gone if before[name].drafted[0] in sentences}
    for name, added in held.items():
        if name not in before and any(name == row.id for row in rows):
            raise InvalidInput("id", name, f"another one, since {source.name} has a sentence under it now")
        if name not in before or name in printed & mine:
            parts.append(f"{added.text}\n")
    target.replace(target.with_name(BEFORE))
    target.write_text("\n".join(parts), encoding="utf-8")
    drafted.write_text(text, encoding="utf-8")
    what = "what is said of letters" if sentences == {one.drafted[0] for one in before.values()} else source.name
    told = f"read again: {', '.join(fresh) or 'nothing'}; no longer printed: {len(gone - printed)}"
    return f"{what} has changed; {told}; the file as it was: {target.with_name(BEFORE)}"


def _moved(one: Paragraph, row: Reviewed) -> str:
    """A paragraph with the id and the place that its sentence has now."""
    heading, *lines = one.text.splitlines()
    below = lines[one.block[0][0] - one.line - 1 :]
    return "\n".join([heading.replace(one.id, row.id, 1), row.printed, "", *below, ""])


def _head(target: Path) -> tuple[str, Letters]:
    """What stands above the first paragraph of a review, and what it says of letters. Raises InvalidInput."""
    head = re.split(r"^## ", text := target.read_text(encoding="utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    said = Letters()
    for number, line in enumerate(text[: len(head)].splitlines(), start=1):
        if line.startswith("    ") and line.strip():
            one = Letters()
            one.learn(f"Let {line.strip()}.")
            if one.is_empty:
                allowed = r"a formula that says what a letter is: $T\ge1$, $x\in[0,1]$ or $g(x)=x/2$"
                raise InvalidInput(f"{target}, line {number}: letter", line.strip(), allowed)
            said.learn(f"Let {line.strip()}.")
    return head, said


def drafts_of(source: Path, said: Letters | None = None) -> list[Reviewed]:
    """The sentences of a paper, or the remarks of a file of JSON, each with its draft.

    `said` is what a person has said of the letters of the paper.
    """
    return _of_remarks(source) if source.suffix.lower() in (".json", ".jsonl") else _of_paper(source, said)


def _of_paper(paper: Path, said: Letters | None) -> list[Reviewed]:
    """Raises InvalidInput for a copy that cannot be read or has no sentence with a relation."""
    found = list(sentences(undumped(read_copy(paper, "paper"))))
    rows = _rows(found, said) or _rows(found, said, every=True)
    if not rows:
        cure = "type the sentences that you doubt into a .md file, with their formulas between dollars, and review that"
        raise InvalidInput("paper", str(paper), rf"a text with a comparison such as $x\le1$ ({cure})")
    return rows


def _rows(found: Sequence[Sentence], said: Letters | None, every: bool = False) -> list[Reviewed]:
    """The sentences that are read or drafted, and those that a person has to write; or every one of them."""
    rows = list[Reviewed]()
    letters = Letters(said=said, elsewhere=said_once(f"{one.skipped} {one.text}" for one in found))
    for one in found:
        if one.begins:
            letters.values.clear()
        letters.learn(f"{one.skipped} {one.text}")
        for number, (block, notes) in enumerate(_blocks(one, letters, every), start=1):
            name = one.id if number == 1 else f"{one.id}.{number}"
            rows.append(Reviewed(name, f"{one.place}: {one.text}", block, notes, False))
    return rows


def _of_remarks(remarks: Path) -> list[Reviewed]:
    """Remarks of a person or of a tool: JSON, a list or a line each. Raises InvalidInput for something else.

    A remark has the printed `quote`, the `formula` in question and `remark`, what is said to be wrong; `id` and `where`
    may be left out. Other fields are told and not read, unless one of these seems to be meant.
    """
    text = read_text(remarks)
    try:
        given = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
    except json.JSONDecodeError as error:
        line = error.doc.splitlines()[error.lineno - 1] if error.doc.strip() else ""
        number = text.splitlines().index(line) + 1 if line else error.lineno  # each line is read alone
        listed = text.lstrip().startswith("[")
        allowed = f"remarks in JSON ({error.msg})" if listed else one_object(error, line)
        raise InvalidInput(f"{remarks.name}, line {number}", line[:60], allowed) from None
    except RecursionError:
        raise InvalidInput("paper", str(remarks), "remarks in JSON, which is not nested so deep") from None
    if len(given) == 1 and isinstance(given[0], dict) and any(isinstance(held, list) for held in given[0].values()):
        raise InvalidInput("remarks", f"an object with {', '.join(given[0])}", "a list of remarks, or a line for each")
    rows, others = list[Reviewed](), set[str]()
    for number, one in enumerate(given, start=1):
        typed = one if isinstance(one, dict) else {}
        others |= (free := {name for name in typed if name not in OF_A_REMARK and not close_to(name, OF_A_REMARK)})
        known_fields(f"remark {number}", (name for name in typed if name not in free), OF_A_REMARK)
        if not all(isinstance(typed.get(name), str) for name in ("quote", "remark")):
            raise InvalidInput(f"remark {number}", str(one)[:60], "an object with the texts `quote` and `remark`")
        if not isinstance(where := one.get("where") or {}, dict):
            raise InvalidInput(f"where of remark {number}", str(where)[:60], 'an object such as {"x": "[0, 1]"}')
        name = re.sub(r"[^\w.-]+", "-", str(one.get("id") or f"remark-{number}"))
        if any(row.id == name for row in rows):
            raise InvalidInput(f"id of remark {number}", name, "an id that no other remark has")
        formula = _line(str(one.get("formula", "")))
        ranges = ", ".join(_ranged(letter, str(values)) for letter, values in where.items())
        block = f"{formula} for {ranges}" if ranges else formula
        unread = _unread(block) if block else "it names no formula"
        notes = f"{f'Not read: {unread}. ' if unread else ''}The remark: {_line(one['remark'])}"
        rows.append(Reviewed(name, _line(one["quote"]), f"{DRAFT} {block}".strip() if unread else block, notes, False))
    if not rows:
        raise InvalidInput("remarks", str(remarks), "at least one remark")
    if others:
        cure = "" if all(row.block != DRAFT for row in rows) else " (what is to be judged is called formula)"
        warnings.warn(f"{remarks.name}: fields that are not read: {', '.join(sorted(others))}{cure}", stacklevel=2)
    return rows


def one_object(error: json.JSONDecodeError, line: str) -> str:
    """What a line has to be that is no JSON, with what to write in place of it."""
    if error.msg.startswith("Invalid \\escape"):
        return r"one JSON object, in which a backslash is doubled: \\log for \log"
    if line.strip().startswith("{") and error.pos >= len(line.rstrip()):
        return "one JSON object, all of it in this line"
    if re.search(r",\s*}\s*$", line):
        return "one JSON object, without a comma before its end"
    return f"one JSON object ({error.msg} at letter {error.colno})"


def _unread(block: str) -> str:
    """Why a block is not read; "" where it is."""
    try:
        read(block)
    except Unread as error:
        return str(error).splitlines()[0].rstrip(".")
    return ""


def _ranged(letter: str, values: str) -> str:
    """A letter with its range, as `judge` has it in a sentence: 'integer n >= 1' for 'integer >= 1'."""
    kind, ends = ("integer ", values[7:].strip()) if values.startswith("integer") else ("", values.strip())
    return f"{kind}{letter} {ends}" if ends.startswith((">", "<", "in ")) else f"{kind}{letter} in {ends}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _text(source: Path, rows: Sequence[Reviewed]) -> str:
    """The rows as a statement file."""
    return "\n".join([ABOUT.replace("@paper@", source.name), *map(_paragraph, rows)])


def _paragraph(row: Reviewed) -> str:
    notes = f"\n{row.notes}\n" if row.notes else ""
    return f"## {row.id}\n{row.printed}\n\n    {row.block}\n{notes}"


def reviewed(path: Path) -> list[Reviewed]:
    """The paragraphs of a review. Raises InvalidInput, with the line at fault."""
    found: dict[str, Reviewed] = {}
    for one in paragraphs_in(path)[1]:
        if one.id in found:
            one.refuse(one.line, "id", one.id, "an id that no other paragraph has")
        if one.id.endswith(f" {COMPARED}"):
            meant = f"{one.id.removesuffix(COMPARED)}· {COMPARED}"
            one.refuse(one.line, "id", one.id, "an id, with a dot before the mark", meant)
        for mark in one.marks:
            if meant := close_to(mark, {COMPARED} - {mark}):
                one.refuse(one.line, "mark", mark, f"{COMPARED}, or left out", meant)
        block = " ".join(text for _, text in one.block)
        found[one.id] = Reviewed(one.id, one.said.strip(), block, one.notes, COMPARED in one.marks)
    return list(found.values())


def misnamed(target: Path) -> Iterator[str]:
    """Paragraphs of a review whose ids nobody drafted, where one that was drafted is gone and may be meant."""
    held, drafted = ([row.id for row in reviewed(path)] for path in (target, target.with_name(DRAFTED)))
    for name in sorted({*held} - {*drafted}):
        if meant := close_to(name, sorted({*drafted} - {*held})):
            yield f"{target}: {name} is no id that was drafted, and {meant} is gone: did you mean {meant}?"


def _blocks(one: Sentence, letters: Letters, every: bool) -> Iterator[tuple[str, str]]:
    """The blocks of a sentence with what has to be known of each: its reading, or drafts of its formulas, or '?'."""
    why = ""
    for text, form, note in _tries(one):
        try:
            said = read(text, None, form).said
        except Unread as error:
            why = why or str(error).splitlines()[0]
            continue
        if not _says_nothing(said):
            yield said, note
            return
    ways = (letters, replace(letters, values={})) if letters.values else (letters,)  # with what letters are, as printed
    formulas = [(formula, claimed, by) for formula, claimed in formulas_of(one.text) for by in ways]
    guesses = [(g, claimed) for formula, claimed, by in formulas for g in _guesses(formula, by)]
    drafts = {g.said: g.notes for g, claimed in guesses if g is not None and claimed and not _says_nothing(g.said)}
    yield from ((f"{DRAFT} {said}", notes) for said, notes in drafts.items())
    within = one.before is not None and (one.plain or any(g is None or g.numbers for g, _ in guesses))
    if not drafts and (within or every or one.is_about):
        missing = [name for formula, claimed in formulas_of(one.text) if claimed for name in letters.missing(formula)]
        told = [f"Not read: {why}."] * bool(why) or ["It says what its letters are."]
        told += [f"Nothing says what {', '.join(dict.fromkeys(missing))} is."] * bool(missing)
        yield DRAFT, ABOUT_WHAT if one.is_about else " ".join(told)


def _guesses(formula: str, letters: Letters) -> list[Guessed | None]:
    """A formula as it reads alone, or the comparisons of its chain, each None where it does not."""
    formula = _NUMBERED.sub("", formula).rstrip(" .,;-")
    links, whole = links_of(formula), letters.guessed(formula)
    if not links or whole and not whole.numbers and not _LETTER_FIRST.match(whole.said):
        return [whole]
    return [letters.guessed(link) for link in links]


def _says_nothing(said: str) -> bool:
    """Whether a comparison only limits letters, or says what one is: 0 < x <= y, y = x + 1, or a + b = a + b."""
    bare = _BARE.fullmatch(said)
    if (same := _SAME.fullmatch(said)) and same[1] == same[2]:
        return True
    return bool(
        _CONDITION.fullmatch(said)
        or _POWERS.fullmatch(said)
        or bare
        and not re.search(rf"(?<!\w){bare[1]}(?!\w)", bare[2])
    )


def _tries(one: Sentence) -> Iterator[tuple[str, str, str]]:
    """Texts with the form in which they are read, the most literal first, and what is then left out."""
    if one.plain:
        yield from ((text, "plain", "") for text in (one.text, *([f"{one.before} {one.text}"] if one.before else [])))
        return
    texts = [EXAMPLE.sub("", text) for text in (one.text, *([f"{one.before} {one.text}"] if one.before else []))]
    yield from ((text, "latex", "") for text in texts)
    yield from ((text, "formula", "The words around the formula are left out.") for text in texts)
