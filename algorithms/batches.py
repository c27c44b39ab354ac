"""Batch schedules: how many pulls the m-th batch of an arm lasts, in exact arithmetic.

A schedule is fixed before the first reward is seen and is common to all arms: the first batch of an arm lasts
`size(0)` pulls, and after batch m the arm has been pulled `total(m)` times.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from numbers import Rational

import numpy as np

from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput

LONGEST_BATCH = 2**61  # stands for anything longer; the sum of two still fits an int64 clock
LATEST_BATCH = 10**5  # far beyond what a run reaches


class BatchSchedule(ABC):
    """Batch sizes B_0, B_1, ... (positive integers) and their running sums n_m = B_0 + ... + B_m."""

    @abstractmethod
    def total(self, m: int) -> int:
        """n_m, the number of pulls of an arm after its batch m = 0, 1, ...; n_{-1} = 0."""

    @abstractmethod
    def totals(self) -> Iterator[int]:
        """n_0, n_1, ... without end."""

    def size(self, m: int) -> int:
        """B_m, the number of pulls of batch m = 0, 1, ..."""
        return self.total(_integer("m", m, 0)) - self.total(m - 1)

    def sizes(self) -> Iterator[int]:
        """B_0, B_1, ... without end, cut at `LONGEST_BATCH`."""
        before = 0
        for total in self.totals():
            yield min(total - before, LONGEST_BATCH)
            before = total

    def sizes_until(self, horizon: int) -> np.ndarray:
        """The sizes B_0, ..., B_m up to the first m with n_m >= horizon: int64, cut at `LONGEST_BATCH`."""
        _integer("horizon", horizon, 1)
        sizes, total = [], 0
        for size in self.sizes():
            sizes.append(size)
            total += size
            if total >= horizon:
                return np.array(sizes, dtype=np.int64)
        raise AssertionError("a schedule of batches has no last batch")


@dataclass(frozen=True, init=False)
class GeometricBatches(BatchSchedule):
    """The schedule with n_m = ceil(n0 (alpha^(m+1) - 1) / (alpha - 1)): sizes grow like n0 alpha^m, and B_0 = n0.

    `alpha` > 1 is an int, a Fraction or a decimal string such as "1.1"; `n0` >= 1 is an int. A float is refused
    unless it is an integer: the float 1.1 is the number 1.100000000000000088..., so its ceilings belong to another
    schedule; and ceilings taken in floating point are wrong for some m even where alpha is exact.

    Raises InvalidInput. Source: BDP-EQ14
    """

    alpha: Fraction
    n0: int

    @checked
    def __init__(self, alpha: Fraction | float | str, n0: int = 1) -> None:
        object.__setattr__(self, "alpha", _exact_ratio(alpha))
        object.__setattr__(self, "n0", _integer("n0", n0, 1))

    def total(self, m: int) -> int:
        if _integer("m", m, -1) == -1:
            return 0
        p, q = self.alpha.numerator, self.alpha.denominator
        return -(-self.n0 * (p ** (m + 1) - q ** (m + 1)) // (q**m * (p - q)))

    def totals(self) -> Iterator[int]:
        p, q = self.alpha.numerator, self.alpha.denominator
        p_power, q_power = p, q  # p^(m+1), q^(m+1)
        while True:
            yield -(-self.n0 * (p_power - q_power) * q // (q_power * (p - q)))
            p_power, q_power = p_power * p, q_power * q


@dataclass(frozen=True)
class PolynomialBatches(BatchSchedule):
    """The schedule B_m = (m + 1)^power with an integer power >= 0; power 0 means one pull per batch.

    Raises InvalidInput. Source: BDP-SF.2
    """

    power: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "power", _integer("power", self.power, 0))

    def total(self, m: int) -> int:
        return sum(k**self.power for k in range(1, _integer("m", m, -1) + 2))

    def totals(self) -> Iterator[int]:
        total = 0
        for k in count(1):
            total += k**self.power
            yield total


@checked
@dataclass(frozen=True)
class DoublingBatches(BatchSchedule):
    """The schedule 1, 1, 2, 4, ...: every batch of an arm but the first is as long as all before it. Source: ALG-A7"""

    def total(self, m: int) -> int:
        return 2**m if _integer("m", m, -1) >= 0 else 0

    def totals(self) -> Iterator[int]:
        return (2**m for m in count())


@dataclass(frozen=True)
class CommittingBatches(BatchSchedule):
    """The schedule n0, LONGEST_BATCH, LONGEST_BATCH, ...: an arm that is chosen again is chosen for good.

    Raises InvalidInput. Source: TH-A2.ETC
    """

    n0: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n0", _integer("n0", self.n0, 1))

    def total(self, m: int) -> int:
        return self.n0 + m * LONGEST_BATCH if _integer("m", m, -1) >= 0 else 0

    def totals(self) -> Iterator[int]:
        return (self.n0 + m * LONGEST_BATCH for m in count())


def _exact_ratio(alpha: object) -> Fraction:
    allowed = 'an int, a Fraction or a decimal string such as "1.1", greater than 1'
    if isinstance(alpha, float) and not alpha.is_integer():
        raise InvalidInput("alpha", alpha, f"{allowed} (a float is not the decimal it was written as)")
    if isinstance(alpha, bool) or not isinstance(alpha, str | float | Rational):
        raise InvalidInput("alpha", alpha, allowed)
    try:
        ratio = Fraction(alpha)
    except (ValueError, ZeroDivisionError):
        raise InvalidInput("alpha", alpha, allowed) from None
    if ratio <= 1:
        raise InvalidInput("alpha", alpha, allowed)
    return ratio


def _integer(parameter: str, value: object, smallest: int) -> int:
    largest = LATEST_BATCH if parameter == "m" else LONGEST_BATCH
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not smallest <= value <= largest:
        raise InvalidInput(parameter, value, f"an integer between {smallest} and {largest}")
    return int(value)
