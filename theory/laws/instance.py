"""Bandit instances as values: a tuple of arms, each a member of a family of distributions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws.families import Bernoulli
from banditproof.theory.laws.law import Law
from banditproof.theory.numbers.number_types import Exact

__all__ = ["Bernoulli", "Instance", "instance_of"]


@named
@dataclass(frozen=True, init=False)
class Instance:
    """A tuple of arms, laws of one kind of family; `means=[...]` is a shorthand for Bernoulli arms.

    Arms may differ in their family's fixed parts (sigma, points): every arm has its own set of alternatives. Raises
    InvalidInput for no arms, for things that are not laws, for laws of different kinds, and for means outside [0, 1].

    >>> Instance(means=["0.75", "0.7"]).gaps
    (Fraction(0, 1), Fraction(1, 20))
    """

    arms: tuple[Any, ...]

    def __init__(self, arms: Iterable[Law] = (), *, means: Iterable[Exact] | None = None) -> None:
        name, given = ("arms", arms) if means is None else ("means", means)
        if means is not None and not (isinstance(arms, tuple) and not arms):
            raise InvalidInput("means", means, "left out beside arms, which have means")
        if isinstance(given, str | bytes | Set | Mapping):  # whose letters or keys would be arms; a set has none twice
            raise InvalidInput(name, given, "a list, such as ['0.75', '0.7']" if means is not None else "a list")
        try:
            members = tuple(arms) if means is None else tuple(Bernoulli(mean) for mean in means)
        except TypeError:
            raise InvalidInput(name, given, "a list") from None
        if not members:
            raise InvalidInput(name, given, "a list of at least one arm")
        for arm in members:
            if not isinstance(arm, Law):
                raise InvalidInput("arms", arm, "distributions such as Bernoulli(0.5)")
            if type(arm) is not type(members[0]):
                raise InvalidInput("arms", arm, f"laws of one kind, like the first arm {members[0]}")
        object.__setattr__(self, "arms", members)

    @cached_property
    def means(self) -> tuple[Fraction, ...]:
        """The mean of every arm, exact."""
        return tuple(arm.mean for arm in self.arms)

    @cached_property
    def best_mean(self) -> Fraction:
        """mu*, the largest mean."""
        return max(self.means)

    @cached_property
    def gaps(self) -> tuple[Fraction, ...]:
        """Delta_a = mu* - mu_a for every arm, exact."""
        best = self.best_mean
        return tuple(best - mean for mean in self.means)


def instance_of(given: Any, name: str = "instance") -> Instance:
    """An instance as every public function takes it: an Instance, a list of laws, or the means of Bernoulli arms.

    Raises InvalidInput for the parameter of this `name`.
    """
    if isinstance(given, Instance):
        return given
    listed = list(given) if _is_list(given) else []
    if not listed or any(map(_is_list, listed)):
        raise InvalidInput(name, given, "a list of means, such as ['0.75', '0.7'], a list of laws, or an Instance")
    return Instance(arms=listed) if any(isinstance(one, Law) for one in listed) else Instance(means=listed)


def _is_list(given: Any) -> bool:
    none = isinstance(given, str | bytes | Set | Mapping) or getattr(given, "ndim", 1) == 0
    return isinstance(given, Iterable) and not none
