"""The false and the true claims that are formulas: one line each of `false_formulas.txt` and `true_formulas.txt`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from flaws import FLAWS, INF, ORDINARY, Flaw, searched

from banditproof.claims.paragraphs import _functions, _is_rational
from banditproof.claims.register import Content, Written, state
from banditproof.claims.steps import interval
from banditproof.verify.judge.blocks import point_in, statement_in
from banditproof.verify.proof.statement import Statement

HERE = Path(__file__).parent
for quantities in ("leakage", "wide_balls"):
    import_module(f"banditproof.theory.privacy.{quantities}")


def lines(table: Path) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(table.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            yield number, line.split(" | ")


def register(name: str, step: str, formula: str, table: Path, line: int, said: str) -> Statement:
    statement, _ = statement_in(formula, _functions())
    how, _, boxes = step.partition(" ")
    steps = {"tree": searched, "boxes": interval(boxes=int(boxes) if boxes else None)}
    one = steps[how]
    content = Content(statement.domain, statement.relation, (one,))
    state(name, lambda: content, [one.method], said, Written(str(table), line, formula), module=__name__)
    return statement


def point(text: str) -> dict[str, Fraction | float]:
    named = (part.split(" = ") for part in text.split(", "))
    return {name: INF if value == "inf" else point_in(f"{name} = {value}")[name] for name, value in named}


def sides_of(statement: Statement) -> Callable[..., tuple[Any, str, Any]]:
    rational = all(_is_rational(side, statement.domain) for side in (statement.left, statement.right))
    return lambda **at: statement.sides(at, rational)


FALSE, TRUE = HERE / "false_formulas.txt", HERE / "true_formulas.txt"
for number, (name, how, formula, where, why) in lines(FALSE):
    step, *marks = how.split(", ")
    statement = register(f"FALSE-{name}", step, formula, FALSE, number, why)
    FLAWS[f"FALSE-{name}"] = Flaw(why, point(where), sides_of(statement), False, "contrived" in marks)
for number, (name, how, formula) in lines(TRUE):
    step, *marks = how.split(", ")
    register(f"TRUE-{name}", step, formula, TRUE, number, formula)
    ORDINARY.extend([f"TRUE-{name}"] if "open" not in marks else [])
