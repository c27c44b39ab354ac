"""What every law of every family can do: its divergences as enclosures, and the least divergence to a better law.

A family defines `mean`, `largest_mean`, the divergences in balls, and how the three programs are solved and checked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from banditproof.theory.arguments import question
from banditproof.theory.errors import InvalidInput, NoNumber
from banditproof.theory.laws.infimum import NOTHING, ZERO, Infimum, bits_for
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import exact, exact_budget
from banditproof.theory.numbers.numeric import to_ball, working_precision

if TYPE_CHECKING:
    from banditproof.theory.laws.clipped import PricedDivergence

_BITS = 128


class Law(NoNumber, ABC):
    """A law within a family of laws; `largest_mean` is the supremum of the means in the family.

    `connected` families have laws with means next to every mean: there the infima over means > target and over
    means >= target agree (below `largest_mean`).
    """

    mean: Any
    largest_mean: ClassVar[Any]
    connected: ClassVar[bool] = True

    def kl(self, other: Any) -> Enclosure:
        """KL(self, other). Source: TH-D2.30"""
        return self._enclosed(other, lambda: self._kl(other))

    def tv(self, other: Any) -> Enclosure:
        """TV(self, other). Source: TH-D4.TV"""
        return self._enclosed(other, lambda: self._tv(other))

    def renyi(self, other: Any, alpha: Any) -> Enclosure:
        """The Rényi divergence D_alpha(self, other) for 0 < alpha < inf, at alpha = 1 KL. Source: TH-D2.3"""
        order = exact("alpha", alpha, lambda a: a > 0, "a number in (0, inf)")
        return self._enclosed(other, lambda: self._kl(other) if order == 1 else self._renyi(other, to_ball(order)))

    def kl_inf(self, target: Any) -> Infimum:
        """inf of KL(self, P) over laws P of the family with mean > target. Source: TH-D2.30"""
        return self._infimum("kl", target, None)

    def tv_inf(self, target: Any) -> Infimum:
        """inf of TV(self, P) over laws P of the family with mean > target. Source: TH-D4.TV"""
        return self._infimum("tv", target, None)

    def d_inf(self, target: Any, epsilon: Any) -> Infimum:
        """inf of epsilon TV(self, Q) + KL(Q, P) over laws Q, P with mean(Q) <= mean(P), mean(P) > target.

        `epsilon` in (0, inf]. Source: BDP-EQ9
        """
        return self._infimum("d", target, exact_budget(epsilon))

    def d_epsilon(self, other: Any, epsilon: Any) -> PricedDivergence:
        """inf of epsilon TV(self, R) + KL(R, other) over all laws R, within the family or not; see `clipped`.

        `epsilon` in (0, inf]. For Bernoulli laws it is the function d_epsilon. Source: BDP-EQ6

        >>> from banditproof.theory import Gaussian
        >>> Gaussian(0).d_epsilon(Gaussian(1), 1).value.decimal(6)
        '[0.285671, 0.285672]'
        """
        from banditproof.theory.laws.clipped import priced_divergence

        budget = exact_budget(epsilon)
        if not self.is_relative(other):
            raise InvalidInput("other", other, f"a law of the same family as {self}")
        return priced_divergence(self, other, budget)

    @question
    def is_relative(self, other: Any) -> bool:
        """Whether the other law belongs to the same family."""
        return isinstance(other, Law) and other._family() == self._family()

    def _enclosed(self, other: Any, value: Any) -> Enclosure:
        if not self.is_relative(other):
            raise InvalidInput("other", other, f"a law of the same family as {self}")
        if other == self:
            return ZERO
        for bits in (_BITS, 4 * _BITS, 16 * _BITS):  # more where complements or near ties cost some
            with working_precision(bits):
                enclosure = Enclosure.outward(value())
            if enclosure.width <= abs(enclosure.upper) / 2**64:
                break
        return enclosure

    def _infimum(self, divergence: str, target: Any, epsilon: Any) -> Infimum:
        target = exact("target", target, lambda _: True, "a finite number")
        result = Infimum(self, divergence, target, epsilon, ZERO, self, self.mean > target)
        if self.largest_mean <= target:
            return replace(result, value=NOTHING, alternative=None, attained=False)
        if self.mean > target or (self.connected and self.mean == target):
            return result
        with working_precision(bits_for(self, target, epsilon)):
            solved = self._solve(result)
            lower, upper = (Enclosure.from_ball(end) for end in self._ends(solved))
        return replace(solved, value=Enclosure(max(Fraction(0), lower.lower), upper.upper))

    def _family(self) -> Any:
        return type(self)

    def _priced(self, between: Any, better: Any, epsilon: Any) -> Any:
        """epsilon TV(self, between) + KL(between, better) as a ball; staying is free, whatever the budget."""
        paid = to_ball(0) if between == self else to_ball(epsilon) * to_ball(self._tv(between))
        return paid + (to_ball(0) if between == better else between._kl(better))

    @abstractmethod
    def _kl(self, other: Any) -> Any:
        """KL(self, other), a ball."""

    @abstractmethod
    def _tv(self, other: Any) -> Any:
        """TV(self, other), a ball."""

    @abstractmethod
    def _renyi(self, other: Any, alpha: Any) -> Any:
        """D_alpha(self, other) for a ball alpha other than 1, a ball."""

    @abstractmethod
    def _solve(self, problem: Infimum) -> Infimum:
        """The problem with laws and certificate filled in; only called where the infimum is neither 0 nor infinite."""

    @abstractmethod
    def _ends(self, infimum: Infimum) -> tuple[Any, Any]:
        """Balls that bound the infimum from below and above, from the laws and the certificate of a solved problem."""
