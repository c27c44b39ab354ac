"""Stopping thresholds of the Top Two algorithms with and without privacy, and the special functions in them.

Counts are those of the rewards behind a mean (of the last phase, where rewards are forgotten), at least 1; arms have
sigma-sub-Gaussian rewards, sigma = 1/2 for rewards in [0, 1]. Arguments are all floats and arrays, or all balls.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    hull,
    joined,
    log,
    maximum,
    minimum,
    sqrt,
    square,
    system,
    to_ball,
    working_precision,
)
from banditproof.theory.numbers.ranges import check
from banditproof.theory.numbers.term import quantity

SIGMA = Fraction(1, 2)
EXPONENT = 2
"""The exponent s > 1 of the union bound over phases, for which no value is printed."""
FEW = 100  # different arguments, so few that they may have been met before
_GOLDEN, _SHRINKS = (math.sqrt(5) - 1) / 2, 50


@quantity
def zeta(s: Any) -> Any:
    """Riemann's zeta function for s > 1. Raises InvalidInput for s < 1 and number systems but floats and balls."""
    check({"s": (1, math.inf, "above 1")}, s=s)
    if _kind(s) == FLOAT:
        from scipy.special import zeta as of_floats

        return of_floats(np.asarray(s, dtype=float)) if isinstance(s, np.ndarray) else float(of_floats(float(s), 1))
    return to_ball(s).zeta()


@quantity
def phase(count: Any) -> Any:
    """k(x) = log2(x) + 2: the number of the phase whose last 2^(k - 2) rewards were counted. Source: ALG-EQ5.11"""
    return log(count) / log(to_ball(2) if _kind(count) == BALL else 2.0) + 2


def peeling_rate(weight: Any) -> Any:
    """g_G(w) = 2w - 2w log(4w) + log zeta(2w) - log(1 - w)/2 for w in (1/2, 1). Source: ALG-EQC.30"""
    return 2 * weight - 2 * weight * log(4 * weight) + log(zeta(2 * weight)) - log(1 - weight) / 2


@quantity
def gaussian_deviation(x: Any) -> Any:
    """C_G(x), the minimum of (g_G(w) + x) / w over w in [1/2, 1], for x >= 0; it is x + log(x) + O(1).

    Of a ball an enclosure: since g_G is convex, its tangent at any w_0 bounds the minimum from below, by
    g_G'(w_0) + r min(1, 2) with r = x - (w_0 g_G'(w_0) - g_G(w_0)) and the worse of the two, and the value at w_0 is
    g_G'(w_0) + r / w_0. Raises InvalidInput for x < 0.

    Source: ALG-EQC.30

    >>> round(gaussian_deviation(10.0), 5)
    11.95465
    """
    return _increasing("x", x, 0, _deviation, _enclosed_deviation)


def _deviation(x: np.ndarray) -> np.ndarray:
    distinct, places = np.unique(x, return_inverse=True)
    few = distinct.size <= FEW
    deviations = np.array([_least_at(one)[1] for one in distinct.tolist()]) if few else _least_over_weights(distinct)[1]
    return deviations[places].reshape(x.shape)


@lru_cache(1 << 14)
def _least_at(x: float) -> tuple[float, float]:
    """`_least_over_weights` of one number; kept, for strategies come to the same counts again and again."""
    rest, value = _least_over_weights(np.array([x]))
    return float(rest[0]), float(value[0])


