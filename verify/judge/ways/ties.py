"""Strict comparisons whose sides are equal at one place: balls never tell that, and rules do.

The place is guessed: a simple point at which floats see no difference, or for one variable a number such as exp(-1),
sqrt(2) or log(3) near the place where the sides come closest. That the sides are equal there is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import exp, log, pi, sqrt

import numpy as np

from banditproof.verify.judge.formulas.certain import NoValue, Unknown
from banditproof.verify.judge.formulas.formula import PI, binary, call, num, put
from banditproof.verify.judge.formulas.sentence import Compare, Expression
from banditproof.verify.judge.found import Proved
from banditproof.verify.judge.ways.from_far import folded
from banditproof.verify.judge.ways.points import Asked, Point, corners

CLOSE, NEAR = 1e-12, 1e-5  # of sides, and of a number that is only met by descent
MOST, MOST_CORNERS = 3, 60
SHARES = tuple(dict.fromkeys(Fraction(n, d) for d in (1, 2, 3, 4) for n in range(1, 9)))
SQUARES = {r * r for r in SHARES}


def tied(
    asked: Asked, closest: tuple[float, Point] | None, share: float, seconds: float
) -> tuple[dict[str, Expression], list[Proved]] | None:
    """A place where both sides of a strict comparison are equal, and the proofs; None without one."""
    plain = all(isinstance(c, Compare) for c in asked.conditions)
    if asked.comparison.sign not in ("<", ">", "!=") or not plain:
        return None
    for count, place in enumerate(_places(asked, closest)):
        if count == MOST:
            return None
        evidence: list[Proved] = []
        for claim in _claims(asked, place):
            found = _shown(claim, share / 20, min(seconds, 2.0))
            if not found:
                break
            evidence += found
        else:
            return place, evidence
    return None


def _shown(claim: Asked, share: float, seconds: float) -> list[Proved]:
    """Proofs of a claim, by what W is the inverse of where it speaks of W; none without a proof."""
    from banditproof.verify.judge.ways.between import by_inverse_of_lambert
    from banditproof.verify.judge.ways.proofs import proved

    for claims in ((claim,), *((instead, *more) for instead, more, _ in by_inverse_of_lambert(claim))):
        found = []
        for part in claims:
            shown = proved(part, share, seconds) if isinstance(part, Asked) else "near an end"
            if isinstance(shown, str):
                break
            found.append(shown)
        else:
            return found
    return []


def _claims(asked: Asked, place: Mapping[str, Expression]) -> Iterator[Asked]:
    """That a place belongs to the ranges, and that the sides are equal there."""
    c = asked.comparison
    yield Asked(Compare(folded(put(c.left, place)), "==", folded(put(c.right, place))), {})
    for word, r in asked.ranges.items():
        for end, sign in ((r.low, ">" if r.low_open else ">="), (r.high, "<" if r.high_open else "<=")):
            if end != Expression("const", ("inf",)) and end != Expression("neg", (Expression("const", ("inf",)),)):
                yield Asked(Compare(place[word], sign, put(end, place)), {})
    for condition in asked.conditions:
        if isinstance(condition, Compare):
            yield Asked(Compare(put(condition.left, place), condition.sign, put(condition.right, place)), {})


def _places(asked: Asked, closest: tuple[float, Point] | None) -> Iterator[dict[str, Expression]]:
    points = [p for _, p in zip(range(MOST_CORNERS), corners(asked), strict=False)]
    if closest is not None:
        points += [{n: v.limit_denominator(d) for n, v in closest[1].items()} for d in (1, 2, 4, 10, 20)]
    seen = []
    for point in points:
        if point in seen or not _is_close(asked, {n: float(v) for n, v in point.items()}, CLOSE):
            continue
        seen.append(point)
        try:
            if asked.admits(point):
                yield {n: num(v) for n, v in point.items()}
        except (NoValue, Unknown, OverflowError):
            continue
    if (
        closest is None
        or len(asked.ranges) != 1
        or abs(closest[0]) > NEAR
        or any(r.integer for r in asked.ranges.values())
    ):
        return
    ((word, value),) = closest[1].items()
    for number, e in _numbers():
        if abs(number - float(value)) < NEAR * number and _is_close(asked, {word: number}, CLOSE):
            yield {word: e}


def _is_close(asked: Asked, point: Mapping[str, float], by: float) -> bool:
    if not point:
        return True
    margin = asked.margins({n: np.array([v]) for n, v in point.items()})[0]
    return bool(abs(margin) < by)


def _numbers() -> Iterator[tuple[float, Expression]]:
    """Positive numbers that formulas like to touch at."""
    for q in SHARES:
        for sign in (1, -1):
            power = num(sign * q)
            for c in (1, 2, 3, Fraction(1, 2), Fraction(1, 3)):
                yield float(c) * exp(sign * float(q)), binary("mul", num(c), call("exp", power))
        if q not in SQUARES:
            yield sqrt(q), call("sqrt", num(q))
        yield float(q) * pi, binary("mul", num(q), PI)
        if q > 1:
            yield log(q), call("log", num(q))
        for c in (2, 3):
            yield float(q) * sqrt(c), binary("mul", num(q), call("sqrt", num(c)))
