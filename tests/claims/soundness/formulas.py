"""The false and the true claims that are formulas: one line each of `false_formulas.txt` and `true_formulas.txt`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from flaws import FLAWS, INF, ORDINARY, Flaw, searched

from banditproof.claims.paragraphs import _functions, _is_rational
from banditproof.claims.register import Content, Written, state
from banditproof.claims.steps import enumerated, interval
from banditproof.verify.judge.reading.blocks import point_in, statement_in
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.statement import Statement

HERE = Path(__file__).parent
for quantities in ("leakage", "wide_balls"):
    import_module(f"banditproof.theory.privacy.{quantities}")


def lines(table: Path) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(table.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            yield number, line.split(" | ")


BOXES = re.compile(r"boxes(?: (\d+))?(?: on (.+?))?(?: with (.+))?")
POINTS = re.compile(r"(exact )?points (.+?)(?: on (.+))?")


def part(text: str | None) -> Domain | None:
    """`x in [0, 1] when x != 1/2`."""
    if text is None:
        return None
    ranges, _, where = text.partition(" when ")
    name, values = ranges.split(" in ")
    return Domain.of([where] if where else [], **{name: values})


def replaced_by(text: str) -> tuple[str, tuple[str, str, str]]:
    """`x = t/2 for t in [0, 1]`."""
    image, _, own = text.partition(" for ")
    (name, formula), (parameter, values) = image.split(" = "), own.split(" in ")
    return name, (parameter, values, formula)


def values(text: str) -> tuple[str, Any]:
    """`n = 1..9`, or `x = 0 1/2 1`."""
    name, listed = text.split(" = ")
    first, _, last = listed.partition("..")
    return name, range(int(first), int(last) + 1) if last else listed.split()


def step(text: str) -> Any:
    """A tree of rules; boxes, on a part or with a parameter; points, of which exact ones are compared as rationals."""
    if text == "tree":
        return searched
    if found := BOXES.fullmatch(text):
        count, region, images = found.groups()
        replaced = dict(map(replaced_by, images.split(" and "))) if images else None
        return interval(covers=part(region), boxes=int(count) if count else None, substitutions=replaced)
    exact, listed, region = POINTS.fullmatch(text).groups()  # type: ignore[union-attr]
    return enumerated(rational=bool(exact), covers=part(region), **dict(map(values, listed.split(" and "))))


def register(name: str, how: str, formula: str, table: Path, line: int, said: str) -> Statement:
    statement, _ = statement_in(formula, _functions())
    steps = tuple(map(step, how.split("; ")))
    content = Content(statement.domain, statement.relation, steps)
    methods = [one.method for one in steps]
    state(name, lambda: content, methods, said, Written(str(table), line, formula), module=__name__)
    return statement


def marked(how: str) -> tuple[str, bool]:
    """The steps, and whether a mark stands behind them."""
    steps, mark, _ = re.fullmatch(r"(.+?)(, (contrived|open))?", how).groups()  # type: ignore[union-attr]
    return steps, bool(mark)


def point(text: str) -> dict[str, Fraction | float]:
    named = (part.split(" = ") for part in text.split(", "))
    return {name: INF if value == "inf" else point_in(f"{name} = {value}")[name] for name, value in named}


def sides_of(statement: Statement) -> Callable[..., tuple[Any, str, Any]]:
    rational = all(_is_rational(side, statement.domain) for side in (statement.left, statement.right))
    return lambda **at: statement.sides(at, rational)


FALSE, TRUE = HERE / "false_formulas.txt", HERE / "true_formulas.txt"
for number, (name, how, formula, where, why) in lines(FALSE):
    steps, contrived = marked(how)
    statement = register(f"FALSE-{name}", steps, formula, FALSE, number, why)
    FLAWS[f"FALSE-{name}"] = Flaw(why, point(where), sides_of(statement), False, contrived)
for number, (name, how, formula) in lines(TRUE):
    steps, unproved = marked(how)
    register(f"TRUE-{name}", steps, formula, TRUE, number, formula)
    ORDINARY.extend([] if unproved else [f"TRUE-{name}"])
