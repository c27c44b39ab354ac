"""Which rewards there are: the numbers of an interval, or those of a set such as {0, 1}.

Lists of rewards are drawn as shares in [0, 1], 0 for the lowest reward and 1 for the highest one. So the same seed
gives lists of the same kinds whatever the rewards are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.theory.arguments import floats
from banditproof.theory.errors import InvalidInput

_INTERVAL = re.compile(r"\s*\[([^,\[\]]+),([^,\[\]]+)\]\s*")
_ALLOWED = "a set of at least two numbers, such as {0, 1}, or a closed interval as text, such as '[0, 1]'"
_SHOWN = 6  # rewards of a set that are printed one by one


@dataclass(frozen=True)
class PossibleRewards:
    """All numbers from `low` to `high`, or only the `values` [n], in increasing order, if these are given."""

    low: float = 0.0
    high: float = 1.0
    values: tuple[float, ...] = ()

    @classmethod
    def of(cls, given: RewardsIn) -> PossibleRewards:
        """What a set of numbers, or an interval as text, says; what was read is returned. Raises InvalidInput."""
        if isinstance(given, PossibleRewards):
            return given
        refused = InvalidInput("rewards_in", given, _ALLOWED)
        interval = _INTERVAL.fullmatch(given) if isinstance(given, str) else None
        if interval is None and not isinstance(given, Set):  # a tuple or a list may be meant as an interval
            raise refused
        try:
            numbers = sorted(float(number) for number in (interval.groups() if interval else given))
        except (TypeError, ValueError, OverflowError):
            raise refused from None
        if len(set(numbers)) < 2 or not np.isfinite(numbers).all() or not np.isfinite(numbers[-1] - numbers[0]):
            raise refused
        if interval and numbers[0] != float(interval[1]):
            raise refused
        return cls(numbers[0], numbers[-1], () if interval else tuple(numbers))

    def __contains__(self, reward: float) -> bool:
        return reward in self.values if self.values else self.low <= reward <= self.high

    def __str__(self) -> str:
        if not self.values:
            return f"[{self.low:g}, {self.high:g}]"
        shown = [f"{value:g}" for value in self.values]
        return "{" + ", ".join(shown if len(shown) <= _SHOWN else [*shown[:2], "...", shown[-1]]) + "}"

    @property
    def literal(self) -> str:
        """Python that `of` reads."""
        ends = [repr(int(x) if x == int(x) else x) for x in self.values or (self.low, self.high)]
        return f"{{{', '.join(ends)}}}" if self.values else f'"[{", ".join(ends)}]"'

    def at(self, shares: np.ndarray) -> np.ndarray:
        """The rewards at these shares of the way from the lowest to the highest one; all of a set are equally wide."""
        if self.values:
            places = np.minimum((shares * len(self.values)).astype(int), len(self.values) - 1)
            return np.array(self.values)[places]
        return np.where(shares == 1, self.high, self.low + shares * (self.high - self.low))

    def far_outside(self, shares: np.ndarray) -> np.ndarray:
        """Numbers that are so many times the whole width away; for a set of numbers a whole number of times."""
        return self.low + (np.rint(shares) if self.values else shares) * (self.high - self.low)

    def farthest(self, reward: float) -> float:
        """The reward at the largest distance, one of the two ends."""
        return self.high if reward - self.low < self.high - reward else self.low

    def check(self, parameter: str, rewards: Sequence[float]) -> None:
        """Raises InvalidInput unless these are rewards [T] that are possible."""
        array = floats(parameter, rewards, f"numbers in {self}")
        if array.ndim != 1 or not array.size:
            raise InvalidInput(parameter, rewards, f"a non-empty list of numbers in {self}")
        inside = np.isin(array, self.values) if self.values else (array >= self.low) & (array <= self.high)
        if not inside.all():  # nan is outside, too
            raise InvalidInput(parameter, float(array[~inside][0]), f"in {self}")


UNIT = PossibleRewards()
"""All numbers in [0, 1]."""

if TYPE_CHECKING:
    RewardsIn = Set[float] | str | PossibleRewards
else:  # `PossibleRewards.of` reads it
    RewardsIn = Any
