"""Quotients of Bernoulli divergences and squares, also where both vanish: Taylor's formula with Lagrange's remainder.

    kl(p, q) = (p - q)^2 / (2 t (1-t))  for some t between p and q, as kl(., q) has the second derivative 1 / (p (1-p));
    log E e^(lam (X - p)) = lam^2 s (1-s) / 2  for some s between p and the mean to which lam tilts Bernoulli(p).

On wide balls the quotients are the ranges of the right sides; on narrow ones that stay apart from the singularity they
are computed from their definitions.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any

from banditproof.theory.laws.bernoulli import kl_bernoulli
from banditproof.theory.numbers.balls import ball_between
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import square, to_ball
from banditproof.theory.numbers.ranges import check
from banditproof.theory.numbers.term import quantity

_NARROW = Fraction(1, 2**20)
_GRID = 2**24


@quantity
def square_over_kl(p: Any, q: Any) -> Any:
    """(p - q)^2 / kl(p, q) for means p, q, as a ball; its limit 2 p (1-p) at p = q."""
    divergence = kl_bernoulli(p, q)
    if divergence > 0 and (divergence.rad() < divergence.mid() * to_ball(_NARROW)):
        return square(p - q) / divergence
    return variance_between(p, q, Fraction(2))


@quantity
def cumulant_over_square(p: Any, lam: Any) -> Any:
    """log E e^(lam (X - p)) / lam^2 for X ~ Bernoulli(p), as a ball; its limit p (1-p) / 2 at lam = 0."""
    check(p=p)
    if p.is_nan() or lam.is_nan():
        return p * lam
    moment = 1 + p * lam.expm1() if lam.is_finite() else lam
    if moment.is_finite() and moment > 0:
        value = moment.log() - p * lam
        if not lam.contains(0) and value.rad() < square(lam.abs_lower()) * to_ball(_NARROW):
            return value / square(lam)
        tilted = p * lam.exp() / moment
        if tilted.is_finite():
            return variance_between(p, tilted, Fraction(1, 2))
    return ball_between(Fraction(0), Fraction(1, 8))


def variance_between(a: Any, b: Any, scale: Fraction) -> Any:
    """The range of scale t (1-t) for t in [0, 1] between two balls; it does not leak beyond 0 or scale/4."""
    ends = [Enclosure.from_ball(ball) for ball in (a, b)]
    low = max(Fraction(0), min(Fraction(end.lower) for end in ends))
    high = min(Fraction(1), max(Fraction(end.upper) for end in ends))
    nearest = min(max(Fraction(1, 2), low), high)
    least, most = min(low * (1 - low), high * (1 - high)), nearest * (1 - nearest)
    # short ends fit into a ball exactly
    return ball_between(Fraction(floor(scale * least * _GRID), _GRID), Fraction(ceil(scale * most * _GRID), _GRID))
