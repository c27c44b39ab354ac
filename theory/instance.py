"""Bandit instances as values: a tuple of arms, each a member of a family of distributions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory import bernoulli
from banditproof.theory.errors import InvalidInput


@dataclass(frozen=True)
class Bernoulli:
    """The Bernoulli distribution with this mean, within the family of all Bernoulli distributions.

    `mean` in [0, 1] is an int, float, Fraction, or a string such as "0.7" or "2/3", and is kept exactly, as a Fraction
    (a float is the dyadic rational that it is, so 0.7 is not "0.7").

    >>> Bernoulli(0.5).tv(Bernoulli("0.75"))
    np.float64(0.25)
    """

    mean: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", _exact_mean(self.mean))

    def kl(self, other: Bernoulli) -> Any:
        """KL(self, other). Source: BDP-D2.1c"""
        return bernoulli.kl_bernoulli(self.mean, other.mean)

    def tv(self, other: Bernoulli) -> Any:
        """TV(self, other). Source: BDP-D3.2"""
        return bernoulli.tv_bernoulli(self.mean, other.mean)

    def kl_inf(self, target: Any) -> Any:
        """inf of KL(self, P) over members P of the family with mean > target; inf if there is none. Source: BDP-EQ3"""
        return bernoulli.kl_inf(self.mean, target)

    def tv_inf(self, target: Any) -> Any:
        """inf of TV(self, P) over members P of the family with mean > target; inf if there is none. Source: BDP-S1.5"""
        return bernoulli.tv_inf(self.mean, target)

    def d_inf(self, target: Any, epsilon: Any) -> Any:
        """inf of d_epsilon(self, P) over members P with mean > target; inf if there is none. Source: BDP-EQ9"""
        return bernoulli.d_inf(self.mean, target, epsilon)


@dataclass(frozen=True, init=False)
class Instance:
    """A tuple of arms; `means=[...]` is a shorthand for Bernoulli arms.

    Raises InvalidInput for no arms, for things that are not arms, and for means outside [0, 1].

    >>> Instance(means=["0.75", "0.7"]).gaps
    (Fraction(0, 1), Fraction(1, 20))
    """

    arms: tuple[Bernoulli, ...]

    def __init__(self, arms: Iterable[Bernoulli] = (), *, means: Iterable[Any] | None = None) -> None:
        name, given = ("arms", arms) if means is None else ("means", means)
        try:
            members = tuple(arms) if means is None else tuple(Bernoulli(mean) for mean in means)
        except TypeError:
            raise InvalidInput(name, given, "a list") from None
        if not members:
            raise InvalidInput(name, given, "a list of at least one arm")
        for arm in members:
            if not isinstance(arm, Bernoulli):
                raise InvalidInput("arms", arm, "distributions such as Bernoulli(0.5)")
        object.__setattr__(self, "arms", members)

    @property
    def means(self) -> tuple[Fraction, ...]:
        """The mean of every arm, exact."""
        return tuple(arm.mean for arm in self.arms)

    @property
    def best_mean(self) -> Fraction:
        """mu*, the largest mean."""
        return max(self.means)

    @property
    def gaps(self) -> tuple[Fraction, ...]:
        """Delta_a = mu* - mu_a for every arm, exact."""
        return tuple(self.best_mean - mean for mean in self.means)


def _exact_mean(value: Any) -> Fraction:
    try:
        mean = Fraction(value.item() if isinstance(value, np.generic) else value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InvalidInput("mean", value, "a number in [0, 1]") from None
    if isinstance(value, bool) or not 0 <= mean <= 1:
        raise InvalidInput("mean", value, "a number in [0, 1]")
    return mean
