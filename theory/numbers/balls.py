"""Balls over intervals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.numeric import to_ball


def at_most_one(ball: Any) -> Any:
    """The part of a ball that is not beyond one, for what is at most one whatever rounding says."""
    if not (ball.upper() > 1 and ball < 2 and ball.lower() < 1):
        return ball
    digits, exponent = (1 - ball.lower()).upper().man_exp()
    short = max(0, int(digits).bit_length() - 24)
    gap = Fraction((int(digits) >> short) + 1) * Fraction(2) ** (int(exponent) + short)
    return ball_between(1 - gap, Fraction(1))


BITS = 28  # of a radius: flint keeps 30, and rounds up


def ball_between(lower: Fraction, upper: Fraction) -> Any:
    """A ball that contains the closed interval; exactly the interval where its middle and radius fit.

    A ball that leaks past zero or one would leave the sign of a difference open on every box along that edge, and lie
    outside of the domain of a quantity that ends there. So it ends exactly at a short end, of which zero is one.
    """
    if lower == upper:
        return to_ball(lower)
    radius = (upper - lower) / 2
    longer = _rounded_up(radius)
    for middle, half in (((lower + upper) / 2, radius), (lower + longer, longer), (upper - longer, longer)):
        if _is_short(half) and to_ball(middle).is_exact():
            ball = _ball(middle, half)
            if ball.contains(to_ball(lower)) and ball.contains(to_ball(upper)):
                return ball
    return to_ball(lower).union(to_ball(upper))


def _ball(middle: Fraction, radius: Fraction) -> Any:
    """The ball with this middle and radius, both short; flint rounds a radius up: one a little smaller ends exact."""
    from flint import arb

    digits, below = radius.numerator, radius.denominator.bit_length() - 1
    return arb(to_ball(middle), arb(((digits << 40) - 1, -40 - below)))


def _is_short(value: Fraction) -> bool:
    return value.denominator & (value.denominator - 1) == 0


def _rounded_up(value: Fraction) -> Fraction:
    """The next number of a few binary digits."""
    unit = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - BITS)
    return -(-value // unit) * unit
