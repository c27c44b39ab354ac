"""Balls over intervals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.numeric import to_ball


def ball_between(lower: Fraction, upper: Fraction) -> Any:
    """A ball that contains the closed interval; exactly the interval where its middle and radius fit.

    A ball that leaks past zero or one would leave the sign of a difference open on every box along that edge.
    """
    from flint import arb

    if lower == upper:
        return to_ball(lower)
    middle, radius = to_ball((lower + upper) / 2), (upper - lower) / 2
    if middle.is_exact() and radius.denominator & (radius.denominator - 1) == 0:
        # flint rounds a radius up to 30 bits: one that is a little smaller ends up exact
        ball = arb(middle, arb(((radius.numerator << 40) - 1, -40 - (radius.denominator.bit_length() - 1))))
        if ball.contains(to_ball(lower)) and ball.contains(to_ball(upper)):
            return ball
    return to_ball(lower).union(to_ball(upper))
