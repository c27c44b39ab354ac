"""Points that formulas like to divide by: a second look at where a statement has a value, beside every proof."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.numeric import working_precision
from banditproof.verify.proof.compare import holds
from banditproof.verify.proof.domain import Domain, Everything, Interval, shown, unseen_points
from banditproof.verify.proof.evaluation import is_ball
from banditproof.verify.proof.statement import Statement

SPECIAL = (0, 1, -1, Fraction(1, 2), 2, 3)
MOST_SPECIAL = 400
POINTS_ON_AN_EDGE = 3
LARGEST = 10**5  # number of a point on an edge: what has more digits, such as 170000000000 trials, is not computed


def special_points(domain: Domain) -> Iterator[dict[str, Any]]:
    """Points of a domain that formulas like to divide by: its ends, 0, 1, -1, 1/2, 2 and 3, and points on its edges."""
    choices = []
    for name, values in domain.variables:
        if isinstance(values, Everything):
            continue
        ends = [e for e in values.ends() if not math.isinf(e)]
        chosen = [Fraction(v) for v in dict.fromkeys([*ends, *map(Fraction, SPECIAL)]) if values.contains(v)]
        inside = (sum(ends) / max(1, len(ends)), *(e + step for e in ends for step in (1, -1)))
        known = chosen or [Fraction(v) for v in inside if values.contains(v)]
        choices.append((name, [int(v) for v in known] if isinstance(values, Interval) and values.integer else known))
    names = [name for name, _ in choices]
    grid = itertools.islice(itertools.product(*(values for _, values in choices)), MOST_SPECIAL)
    for point in (*(dict(zip(names, values, strict=True)) for values in grid), *_on_edges(domain)):
        if domain.contains(point):
            yield point


def undefined_somewhere(statement: Statement, searches: bool = True) -> str | None:
    """Where a statement has no value among its special points, or None.

    What rules show is asked of balls again: at 0, ``x / x`` has no value. A point at which the relation has
    values and fails is a counterexample, and counts with `searches` only.
    """
    with working_precision(200):
        problems = (_undefined_at(statement, point, searches) for point in special_points(statement.domain))
        return next(filter(None, problems), None)


def _on_edges(domain: Domain) -> Iterator[dict[str, Any]]:
    """Points at which one variable is 0 or at an end and the constraints hold, which may exclude all special points."""
    for name, values in domain.variables if domain.where else ():
        ends = () if isinstance(values, Everything) else {0, *values.ends()}
        for end in (e for e in ends if not math.isinf(e) and values.contains(e)):
            edge = domain.restrict(**{name: [end]})
            for point in unseen_points(edge, POINTS_ON_AN_EDGE, f"{name} = {end}", extremes=2, patience=300):
                if all(abs(value) <= LARGEST for value in point.values()):
                    yield {n: value if isinstance(value, int) else Fraction(value) for n, value in point.items()}


def _contradiction_at(statement: Statement, point: Mapping[str, Any], searches: bool) -> str | None:
    """Why a statement cannot hold everywhere: it fails at a point (seen with `searches`), or divides by zero there."""
    try:
        fails = holds(*statement.sides(point)) is False
    except ZeroDivisionError:
        return f"the relation has no value at {shown(point)}"
    return f"the relation fails at {shown(point)}" if fails and searches else None


def _undefined_at(statement: Statement, point: Mapping[str, Any], searches: bool) -> str | None:
    """As above, and a side that is no number counts too: at a point of few digits, precision is no reason for it."""
    if problem := _contradiction_at(statement, point, searches):
        return problem
    left, _, right = statement.sides(point)
    undefined = any(is_ball(side) and side.is_nan() for side in (left, right))
    return f"the relation has no value at {shown(point)}" if undefined else None
