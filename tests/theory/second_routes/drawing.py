"""What a second route is, where it is taken, and when it leaves the enclosure.

A `Route` draws exact arguments (decimals, dyadic numbers, near ties, ends, extreme sizes), evaluates the quantity as an
enclosure and computes it again on its own; `strays` counts the points at which the two do not agree.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath

from banditproof import theory
from banditproof.theory import Enclosure, to_ball, working_precision

DIGITS = 120  # of the second route: near ties cancel up to 60 of them
SLACK = mpmath.mpf(10) ** -50


@dataclass(frozen=True)
class Route:
    """`draw` gives arguments as Fractions (or counts), `value` the enclosure, `truth` a number in mpmath.

    `width` is the largest relative width that an enclosure may have, so that an empty answer is no agreement.
    """

    name: str
    draw: Callable[[random.Random], tuple[Any, ...]]
    value: Callable[..., Any]
    truth: Callable[..., Any]
    width: float = 1e-15
    slack: Any = SLACK


def mp(number: Any) -> Any:
    """A Fraction, int or infinity in mpmath."""
    if isinstance(number, float):
        return mpmath.mpf(number)
    return mpmath.mpf(Fraction(number).numerator) / Fraction(number).denominator


def strays(route: Route, count: int, seed: int = 17) -> list[Any]:
    """The drawn arguments at which the second route lies outside the enclosure, or the enclosure is too wide."""
    generator, found = random.Random(f"{route.name} {seed}"), []
    for _ in range(count):
        arguments = route.draw(generator)
        with working_precision(256), mpmath.workdps(DIGITS):
            value = route.value(*arguments)
            enclosure = value if isinstance(value, Enclosure) else Enclosure.outward(value)
            truth = route.truth(*(mp(a) if isinstance(a, Fraction | float) else a for a in arguments))
            if not _agree(enclosure, truth, route):
                found.append((arguments, enclosure.decimal(30), mpmath.nstr(mpmath.mpf(truth), 30)))
    return found


def _agree(enclosure: Enclosure, truth: Any, route: Route) -> bool:
    low, high = mp(enclosure.lower), mp(enclosure.upper)
    if mpmath.isinf(truth) or enclosure.lower == enclosure.upper == float("inf"):
        return bool(low == high == truth)
    room = route.slack * abs(truth) + mpmath.mpf(10) ** -(DIGITS - 20)
    return bool(low - room <= truth <= high + room and high - low <= route.width * abs(truth) + mpmath.mpf("1e-45"))


# ------------------------------------------------------------------------------------------------------------- drawing


def unit(r: random.Random) -> Fraction:
    """A number in [0, 1]."""
    kind = r.random()
    if kind < 0.5:
        scale = r.choice([10, 100, 1000])
        return Fraction(r.randint(0, scale), scale)
    if kind < 0.8:
        scale = 1 << r.randint(1, 12)
        return Fraction(r.randint(0, scale), scale)
    tiny = r.choice([Fraction(1, 10 ** r.randint(1, 30)), Fraction(1, 1 << r.randint(1, 60))])
    return r.choice([tiny, 1 - tiny, Fraction(0), Fraction(1)])


def inner(r: random.Random) -> Fraction:
    """A number in (0, 1)."""
    while not 0 < (value := unit(r)) < 1:
        pass
    return value


def pair(r: random.Random) -> tuple[Fraction, Fraction]:
    """Two numbers in [0, 1], now and then next to each other or equal."""
    x = unit(r)
    if r.random() < 0.35:
        step = r.choice([-1, 1]) * Fraction(1, r.choice([10, 2]) ** r.randint(1, 20))
        return x, min(max(x + step, Fraction(0)), Fraction(1))
    return x, x if r.random() < 0.05 else unit(r)


def inner_pair(r: random.Random) -> tuple[Fraction, Fraction]:
    while True:
        x, y = pair(r)
        if 0 < x < 1 and 0 < y < 1:
            return x, y


def size(r: random.Random, low: int = -12, high: int = 3) -> Fraction:
    """A positive number of any order of magnitude."""
    if r.random() < 0.5:
        return Fraction(r.randint(1, 80), r.choice([10, 100, 8, 64]))
    return Fraction(r.randint(1, 99), 10) * Fraction(10) ** r.randint(low, high - 1)


def budget(r: random.Random) -> Fraction:
    return size(r, -12, 2)


def real(r: random.Random) -> Fraction:
    """A mean of either sign."""
    return r.choice([-1, 1]) * size(r, -8, 4) if r.random() < 0.95 else Fraction(0)


def near(x: Fraction, r: random.Random, other: Fraction) -> Fraction:
    """Another number, now and then next to x."""
    chance = r.random()
    close = x * (1 + r.choice([-1, 1]) * Fraction(1, r.choice([10, 2]) ** r.randint(1, 20)))
    return close if chance < 0.35 else x if chance < 0.4 else other


def reals(r: random.Random) -> tuple[Fraction, Fraction]:
    x = real(r)
    return x, near(x, r, real(r))


def positives(r: random.Random) -> tuple[Fraction, Fraction]:
    x = size(r, -6, 2)
    return x, near(x, r, size(r, -6, 2))


def order(r: random.Random) -> Fraction:
    """An order of a Rényi divergence."""
    return r.choice([Fraction(1), Fraction(1, 2), Fraction(2), size(r, -3, 2), 1 + Fraction(1, 10 ** r.randint(1, 9))])


def both(*draws: Callable[[random.Random], Any]) -> Callable[[random.Random], tuple[Any, ...]]:
    """The drawn values in a row; tuples are unpacked."""

    def draw(r: random.Random) -> tuple[Any, ...]:
        values = (one(r) for one in draws)
        return tuple(v for value in values for v in (value if isinstance(value, tuple) else (value,)))

    return draw


def in_balls(function: Callable[..., Any]) -> Callable[..., Any]:
    """A formula of the package on balls around exact arguments; counts pass as they are."""
    return lambda *arguments: function(*(to_ball(a) if isinstance(a, Fraction | float) else a for a in arguments))


def formula(name: str, draw: Any, truth: Any, **settings: Any) -> Route:
    return Route(name, draw, in_balls(getattr(theory, name)), truth, **settings)