def _least_over_weights(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """log(1 - w) of the best weight, and the value there, by golden-section search: (g + x)/w is quasi-convex."""

    def value(u: np.ndarray) -> np.ndarray:
        w, rest = -np.expm1(u), np.exp(u)
        return (2 * w - 2 * w * np.log(4 * w) + np.log(zeta(2 - 2 * rest)) - u / 2 + x) / w

    low, high = -np.log(8 * (x + 2)), np.full(x.shape, np.log(0.5) - 1e-9)
    one, two = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_one, at_two = value(one), value(two)
    for _ in range(_SHRINKS):
        left = at_one < at_two
        low, high = np.where(left, low, one), np.where(left, two, high)
        fresh = np.where(left, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        at_fresh = value(fresh)
        one, two = np.where(left, fresh, two), np.where(left, one, fresh)
        at_one, at_two = np.where(left, at_fresh, at_two), np.where(left, at_one, at_fresh)
    return one, at_one


def _enclosed_deviation(x: Any) -> Any:
    from flint import arb, ctx

    if not x.is_finite():
        return x
    near = float(x)
    share = 1 / (2 * x) if near > 10**6 else arb(float(np.exp(_least_at(near)[0])))
    with working_precision(ctx.prec + int(2 * math.log2(near + 2)) + 16):
        weight, step = (1 - share).mid(), arb(1)
        for _ in range(ctx.prec.bit_length()):  # Newton's method: digits double
            if abs(step) < share * arb((1, -ctx.prec // 2)):  # the weight is off by about the square of this
                break
            rate, slope, curvature = _tangent(weight)
            step = ((weight * slope - rate - x) / (weight * curvature)).mid()
            weight = (weight - step).mid()
        rate, slope, _ = _tangent(weight)
        rest = x - (weight * slope - rate)
        below = (rest.lower() * (1 if rest.lower() >= 0 else 2)).lower()
        return hull(slope + below, slope + rest / weight)


def _tangent(weight: Any) -> tuple[Any, Any, Any]:
    """g_G and its first two derivatives at a ball inside (1/2, 1)."""
    from flint import arb_series

    w = arb_series([weight, 1], prec=3)
    rate = 2 * w - 2 * w * (4 * w).log() + (2 * w).zeta().log() - (1 - w).log() / 2
    return rate[0], rate[1], 2 * rate[2]


@quantity
def lambert_minus(x: Any) -> Any:
    """The root y >= 1 of y - log(y) = x for x >= 1, which is -W_{-1}(-e^{-x}). Raises InvalidInput for x < 1.

    Source: ALG-EQ5.14

    >>> round(lambert_minus(2.0), 6)
    3.146193
    """
    return _increasing("x", x, 1, _root, _enclosed_root)


def _root(x: np.ndarray) -> np.ndarray:
    above = x - 1
    more = np.sqrt(2 * above) + above  # the root less 1: an upper end, from which Newton's method descends
    for _ in range(60):
        step = (more - np.log1p(more) - above) * (1 + more) / np.maximum(more, 1e-300)
        lower = np.maximum(more - np.where(above > 0, step, 0), 0.0)
        if (lower >= more).all():
            break
        more = np.minimum(lower, more)
    return 1 + more


def _enclosed_root(x: Any) -> Any:
    if x > to_ball(Fraction(1001, 1000)):
        return -(-((-x).exp())).lambertw(-1)
    above = maximum(x - 1, to_ball(0))
    return (1 + sqrt(2 * above) + 2 * above / 3).union(1 + sqrt(2 * above) + above)


@quantity
def plain_threshold(count: Any, other: Any, delta: Any, arms: int) -> Any:
    """c^G: 2 C_G(log((K - 1)/delta)/2) + 2 log(4 + log n_a) + 2 log(4 + log n_b), for n_a, n_b >= 1.

    Source: ALG-EQ5.10
    """
    return _plain_at(count, other, log((arms - 1) / delta))


@quantity
def private_threshold(count: Any, other: Any, delta: Any, arms: int, epsilon: Any, s: Any = EXPONENT) -> Any:
    """c^(G, eps) of AdaP-TT, epsilon in (0, inf]. Source: ALG-EQ5.11"""
    spread = 2 * square(_zeta_for(s, count, delta)) * (phase(count) * phase(other)) ** s
    noise = sum(square(_laplace_level(n, delta, arms, s, 2)) / n for n in (count, other))
    plain = _plain_at(count, other, log((arms - 1) / delta) + log(spread))
    return 2 * plain + noise / _noise_unit(epsilon)


def star_threshold(lead: Any, count: Any, other: Any, delta: Any, arms: int, epsilon: Any, s: Any = EXPONENT) -> Any:
    """The threshold of AdaP-TT*, `lead` = mu_a - mu_b deciding between its branches at 3 epsilon.

    Source: ALG-EQ5.14
    """
    return joined(
        lead,
        "<",
        3 * epsilon,
        lambda: near_threshold(count, other, delta, arms, epsilon, s),
        lambda: far_threshold(count, other, delta, arms, epsilon, s),
    )


@quantity
def near_threshold(count: Any, other: Any, delta: Any, arms: int, epsilon: Any, s: Any = EXPONENT) -> Any:
    """The branch of `star_threshold` below 3 epsilon. Source: ALG-EQ5.14"""
    cross = sum(
        sqrt(_half_lambert(n, delta, arms, s) / n) * _laplace_level(n, delta, arms, s, 3) for n in (count, other)
    )
    half = private_threshold(count, other, 2 * delta / 3, arms, epsilon, s) / 2
    return half + cross * sqrt(2 / _noise_unit(epsilon))


@quantity
def far_threshold(count: Any, other: Any, delta: Any, arms: int, epsilon: Any, s: Any = EXPONENT) -> Any:
    """The branch of `star_threshold` from 3 epsilon on, with the power 1 of k that is printed. Source: ALG-EQ5.14"""
    largest = maximum(phase(count), phase(other))
    level = log(3 * arms * _zeta_for(s, count, delta) * largest / delta)
    roots = sum(sqrt(n * _half_lambert(n, delta, arms, s)) for n in (count, other))
    sigma = _sigma(count, delta)
    return 3 * level / square(sigma) + 3 * epsilon * roots / (sqrt(2 * square(sigma)))


def transportation_cost(lead: Any, count: Any, other: Any, epsilon: Any = math.inf) -> Any:
    """W: lead min(3 epsilon, lead) / (2 sigma^2 (1/n_a + 1/n_b)), 0 for lead <= 0; without `epsilon` the Gaussian one.

    Source: ALG-EQ5.9, ALG-EQ5.12
    """
    ahead = maximum(lead, 0)
    priced = ahead if isinstance(epsilon, float) and epsilon == math.inf else minimum(3 * epsilon, ahead)
    return 2 * ahead * priced / (1 / count + 1 / other)


@quantity
def near_growth(y: Any) -> Any:
    """g_1(y) for y >= 0: the largest x with x^2 <= x + y sqrt(2x) + y^2/4.

    Source: ALG-T5.23

    >>> round(near_growth(12.0), 5)
    9.97948
    """
    return _increasing("y", y, 0, _growth, _enclosed_growth)


def _growth(y: np.ndarray) -> np.ndarray:
    low, high = np.ones(y.shape), 2 + 2 * y
    for _ in range(200):
        middle = (low + high) / 2
        below = near_growth_inverse(middle) < y
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return low


def near_growth_inverse(x: Any) -> Any:
    """The y >= 0 with g_1(y) = x, for x >= 1: a root of y^2/4 + y sqrt(2x) + x - x^2. Source: ALG-T5.23"""
    return 2 * (sqrt(x * (1 + x)) - sqrt(2 * x))


def _enclosed_growth(y: Any) -> Any:
    from flint import arb, ctx

    low, high = arb(1), (2 + 2 * y).upper()
    for _ in range(ctx.prec):
        middle = ((low + high) / 2).mid()
        reached = near_growth_inverse(middle)
        if reached < y:
            low = middle
        elif reached > y:
            high = middle
        else:
            break
    return hull(low, high)


def far_growth(y: Any) -> Any:
    """g_2(y) = 1 + 2/(sqrt(1 + 1/y) - 1) = 1 + 2y + 2 sqrt(y (y + 1)), y >= 0. Source: ALG-T5.23"""
    return 1 + 2 * y + 2 * sqrt(y * (y + 1))


def _increasing(
    name: str, x: Any, least: int, of_floats: Callable[[np.ndarray], np.ndarray], of_end: Callable[[Any], Any]
) -> Any:
    """An increasing function on [least, inf): `of_floats` of an array, `of_end` encloses it at an exact ball."""
    allowed = f"at least {least}" if least else "nonnegative"
    if _kind(x) == BALL:
        ball = to_ball(x)
        if not ball >= least:
            raise InvalidInput(name, ball, allowed)
        ends = [of_end(end) for end in ((ball,) if ball.is_exact() else (ball.lower(), ball.upper()))]
        return hull(ends[0], ends[-1])
    values = np.asarray(x, dtype=float)
    if not (values >= least).all():
        raise InvalidInput(name, x, allowed)
    result = of_floats(values)
    return result if isinstance(x, np.ndarray) else float(result)


def _kind(*values: Any) -> int:
    kind = system(*values)
    if kind not in (FLOAT, BALL):
        raise InvalidInput("value", type(values[0]).__name__, "floats, arrays or balls")
    return kind


def _plain_at(count: Any, other: Any, logarithm: Any) -> Any:
    return 2 * gaussian_deviation(logarithm / 2) + 2 * log(4 + log(count)) + 2 * log(4 + log(other))


def _zeta_for(s: Any, *beside: Any) -> Any:
    return zeta(to_ball(s)) if _kind(*beside) == BALL else zeta(s if isinstance(s, np.ndarray) else float(s))


def _sigma(*beside: Any) -> Any:
    return to_ball(SIGMA) if _kind(*beside) == BALL else float(SIGMA)


def _noise_unit(epsilon: Any) -> Any:
    """(epsilon sigma)^2."""
    return square(epsilon * _sigma(epsilon))


def _laplace_level(count: Any, delta: Any, arms: int, s: Any, share: int) -> Any:
    """log(share K zeta(s) k(n)^s / delta)."""
    return log(share * arms * _zeta_for(s, count, delta) * phase(count) ** s / delta)


def _half_lambert(count: Any, delta: Any, arms: int, s: Any) -> Any:
    """h(n, delta). Source: ALG-EQ5.14"""
    half = to_ball(Fraction(1, 2)) if _kind(count, delta) == BALL else 0.5
    return lambert_minus(2 * _laplace_level(count, delta, arms, s, 3) + 4 * log(4 + log(count)) + half) / 2
