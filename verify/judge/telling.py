"""An answer in words, and as data for machines."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from fractions import Fraction
from io import BytesIO
from typing import Any

from banditproof.verify.judge.formulas.printing import decimal, plain
from banditproof.verify.judge.formulas.sentence import Compare, Private
from banditproof.verify.judge.found import Bracket, Expanded, Failure, Found, Proved
from banditproof.verify.judge.picture import NoPicture, picture
from banditproof.verify.proof.domain import shown as shown_point


def told(answer: Found) -> str:
    """What a reader sees: how the statement was read, the verdict, and what it rests on, a line each."""
    return "\n".join(_lines(answer))


def _lines(answer: Found) -> Iterator[str]:
    if answer.reading is None:
        yield f"not read: {answer.why}"
        return
    yield f"read as: {answer.reading.said}"
    yield from (f"taken: {assumed}" for assumed in answer.reading.assumed)
    yield f"{answer.verdict}: {answer.why}" if answer.why else answer.verdict
    if answer.failure is not None:
        yield f"  {failure_said(answer.failure)}"
        yield from _witnessed(answer)
    if answer.repair is not None:
        yield f"true is: {answer.repair.said}"
        yield f"  changed: {answer.repair.changed}"
    if answer.bracket is not None:
        yield bracket_said(answer.bracket)
    for proved in answer.evidence:
        if len(answer.evidence) > 1 or isinstance(proved, Proved):
            yield f"  {how(proved)}: {what(proved)}"
    if answer.implied_by:
        yield f"  together they imply it: {answer.implied_by}"
    yield from (f"  named fact: {fact}" for fact in answer.facts)
    if answer.closest is not None:
        margin, point = answer.closest
        yield f"  the sides come closest at {shown_point(point)}: they differ by {margin:.2g} of the sum of their sizes"
    if answer.verdict == "open":
        yield from (f"  tried: {what}" for what in answer.tried)


def _witnessed(answer: Found) -> Iterator[str]:
    if answer.reading is not None and isinstance(answer.reading.sentence, Private):
        from banditproof.verify.judge.ways.witnesses import witness

        if (found := witness(answer)) is not None:
            yield f"  {found}"


def failure_said(failure: Failure) -> str:
    """Where and how a statement fails, in a sentence."""
    solved = ", ".join(f"{x} = {plain(e)}" for x, e in failure.solved.items())
    place = " and ".join(filter(None, (shown_point(failure.point), solved)))
    place = f"at {place} " if place else ""
    left, right = failure.sides
    if failure.kind == "no value":
        return f"{place}there is no value: {left}"
    if isinstance(failure.sentence, Compare):
        return f"{place}the left side is {left} and the right side is {right}"
    return f"{place}it {left}" + (f", but {right}" if right else "")


def what(proved: Proved | Expanded) -> str:
    """The statement that is proved. One that is no more than `has_value` asks says so."""
    if isinstance(proved, Expanded):
        return proved.said
    statement = proved.statement
    left, _, right = str(statement).partition(f" {statement.operator} ")
    return f"{left} has a value" if right == f"{left} + 1" else str(statement)


def how(proved: Proved | Expanded) -> str:
    """By what one statement is proved."""
    if isinstance(proved, Expanded):
        return "by leading terms"
    if proved.tree is not None:
        return "proved by a tree of rules"
    tree = getattr(proved.proof, "tree", None)
    boxes = 0 if tree is None else sum(c in "PV" for c in tree)
    return "proved at every point" if tree is None else f"proved on {boxes} box{'es' * (boxes != 1)}"


def bracket_said(bracket: Bracket) -> str:
    """How far the printed factor is from the best one."""
    said = []
    if bracket.fails is not None:
        said.append(f"{decimal(bracket.fails)} fails at {shown_point(bracket.fails_at)}")
    if bracket.holds is not None:
        said.append(f"{decimal(bracket.holds)} holds")
    inside = ", inside of the ranges" if bracket.inside else ""
    best = [f"{bracket.best} is the best up to {100 * bracket.gap:.1g} %"] if bracket.best else []
    return f"in place of {decimal(bracket.printed)}{inside}: {', '.join([*said, *best])}"


def in_notebook(answer: Found) -> str:
    """Markdown: the formula set as mathematics, what is told below it, and the picture if there is one."""
    shown = [f"$${answer.reading.tex}$$"] if answer.reading is not None else []
    shown.append("\n".join(f"    {line}" for line in told(answer).splitlines()))
    try:
        image = BytesIO()
        picture(answer).savefig(image, format="png", dpi=120)
        shown.append(f"![picture](data:image/png;base64,{b64encode(image.getvalue()).decode()})")
    except (NoPicture, ImportError):
        return "\n\n".join(shown)
    return "\n\n".join(shown)


def as_data(answer: Found) -> dict[str, Any]:
    """The answer for machines (`answer.schema.json`); exact numbers are text such as "1/3"."""
    reading, failure, repair, bracket = answer.reading, answer.failure, answer.repair, answer.bracket
    return {
        "verdict": str(answer.verdict),
        "why": answer.why,
        "read_as": reading and {"text": reading.said, "tex": reading.tex, "assumed": list(reading.assumed)},
        "point": failure and _exact(failure.point),
        "sides": failure
        and {"kind": failure.kind, "left": failure.sides[0], "right": failure.sides[1], "said": failure_said(failure)},
        "repair": repair and {"text": repair.said, "tex": repair.tex, "changed": repair.changed},
        "constant": bracket
        and {
            "printed": str(bracket.printed),
            "fails": None if bracket.fails is None else str(bracket.fails),
            "holds": None if bracket.holds is None else str(bracket.holds),
            "best": bracket.best,
        },
        "evidence": [
            {
                "statement": f"for all {p.statement.domain}: {what(p)}" if isinstance(p, Proved) else what(p),
                "by": how(p),
            }
            for p in answer.evidence
        ],
        "implied_by": answer.implied_by,
        "facts": list(answer.facts),
        "closest": answer.closest and {"difference": answer.closest[0], "point": _exact(answer.closest[1])},
        "tried": list(answer.tried),
        "work": answer.work,
        "seconds": round(answer.seconds, 3),
    }


def _exact(point: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: str(value) for name, value in point.items()}
