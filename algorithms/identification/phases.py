"""Identification in phases: what is released of an arm is the noisy sum of its rewards in its last phase."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import PrivatePolicy
from banditproof.theory.arguments import Share, Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget


class InPhases(PrivatePolicy):
    """Private means of the arms' last phases, from which a subclass plans the pulls until the next phase ends.

    When a phase of an arm ends, the sum of its rewards in that phase, in [0, 1] each, is released with Laplace noise of
    scale 1/epsilon, and older ones are forgotten. A run stops where it is sure that the arm with the largest mean is
    the best one. `delta` in (0, 1) is the risk; `budget` is pure, inf for none. Raises InvalidInput.

    State [R, K]: `means`, `samples` (behind the means), `phases`, `pulls`, `pending` (in this segment).
    """

    per_replication: ClassVar[tuple[str, ...]] = (
        "means",
        "samples",
        "phases",
        "pulls",
        "start",
        "sums",
        "begun",
        "pending",
        "clock",
        "stopped",
        "recommendation",
    )

    @checked
    def __init__(
        self, arms: Size, budget: Budget, noise: NoiseSource, *, delta: Share, replications: Size | None = None
    ) -> None:
        super().__init__(arms, budget, noise, replications)
        if self.arms < 2:
            raise InvalidInput("arms", arms, "an integer, at least 2")
        self.delta = float(delta)
        shape = (self.replications, self.arms)
        self.means, self.sums = np.zeros(shape), np.zeros(shape)
        self.samples, self.phases, self.pulls, self.start, self.begun = (
            np.zeros(shape, dtype=np.int64) for _ in range(5)
        )
        self.pending = np.ones(shape, dtype=np.int64)
        self.clock, self.recommendation = (np.zeros(shape[0], dtype=np.int64) for _ in range(2))
        self.stopped = np.zeros(shape[0], dtype=bool)

    @abstractmethod
    def ended(self) -> np.ndarray:
        """Which phases end where no pulls are pending, bool [R, K]."""

    @abstractmethod
    def sure(self, rows: np.ndarray, arm: np.ndarray) -> np.ndarray:
        """Which arms `arm` [r] beats in these replications `rows` [r], bool [r, K]; its own entry does not count."""

    @abstractmethod
    def plan(self, rows: np.ndarray) -> None:
        """Set `pending` in these replications, of which there is at least one."""

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm = np.where(self.stopped, self.recommendation, (self.pending > 0).argmax(axis=1))
        return arm, np.where(self.stopped, LONGEST_BATCH, self.pending[np.arange(self.replications), arm])

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows, (asked, _) = np.arange(self.replications), self.next_batch()
        played = asked if arm is None else arm
        self.clock = self.clock + count
        self.sums[rows, played] += total
        self.pulls[rows, played] += count
        self.pending[rows, asked] = np.maximum(self.pending[rows, asked] - count, 0)
        over = ~self.stopped & ~self.pending.any(axis=1)
        ended = self.ended()
        waiting = (self.pulls == 0).any(axis=1)  # another arm was played in the first pulls than recommended
        self.pending[over & waiting] = ~ended[over & waiting]
        for one in range(self.arms):
            self._release(np.flatnonzero(over & ~waiting & ended[:, one]), one)
        self._try_to_stop(np.flatnonzero(over & ~waiting & ended.any(axis=1)))
        going = np.flatnonzero(over & ~waiting & ~self.stopped)
        if going.size:
            self.plan(going)

    def _release(self, rows: np.ndarray, arm: int) -> None:
        """Close the phase of `arm` in these replications."""
        if not rows.size:
            return
        at = rows, np.full(rows.size, arm)
        records = self.begun[at], self.clock[rows], at[1]
        released = self.noise.laplace(
            self.sums[at], sensitivity=1.0, budget=Budget.pure(self.epsilon[rows]), records=records
        )
        self.samples[at] = self.pulls[at] - self.start[at]
        self.means[at] = released / self.samples[at]
        self.phases[at] += 1
        self.start[at], self.begun[at], self.sums[at] = self.pulls[at], self.clock[rows], 0.0

    def _try_to_stop(self, rows: np.ndarray) -> None:
        """Name the arm with the largest mean, and stop where it beats every other one."""
        if not rows.size:
            return
        best = self.means[rows].argmax(axis=1)
        sure = self.sure(rows, best)
        sure[np.arange(rows.size), best] = True
        self.recommendation[rows], self.stopped[rows] = best, sure.all(axis=1)
