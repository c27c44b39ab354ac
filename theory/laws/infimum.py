"""The least divergence from a law to a better one, as a value with everything that certifies it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.enclosure import Enclosure

NOTHING = Enclosure(math.inf, math.inf)
ZERO = Enclosure(0, 0)


@dataclass(frozen=True)
class Infimum:
    """inf of a divergence from `law` over the laws P' of its family with mean > target, strictly.

    `divergence` is "kl": KL(P, P'); "tv": TV(P, P'); or "d": epsilon TV(P, Q) + KL(Q, P'), minimised over Q as well.
    `alternative` is the P' (`intermediate` the Q) whose divergence is the upper end of `value`. If `attained`, it is a
    minimiser; else its mean is the target, up to rounding, and laws next to it approach the infimum. It is None if the
    family has no law with a larger mean; then the value is inf. `certificate` gives the lower end: a multiplier, a
    threshold of an event, or breakpoints; None where the value is 0, inf, or a minimum over finitely many laws.
    """

    law: Any
    divergence: str
    target: Fraction
    epsilon: Any  # a Fraction or inf for "d", else None
    value: Enclosure
    alternative: Any
    attained: bool
    intermediate: Any = None
    certificate: Any = None

    def recheck(self) -> bool:
        """Whether both ends follow from `alternative`, `intermediate` and `certificate`, in balls and without a solver.

        The formulas are those of `infimum_check`, not the ones that the value was computed with. False as well if one
        of the three is not admissible (a mean too small, a multiplier outside its range, ...).
        """
        from banditproof.theory.laws.infimum_check import proved

        this: Any = self
        found = proved(this)
        return found is not None and self.value.lower <= found.lower and found.upper <= self.value.upper

    def __float__(self) -> float:
        """The value, as the float nearest to the middle of its enclosure."""
        low, high = self.value.lower, self.value.upper
        return float(low if low == high else (low + high) / 2)


DEAR = 200
"""Budgets above change a result by less than 2^-128 of it."""


def bits_for(law: Any, target: Fraction, epsilon: Any) -> int:
    """Bits for results to about 128 bits: the gap may cancel, twice in a divergence and twice in its certificate,
    multipliers may come as close as e^-epsilon to the end of their range, a small budget asks for laws as close, and a
    large one multiplies errors.
    """
    gap = abs(target - law.mean) / (1 + abs(target))
    lost = max(0, gap.denominator.bit_length() - gap.numerator.bit_length()) if gap else 0
    if epsilon in (None, math.inf):
        return 160 + 4 * lost
    size = abs(epsilon.denominator.bit_length() - epsilon.numerator.bit_length())
    return 160 + 4 * lost + 3 * math.ceil(min(epsilon, DEAR)) + 2 * size


def dyadic(ball: Any, up: bool = False) -> Fraction:
    """The middle of a ball, rounded to flint's precision (up: an upper bound of the ball)."""
    enclosure = Enclosure.from_ball(ball if up else ball.mid())
    return Fraction(enclosure.upper)
