"""The standard normal law in four number systems: distribution function, quantile, and the tail without its decay."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    MPF,
    SYMBOL,
    exp,
    promote,
    sqrt,
    system,
    to_ball,
    working_precision,
)
from banditproof.theory.numbers.ranges import Domains, inside, numbers
from banditproof.theory.numbers.roots import crossing
from banditproof.theory.numbers.term import quantity

_NAMED: Domains = {"x": (-np.inf, np.inf, "a number")}
_FAR = 1024  # from here on the decay e^(-x^2/2) leaves the range in which flint multiplies it away again
_TERMS = 500  # fewer than x^2 / 2, up to where the terms fall


@quantity
def normal_cdf(x: Number) -> Any:
    """Phi(x), for numbers, arrays, mpf, balls and SymPy expressions; infinities give 0 and 1.

    >>> float(normal_cdf(0.0))
    0.5
    """
    (x,) = inside(_NAMED, x=x)
    kind = system(x)
    if kind == FLOAT:
        from scipy.special import ndtr

        return ndtr(x)
    if kind == MPF:
        return _mpf_cdf(x)
    if kind == SYMBOL:
        import sympy

        return (1 + sympy.erf(x / sympy.sqrt(2))) / 2
    return _increasing(_ball_cdf, x)


def scaled_normal_tail(x: Any) -> Any:
    """Phi(-x) e^(x^2/2), a decreasing function: the tail of the normal law without its decay (balls and mpf).

    For balls the range is taken at the ends, so wide and unbounded ones are fine.
    """
    (x,) = numbers(_NAMED, x=x)
    if system(x) == MPF:
        return _asymptotic_scaled_tail(x)[1] if x > _FAR else normal_cdf(-x) * exp(x * x / 2)
    return _increasing(lambda end: _ball_scaled_tail(-end), -to_ball(x))


@quantity
def normal_quantile(p: Number) -> Any:
    """Phi^-1(p) for p in [0, 1], for numbers, arrays, mpf, balls and expressions; the ends give infinities.

    Raises InvalidInput for p outside [0, 1].
    """
    (p,) = numbers(_NAMED, p=p)
    kind = system(p)
    if kind == FLOAT:
        from scipy.special import ndtri

        if not ((p >= 0) & (p <= 1)).all():
            raise InvalidInput("p", p, "in [0, 1]")
        return ndtri(p)
    if kind == SYMBOL:
        import sympy

        return sympy.sqrt(2) * sympy.erfinv(2 * p - 1)
    if p < 0 or p > 1:
        raise InvalidInput("p", p, "in [0, 1]")
    if kind == MPF:
        import mpmath

        return mpmath.inf * (1 if p else -1) if p in (0, 1) else mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1)
    return _increasing(_ball_quantile, p)


def _increasing(function: Any, ball: Any) -> Any:
    """The range of an increasing function over a ball, from its values at the ends."""
    if ball.is_nan():
        return ball
    if ball.is_exact():
        return function(ball)
    return function(ball.lower()).union(function(ball.upper()))


def _mpf_cdf(x: Any) -> Any:
    import mpmath

    if not abs(x) > _FAR or mpmath.isinf(x):
        return mpmath.ncdf(x)
    tail = _asymptotic_scaled_tail(abs(x))[1] * exp(-x * x / 2)
    return tail if x < 0 else 1 - tail


def _ball_cdf(x: Any) -> Any:
    if not x.is_finite():
        return to_ball(1 if x > 0 else 0)
    return (-x / sqrt(to_ball(2))).erfc() / 2


def _ball_scaled_tail(x: Any) -> Any:
    if not x.is_finite():
        return to_ball(0) if x > 0 else x.pos_inf()
    if x > _FAR:
        before, total = _asymptotic_scaled_tail(x)
        return before.union(total)
    return (x / sqrt(to_ball(2))).erfc() / 2 * exp(x * x / 2)


def _asymptotic_scaled_tail(x: Any) -> tuple[Any, Any]:
    """(1 - 1/x^2 + 3/x^4 - 15/x^6 + ...) / (x sqrt(2 pi)): two partial sums, on either side of the value (x > 1024)."""
    import mpmath
    from flint import ctx

    ball = system(x) == BALL
    bits, pi = (ctx.prec, x.pi()) if ball else (mpmath.mp.prec, mpmath.pi)
    before = term = total = 1 + 0 * x
    for k in range(1, _TERMS):
        term = -term * (2 * k - 1) / (x * x)
        before, total = total, total + term
        if abs(term) < promote(Fraction(1, 2 ** (bits + 10)), x)[0]:
            break
    scale = x * sqrt(2 * pi)
    return before / scale, total / scale


def _ball_quantile(p: Any) -> Any:
    """Where the distribution function crosses p, or the tail 1 - p, on a logarithmic scale; from powers of two."""
    from flint import ctx

    if p <= 0 or p >= 1:
        return p.neg_inf() if p <= 0 else p.pos_inf()
    with working_precision(2 * ctx.prec + 20):
        low, high = to_ball(-1), to_ball(1)
        while not _ball_cdf(low) < p:
            low = 2 * low
        while not _ball_cdf(high) > p:
            high = 2 * high
        if p > 0.5:
            quantile = crossing(lambda x: ((1 - p) / _ball_cdf(-x)).log(), low, high, ctx.prec // 2 + 20)
        else:
            quantile = crossing(lambda x: (_ball_cdf(x) / p).log(), low, high, ctx.prec // 2 + 20)
    return quantile.lower().union(quantile.upper())
