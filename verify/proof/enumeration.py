"""Enumerations: a statement or program confirmed at every point of a finite set, and what that covers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from banditproof.theory.numbers.term import is_reviewed, parts
from banditproof.verify.proof.compare import chosen_by_hand, holds
from banditproof.verify.proof.domain import Domain, Everything, Points, shown
from banditproof.verify.proof.evidence import RULE, Enumeration
from banditproof.verify.proof.statement import Program, Statement

MOST_NOTICED = 1e6  # a factor beyond which one says nothing

Unconfirmed = tuple[dict[str, Any], bool | None]  # a point, and whether it fails there or is left open


def enumerated(
    problem: Statement | Program,
    points: Any,
    region: Domain,
    *,
    rational: bool = False,
    routes: tuple[str, str] = ("left side", "right side"),
    measured: tuple[str, str] | None = None,
) -> Enumeration | Unconfirmed | str:
    """The proof on a region of listed points, the first point that is not confirmed, or why the points do not cover it.

    Args:
        problem: what is evaluated.
        points: a list of points, or a grid (``point_list``).
        region: what they cover: lists of the values of what they fix. What they leave out keeps its set, provided that
            the problem does not depend on it.
        rational: evaluate in rationals, not in balls.
        routes: the two things compared, in words.
        measured: how close the sides came, and which factor is noticed, of points that were evaluated before; they are
            not evaluated again.
    """
    seen, count, margin, factor = set(), 0, None, math.inf
    members_of = {n: values.members for n, values in region.variables if isinstance(values, Points)}
    if loose := [n for n, s in region.variables if not isinstance(s, Points | Everything) and n in problem.names]:
        return f"the points fix no value of {loose[0]}"
    for point in point_list(points):
        count += 1
        if measured is None:
            try:
                left, operator, right = problem.sides(point, rational)
            except ZeroDivisionError as why:
                return f"it has no value at {shown(point)} ({why})"
            verdict = holds(left, operator, right)
            if verdict is not True:
                return point, verdict
            margin, factor = _closest(margin, left, right, point), min(factor, noticed_factor(left, operator, right))
        if all(point.get(n) in members for n, members in members_of.items()):
            seen.add(tuple(point[n] for n in members_of))
    if len(seen) < math.prod(map(len, members_of.values())):
        return f"{len(seen)} points do not cover {region}"
    chosen = chosen_by_hand(next(point_list(points)), problem.domain)
    closest = "" if margin is None else f"closest call {margin[0]:.3g} at {shown(margin[1])}"
    return Enumeration(
        region,
        routes,
        problem.name,
        dict(problem.constants),
        points,
        count,
        rational,
        *(measured or (closest, decimal(factor))),
        unread(problem) or chosen,
        rule=RULE,
    )


def unread(problem: Statement | Program) -> str:
    """What no prover reads of a problem: a program may round or ask anything, and proves nothing by its values."""
    if isinstance(problem, Program):
        return "a program computes both sides, and provers cannot read programs"
    named = {t.args[0] for side in (problem.left, problem.right) for t in parts(side) if t.op == "quantity"}
    own = sorted(name for name in named if not is_reviewed(name))
    return f"it uses a quantity of the document ({own[0].replace('_', ' ')}), which provers cannot read" if own else ""


def point_list(points: Any) -> Iterator[dict[str, Any]]:
    """The points of evidence: a list of them, or a grid ``{"grid": {name: values}}`` in its product order."""
    if isinstance(points, Mapping) and "grid" in points:
        grid: Mapping[str, Iterable[Any]] = points["grid"]
        for values in itertools.product(*grid.values()):
            yield dict(zip(grid, values, strict=True))
    else:
        yield from points


def _closest(best: tuple[float, Any] | None, left: Any, right: Any, point: Any) -> tuple[float, Any] | None:
    if isinstance(left, bool) or isinstance(left, str | tuple):
        return None
    try:
        gap = abs(float(right) - float(left))
    except (TypeError, ValueError, OverflowError):
        return best
    return (gap, point) if best is None or gap < best[0] else best


def decimal(factor: float) -> str:
    """A factor that is noticed, rounded up; '' for one that says nothing."""
    return f"{math.ceil(factor * 100) / 100:.12g}" if factor < MOST_NOTICED else ""


def noticed_factor(left: Any, operator: str, right: Any) -> float:
    """The factor by which the bounding side can be tighter and the relation still holds; infinite without a ratio."""
    if operator in ("==", "!="):
        return 1.0 if operator == "==" else math.inf
    if isinstance(left, bool | str | tuple | list) or isinstance(right, bool | str | tuple | list):
        return math.inf
    small, large = (left, right) if operator in ("<", "<=") else (right, left)
    try:
        small, large = float(small), float(large)
        return large / small if small > 0 else small / large if large < 0 else math.inf
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        return math.inf
