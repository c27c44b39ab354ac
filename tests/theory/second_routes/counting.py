"""Counters, trade-off curves and the coefficients of Laplace tails, exactly and the long way."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath

from banditproof import theory
from banditproof.theory.numbers.enclosure import Enclosure
from second_routes.drawing import Route, both, mp, size, unit
from second_routes.laws import masses
from second_routes.privacy import _late, laplace_tail

COUNTERS = ("fresh noise per sum", "noise per bit", "binary tree")


def exactly(number: Any) -> Enclosure:
    return Enclosure.outward(Fraction(number))


def steps(r: random.Random) -> tuple[Any, ...]:
    """A step of a horizon, which is often next to a power of two."""
    horizon = max(1, r.choice([r.randint(1, 100), r.randint(1, 10**18), (1 << r.randint(1, 60)) + r.randint(-1, 1)]))
    return r.randint(1, horizon), horizon


def leaves(horizon: int) -> int:
    size = 1
    while size < horizon:
        size += size
    return size


def depth(horizon: int) -> int:
    """Nodes on the way from a leaf to the root."""
    nodes, width = 1, leaves(horizon)
    while width > 1:
        nodes, width = nodes + 1, width // 2
    return nodes


def cover(t: int, start: int, stop: int) -> list[tuple[int, int]]:
    """The largest nodes below a node that lie in the first t steps, from the root down."""
    if stop <= t:
        return [(start, stop)]
    middle = (start + stop) // 2
    return cover(t, start, middle) + (cover(t, middle, stop) if middle < t else [])


def written(ranges: Any) -> int:
    """The numbers of all ranges, one after the other."""
    total = 0
    for number in (n for ends in ranges for n in ends):
        total = total << 64 | number
    return total


def error_draw(r: random.Random) -> tuple[Any, ...]:
    t, horizon = steps(r)
    return r.choice(COUNTERS), t, horizon, size(r, -6, 2)


def variance(counter: str, t: int, horizon: int, epsilon: Any) -> Any:
    if counter == "fresh noise per sum":
        return 2 * (horizon / epsilon) ** 2
    if counter == "noise per bit":
        return 2 * t / epsilon**2
    return len(cover(t, 0, leaves(horizon))) * 2 * (depth(horizon) / epsilon) ** 2


def tail_draw(r: random.Random) -> tuple[Any, ...]:
    t, horizon = sorted((r.randint(1, 30), r.randint(1, 30)))
    return r.choice(COUNTERS), t, horizon, size(r, -2, 1), size(r, -2, 2)


def tail(counter: str, t: int, horizon: int, epsilon: Any, alpha: Any) -> Any:
    terms = {"fresh noise per sum": 1, "noise per bit": t}.get(counter, len(cover(t, 0, leaves(horizon))))
    scale = {"fresh noise per sum": horizon, "noise per bit": 1}.get(counter, depth(horizon)) / epsilon
    return 2 * laplace_tail(terms, alpha / scale)


def curve_draw(r: random.Random) -> tuple[Any, ...]:
    return masses(r, 4)[1], masses(r, 4)[1], unit(r)


def least_missed(null: Any, alternative: Any, alpha: Any) -> Any:
    """The best line below the curve: the largest, over thresholds s, of sum min(q, s p) - s alpha."""
    laws = [(mp(p), mp(q)) for p, q in zip(null, alternative, strict=True)]
    lines = [sum(min(q, s * p) for p, q in laws) - s * alpha for s in (b / a for a, b in laws)]
    return max(mpmath.mpf(0), *lines)


COUNTING = [
    Route("tree_levels", steps, lambda _, T: exactly(theory.tree_levels(T)), lambda _, T: mpmath.mpf(depth(T))),
    Route(
        "dyadic_cover",
        steps,
        lambda t, _: exactly(written(theory.dyadic_cover(t)) % (2**127 - 1)),
        lambda t, _: mpmath.mpf(written(cover(t, 0, leaves(t))) % (2**127 - 1)),
    ),
    Route(
        "counting_error, variance",
        error_draw,
        lambda c, t, T, e: exactly(theory.counting_error(c, t, T, e).variance),
        variance,
    ),
    Route(
        "counting_error, tail",
        tail_draw,
        lambda c, t, T, e, a: Enclosure.from_ball(theory.counting_error(c, t, T, e).tail(a)),
        tail,
    ),
    Route(
        "trade_off_curve",
        curve_draw,
        lambda p, q, a: exactly(theory.trade_off_curve(dict(enumerate(p)), dict(enumerate(q))).value(a)),
        least_missed,
    ),
    Route(
        "tail_coefficients",
        both(lambda r: r.randint(1, 40), lambda r: r.randint(0, 39)),
        lambda m, j: exactly(theory.tail_coefficients(m)[j % m]),
        lambda m, j: mp(_late(m)[j % m]),
    ),
]
