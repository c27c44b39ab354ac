"""The standard normal law in four number systems: distribution function, quantile, and the tail without its decay."""

from __future__ import annotations

from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numeric import FLOAT, MPF, SYMBOL, exp, promote, sqrt, system, to_ball, working_precision


def normal_cdf(x: Any) -> Any:
    """Phi(x), for numbers, arrays, mpf, balls and SymPy expressions; infinities give 0 and 1.

    >>> float(normal_cdf(0.0))
    0.5
    """
    (x,) = promote(x)
    kind = system(x)
    if kind == FLOAT:
        from scipy.special import ndtr

        return ndtr(x)
    if kind == MPF:
        import mpmath

        return mpmath.ncdf(x)
    if kind == SYMBOL:
        import sympy

        return (1 + sympy.erf(x / sympy.sqrt(2))) / 2
    return _increasing(_ball_cdf, x)


def scaled_normal_tail(x: Any) -> Any:
    """Phi(-x) e^(x^2/2), a decreasing function: the tail of the normal law without its decay (balls and mpf).

    For balls the range is taken at the ends, so wide and unbounded ones are fine.
    """
    (x,) = promote(x)
    if system(x) == MPF:
        return normal_cdf(-x) * exp(x * x / 2)
    return _increasing(lambda end: _ball_scaled_tail(-end), -to_ball(x))


def normal_quantile(p: Any) -> Any:
    """Phi^-1(p) for p in [0, 1], for numbers, arrays, mpf and balls; the ends give infinities.

    Raises InvalidInput for p outside [0, 1].
    """
    (p,) = promote(p)
    kind = system(p)
    if kind == FLOAT:
        from scipy.special import ndtri

        if not ((p >= 0) & (p <= 1)).all():
            raise InvalidInput("p", p, "in [0, 1]")
        return ndtri(p)
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


def _ball_cdf(x: Any) -> Any:
    if not x.is_finite():
        return to_ball(1 if x > 0 else 0)
    return (-x / sqrt(to_ball(2))).erfc() / 2


def _ball_scaled_tail(x: Any) -> Any:
    if not x.is_finite():
        return to_ball(0) if x > 0 else x.pos_inf()
    return (x / sqrt(to_ball(2))).erfc() / 2 * exp(x * x / 2)


def _ball_quantile(p: Any) -> Any:
    """Bisection in balls on the distribution function, from a bracket of powers of two."""
    from flint import ctx

    if p <= 0 or p >= 1:
        return p.neg_inf() if p <= 0 else p.pos_inf()
    with working_precision(2 * ctx.prec + 20):
        low, high = to_ball(-1), to_ball(1)
        while not _ball_cdf(low) < p:
            low = 2 * low
        while not _ball_cdf(high) > p:
            high = 2 * high
        for _ in range(ctx.prec // 2 + 20):
            middle = ((low + high) / 2).mid()
            value = _ball_cdf(middle)
            if value.overlaps(p):
                break
            low, high = (middle, high) if value < p else (low, middle)
    return low.union(high)
