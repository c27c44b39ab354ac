"""Points at which a variant of a claim is tried, and the one that certifies that it is false."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from banditproof.claims.arena.trials import Trial
from banditproof.claims.arena.values import fails_at
from banditproof.claims.check import Check
from banditproof.claims.register import Claim
from banditproof.verify.proof.domain import Domain, Everything, Interval, draw_point
from banditproof.verify.proof.prover import refute_at
from banditproof.verify.proof.statement import Program
from banditproof.verify.proof.watching import rounding_at

Point = dict[str, Any]

STORED = 40  # points of each step that are tried
DRAWN = 24
MAGNITUDES = tuple(map(Fraction, ("1/1000000", "1/1000", "1000", "1000000")))
UNANSWERED = (
    ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, MemoryError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip


def stored_points(claim: Claim, check: Check, draw: random.Random) -> list[Point]:
    """Points that the claim's own steps name: all of a short list, the ends and a sample of a long one."""
    in_store: list[Point] = []
    for step in claim.steps:
        over, named = getattr(step, "over", None), getattr(step, "point", None)
        try:
            points = over.of(check) if over is not None else [named] if isinstance(named, Mapping) else []
            listed = list(itertools.islice(check.points(points), 4000))
        except UNANSWERED:
            continue
        kept = listed if len(listed) <= STORED else [listed[0], listed[-1], *draw.sample(listed, STORED - 2)]
        in_store += kept
    return in_store


def drawn_points(domain: Domain, draw: random.Random) -> Iterator[Point]:
    """Ends, ties and random rationals of a domain, of ordinary size and far out."""
    for _ in range(DRAWN):
        point = draw_point(domain, draw)
        if point is None:
            return
        yield point
    for magnitude in MAGNITUDES:
        point = draw_point(domain, draw)
        if point is not None:
            yield {n: _far(domain.sets[n], v, magnitude) for n, v in point.items()}


def _far(values: Any, value: Any, magnitude: Fraction) -> Any:
    """The value with its distance from the lower end of its set multiplied."""
    if not isinstance(values, Interval) or isinstance(value, float) or isinstance(values.lower, float):
        return value
    moved = values.lower + (value - values.lower) * magnitude
    if values.integer:
        return int(moved) if moved.denominator == 1 else value
    return moved if values.contains(moved) else value


def completed(domain: Domain, points: list[Point], draw: random.Random) -> Iterator[Point]:
    """The points with values for the numbers that they leave out."""
    numbers = [n for n, s in domain.variables if not isinstance(s, Everything)]
    for point in points:
        missing = [n for n in numbers if n not in point]
        if missing:
            other = draw_point(Domain(tuple((n, s) for n, s in domain.variables if n in missing)), draw)
            point = {**point, **(other or {})}
        yield point


def failing_point(trial: Trial, points: list[Point], rational: tuple[bool, ...]) -> Point | None:
    """A point of the domain at which the variant certainly fails or has no value, or None.

    A statement is evaluated by a route of its own (``values``), a program by the one that its provers take.

    Args:
        trial: the variant.
        points: where it is tried.
        rational: whether a program is evaluated in rationals; one way after the other.
    """
    if (statement := trial.statement) is not None:
        return next((point for point in points if fails_at(statement, point)), None)
    for exactly in rational:
        for point in points:
            try:
                counterexample = refute_at(Program(trial.domain, trial.relation, trial.constants), point, exactly)
            except UNANSWERED:
                continue
            if counterexample is not None and rounding_at(trial.relation, point, trial.constants, exactly) is None:
                return point
    return None
