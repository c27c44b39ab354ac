"""Exact error laws of three private counters: fresh noise per sum, noise per bit, and the binary tree.

A counter answers every prefix sum of a stream of T bits under epsilon-DP. The error of each answer is a sum of
independent Laplace variables of one scale, so that its variance, its tail and the (alpha, beta)-usefulness are exact.

Source: TH-D2.1co, TH-A2.SM1, TH-A2.SM2, TH-A2.BT
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.numbers.certified import of_numbers
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import check_count, exact
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import to_ball, working_precision
from banditproof.theory.numbers.ranges import number_as_ball
from banditproof.theory.numbers.term import quantity
from banditproof.theory.privacy.laplace_sums import laplace_sum_tail

COUNTERS = ("fresh noise per sum", "noise per bit", "binary tree")
_LONGEST = 10**300
_BITS = 256
_WIDTH = 50  # bits of relative width of a quantile


@dataclass(frozen=True)
class ErrorLaw:
    """The sum of `terms` independent centred Laplace variables of a scale (a rational number)."""

    terms: int
    scale: Fraction

    @property
    def variance(self) -> Fraction:
        """2 terms scale^2, exact."""
        return 2 * self.terms * self.scale**2

    @of_numbers
    def tail(self, alpha: Any) -> Any:
        """P(|error| >= alpha) for alpha >= 0, enclosed; of a flint ball a ball."""
        return 2 * laplace_sum_tail(self.terms, to_ball(alpha) / to_ball(self.scale))

    def quantile(self, beta: Any) -> Enclosure:
        """The alpha with P(|error| >= alpha) = beta for `beta` in (0, 1), to a relative width of about 2^-50."""
        with working_precision(_BITS):
            beta = number_as_ball("beta", beta, "in (0, 1)")
            if not (beta > 0 and beta < 1):
                raise InvalidInput("beta", beta, "in (0, 1)")
            high = to_ball(self.scale)
            while not self.tail(high) < beta:
                high = 2 * high
            low = high / 2
            while not (tail := self.tail(low)) > beta:
                high, low = low if tail < beta else high, low / 2
            for _ in range(_WIDTH + 10):
                middle = ((low + high) / 2).mid()
                tail = self.tail(middle)
                if not (tail < beta or tail > beta):
                    break
                low, high = (middle, high) if tail > beta else (low, middle)
            return Enclosure.from_ball(low.union(high))


@quantity
def tree_levels(horizon: int) -> int:
    """How many nodes of the complete binary tree over 2^ceil(log2 T) >= T leaves contain one leaf: ceil(log2 T) + 1.

    >>> tree_levels(8)
    4

    Policies that release a node when it closes have no use for those that T steps do not close, and count
    floor(log2 T) + 1: the same where T is a power of two, else one less.

    Source: TH-A2.BT
    """
    return (check_count("horizon", horizon, 1) - 1).bit_length() + 1


@named
def dyadic_cover(t: int) -> tuple[tuple[int, int], ...]:
    """The tree nodes that make up the first t steps, as half-open ranges (start, stop): one for each binary digit 1.

    >>> dyadic_cover(7)
    ((0, 4), (4, 6), (6, 7))

    Source: TH-A2.BT
    """
    t = check_count("t", t, 1)
    ranges, start = [], 0
    for level in reversed(range(t.bit_length())):
        if t >> level & 1:
            ranges.append((start, start + (1 << level)))
            start += 1 << level
    return tuple(ranges)


@quantity
def counting_error(counter: str, t: int, horizon: int, epsilon: Exact) -> ErrorLaw:
    """The law of the error at step `t` of an epsilon-DP counter for `horizon` steps; `counter` as in `COUNTERS`.

    Fresh noise per sum: one variable of scale T/epsilon. Noise per bit: t variables of scale 1/epsilon. Binary tree:
    as many variables as t has binary digits 1, of scale `tree_levels(T)`/epsilon. `epsilon` > 0 is an int, Fraction,
    decimal string or float (exact).

    >>> counting_error("binary tree", 7, 8, 1)
    ErrorLaw(terms=3, scale=Fraction(4, 1))

    Source: TH-A2.SM1, TH-A2.SM2, TH-A2.BT
    """
    horizon, t = check_count("horizon", horizon, 1, _LONGEST), check_count("t", t, 1)
    if t > horizon:
        raise InvalidInput("t", t, f"a step of 1, ..., {horizon}")
    rate = _positive(epsilon)
    laws = {
        "fresh noise per sum": (1, horizon / rate),
        "noise per bit": (t, 1 / rate),
        "binary tree": (t.bit_count(), tree_levels(horizon) / rate),
    }
    one_of("counter", counter, COUNTERS)
    return ErrorLaw(*laws[counter])


def _positive(epsilon: Any) -> Fraction:
    return exact("epsilon", epsilon, lambda e: e > 0, "a positive finite number")


def worst_step(counter: str, horizon: int) -> int:
    """The first step at which the error is largest: with the most noise terms.

    Source: TH-D2.1co
    """
    horizon = check_count("horizon", horizon, 1)
    one_of("counter", counter, COUNTERS)
    if counter == "fresh noise per sum":
        return 1
    if counter == "noise per bit":
        return horizon
    return max((1 << k) - 1 for k in range(1, horizon.bit_length() + 1) if (1 << k) - 1 <= horizon)


@quantity
def usefulness(counter: str, horizon: int, epsilon: Exact, beta: Exact) -> Enclosure:
    """The smallest alpha for which the counter is (alpha, beta)-useful: the beta-quantile at its worst step.

    Per step, as the definition says; for all steps at once ask with beta / T.

    >>> usefulness("fresh noise per sum", 4, 1, "1/2").decimal(6)
    '[2.77258, 2.77259]'

    Source: TH-D2.1co
    """
    return counting_error(counter, worst_step(counter, horizon), horizon, epsilon).quantile(beta)
