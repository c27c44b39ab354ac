"""A policy given by its law of the next arm after every history, such as the optimal one of a finite program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.policy import Policy
from banditproof.theory.arguments import Size, checked
from banditproof.theory.errors import InvalidInput


class HistoryPolicy(Policy):
    """Draws arm a with probability `probability(((a_1, r_1), ..., (a_(t-1), r_(t-1))))[a]`, one pull at a time.

    Rewards are whole numbers, such as those of Bernoulli arms. A row that is no law on the arms, and a reward that is
    no whole number, raise InvalidInput. Source: BDP-D2.1
    """

    per_replication = ("histories",)

    @checked
    def __init__(
        self,
        arms: Size,
        probability: Callable[[tuple[tuple[int, int], ...]], Sequence[Fraction | float]],
        generator: np.random.Generator,
        replications: Size = 1,
    ) -> None:
        super().__init__(arms, replications)
        self.probability, self.generator = probability, generator
        self.histories = np.fromiter(((),) * replications, dtype=object, count=replications)
        self._rows: dict[tuple[tuple[int, int], ...], np.ndarray] = {}

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        coins = self.generator.random(self.replications)
        sums = [self._sums_after(history) for history in self.histories]
        self._arm = np.array([int(np.searchsorted(row, coin, "right")) for row, coin in zip(sums, coins, strict=True)])
        return self._arm, np.ones(self.replications, dtype=np.int64)

    def _sums_after(self, history: tuple[tuple[int, int], ...]) -> np.ndarray:
        """Partial sums of the law of the next arm, the last one 1."""
        if history not in self._rows:
            given: Any = self.probability(history)
            row = [*map(Fraction, given)] if np.iterable(given) else [given]
            if len(row) != self.arms or min(row) < 0 or abs(sum(row) - 1) > Fraction(1, 10**9):
                raise InvalidInput("probability", row, f"{self.arms} probabilities that sum to 1")
            sums = np.cumsum([float(p) for p in row])
            last = max(arm for arm, p in enumerate(row) if p)
            sums[last:] = 1  # no coin falls beyond it, or on an arm of probability 0
            self._rows[history] = sums
        return self._rows[history]

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        if np.any(total != np.floor(total)):
            raise InvalidInput("reward", total, "a whole number")
        played = self._arm if arm is None else arm
        for row, (a, r) in enumerate(zip(played.tolist(), total.tolist(), strict=True)):
            self.histories[row] = (*self.histories[row], (a, int(r)))
