"""The least divergence from a law to a better one, as a value with everything that certifies it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.enclosure import Enclosure
from banditproof.theory.numeric import working_precision

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

        False as well if one of the three is not admissible (a mean too small, a multiplier outside its range, ...).
        """
        found = bounds(self)
        return found is not None and self.value.lower <= found.lower and found.upper <= self.value.upper

    def __float__(self) -> float:
        """The value, as the float nearest to the middle of its enclosure."""
        low, high = self.value.lower, self.value.upper
        return float(low if low == high else (low + high) / 2)


def bounds(infimum: Infimum) -> Enclosure | None:
    """The enclosure that the laws and the certificate of a result prove; None if they prove nothing."""
    law, target = infimum.law, infimum.target
    if infimum.alternative is None:
        return NOTHING if law.largest_mean <= target and infimum.certificate is None else None
    if not law.is_relative(infimum.alternative) or law.largest_mean <= target:
        return None
    mean, unchanged = infimum.alternative.mean, infimum.alternative == law
    attained = mean > target and (unchanged or not law.connected)
    if mean < target or infimum.attained != attained or not (law.connected or attained):
        return None
    if unchanged:
        return ZERO
    with working_precision(bits_for(law, target, infimum.epsilon)):
        ends = law._ends(infimum)
        if ends is None:
            return None
        lower, upper = (Enclosure.from_ball(end) for end in ends)
    least = max(Fraction(0), lower.lower)
    return Enclosure(least, upper.upper) if least <= upper.upper else None


DEAR = 200
"""Budgets above change a result by less than 2^-128 of it."""


def bits_for(law: Any, target: Fraction, epsilon: Any) -> int:
    """Bits for results to about 128 bits: the gap may cancel, twice in a divergence and twice in its certificate, and
    multipliers may come as close as e^-epsilon to the end of their range.
    """
    gap = abs(target - law.mean) / (1 + abs(target))
    lost = max(0, gap.denominator.bit_length() - gap.numerator.bit_length()) if gap else 0
    budget = 0 if epsilon in (None, math.inf) else min(epsilon, DEAR)
    return 160 + 4 * lost + 3 * math.ceil(budget)


def dyadic(ball: Any, up: bool = False) -> Fraction:
    """The middle of a ball, rounded to flint's precision (up: an upper bound of the ball)."""
    enclosure = Enclosure.from_ball(ball if up else ball.mid())
    return Fraction(enclosure.upper)
