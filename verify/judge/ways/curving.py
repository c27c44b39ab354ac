"""A comparison in one number by the derivatives of the gap of its sides.

Where the sides touch, a gap g that is smooth there lies above its tangent: g(c) >= 0, g'(c) = 0 and g'' >= 0 on a piece
around c give g(x) = g(c) + g''(z) (x - c)^2/2 >= 0 for some z between; and so does the fourth derivative, where the
first three are 0. Near an end of the range g falls towards that end and is 0 or more near it; that it falls is the sign
of g', again a comparison in one number. What is left between is for boxes. A formula that has a derivative here is
smooth wherever that has a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import NoSlope, binary, num, put, rational, slope
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range
from banditproof.verify.judge.ways.from_far import Claims, by_slope, turned
from banditproof.verify.judge.ways.pieces import REACH, ZERO, cut_between
from banditproof.verify.judge.ways.points import Asked, failing, has_value, seems_true

TOUCHING, LEVEL = 1e-12, 1e-9  # of the sum of both sides, and of a derivative
ORDERS = (2, 4)  # of the derivative that is at least 0
SMALLEST = (1, 2, 3, 4, 5, 10, 20)  # denominators of places that are tried
DEEPEST, MOST_CUTS, MOST_WAYS = 3, 5, 3


def by_derivatives(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """Claims that imply a weak comparison in one real number, and why."""
    if len(asked.ranges) != 1 or asked.conditions or asked.comparison.sign not in ("<=", ">="):
        return
    ((x, r),) = asked.ranges.items()
    low, high = rational(r.low), rational(r.high)
    gap = binary("sub", *turned(asked)[:2])
    try:
        slopes = [gap]
        for _ in range(max(ORDERS)):
            slopes.append(slope(slopes[-1], x))
    except NoSlope:
        return
    found, near = failing(asked, draws=2000)
    if r.integer or low is None or high is None or asked.sums or found is not None or near is None:
        return
    place = near[1][x]
    flat = _flat(asked, x, slopes, (low, place, high))
    if flat is None:
        return
    (a, b), claims, at = flat
    because = f"near {x} = {at} the gap of the sides is flat, and curves upwards"
    rests = [(Range(r.low, num(a), r.low_open), True), (Range(num(b), r.high, False, r.high_open), False)]
    yield (*claims, *(replace(asked, ranges={x: rest}) for rest, _ in rests)), because
    choices = [list(islice(_towards(asked, x, rest, down), MOST_WAYS)) for rest, down in rests]
    for level in range(max(map(len, choices), default=0)):
        if all(choices):
            of_ends = (claim for options in choices for claim in options[min(level, len(options) - 1)])
            yield (*claims, *of_ends), f"{because}; towards an end the gap falls"


def _flat(
    asked: Asked, x: str, slopes: list[Expression], around: tuple[Fraction | float, Fraction, Fraction | float]
) -> tuple[tuple[Fraction, Fraction], Claims, Fraction] | None:
    """A piece around a place where the sides touch, on which a derivative of the gap is at least 0, and the claims."""
    low, near, high = around
    places = (near.limit_denominator(d) for d in SMALLEST)
    for at in dict.fromkeys(p for p in places if low < p < high):
        if not abs(asked.margins({x: np.array([float(at)])})[0]) < TOUCHING:
            continue
        a, b = cut_between(low, at), cut_between(high, at)
        for _ in range(MOST_CUTS):
            if a is None or b is None:
                break
            piece = {x: Range(num(a), num(b))}
            for order in ORDERS:
                last = Asked(Compare(slopes[order], ">=", ZERO), piece)
                level = [Asked(Compare(put(e, {x: num(at)}), "==", ZERO), {}) for e in slopes[1:order]]
                if _at(last.comparison.left, x, at) > LEVEL and seems_true(last) and all(map(_seems_level, level)):
                    above = Asked(Compare(put(slopes[0], {x: num(at)}), ">=", ZERO), {})
                    return (a, b), (above, *level, last, has_value(slopes[0], piece)), at
            a, b = cut_between(a, at), cut_between(b, at)
    return None


def _at(e: Expression, x: str, place: Fraction) -> float:
    with np.errstate(all="ignore"):
        return float(value_of(e, {x: np.float64(place)}))


def _seems_level(claim: Asked) -> bool:
    return abs(_at(claim.comparison.left, "", ZERO.args[0])) < LEVEL


def _towards(asked: Asked, x: str, rest: Range, down: bool) -> Iterator[Claims]:
    """A piece at one end of a range by slopes, and what is left of it as it stands."""
    end, inner = (rest.low, rest.high) if down else (rest.high, rest.low)
    limit, cut = rational(end), rational(inner)
    for _ in range(MOST_CUTS):
        if not isinstance(cut, Fraction) or limit is None:
            return
        cut = (3 * limit + cut) / 4 if isinstance(limit, Fraction) else cut + (REACH + 3 * abs(cut)) * (-1) ** down
        lower, upper = Range(rest.low, num(cut), rest.low_open), Range(num(cut), rest.high, False, rest.high_open)
        at_end, between = (lower, upper) if down else (upper, lower)
        left = replace(asked, ranges={x: between})
        for claims in by_slopes(replace(asked, ranges={x: at_end}), DEEPEST):
            yield (*claims, left)


def by_slopes(asked: Asked, deepest: int) -> Iterator[Claims]:
    """A comparison by the sign of a derivative, or that by the sign of its own, and so on."""
    ((x, r),) = asked.ranges.items()
    for (falls, *others), _ in by_slope(asked, x, r):
        yield (*others, falls)
        if deepest > 1 and isinstance(falls, Asked):
            for deeper in by_slopes(falls, deepest - 1):
                yield (*others, *deeper)
