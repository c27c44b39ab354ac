"""Successive elimination, and DP-SE, the same with private means."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import PrivatePolicy
from banditproof.algorithms.registration import IdentificationSetting, Setting, at_horizon, registered, with_risk
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Size, checked


@registered(
    "dp-se",
    Setting,
    "ALG-A-DPSE",
    asks=("horizon",),
    options={"beta": None},
    how=at_horizon,
    bugs="elimination",
    pulls=12_000,
    hurried={"beta": 0.9},
)
@registered("dp-se", IdentificationSetting, "ALG-A-DPSE-BAI", how=with_risk)
class DPSE(PrivatePolicy):
    """DP-SE: in epoch e, every arm still active is pulled R_e times; arms that look worse than 2^-e are dropped.

    With Delta = 2^-e and |S| active arms, R_e is the integer part of
    max{32 log(8|S|e^2/beta) / Delta^2, 8 log(4|S|e^2/beta) / (epsilon Delta)} + 1. The sum of an arm's R_e rewards, in
    [0, 1], is released with Laplace noise of scale 1/epsilon, and an arm is dropped if its mean lies more than
    2 sqrt(log(8|S|e^2/beta) / (2 R_e)) + 2 log(4|S|e^2/beta) / (R_e epsilon) below the best one of the epoch. Older
    epochs are forgotten; the last active arm is played for ever. Arms are pulled in order, an epoch's R_e pulls of one
    arm in a row; a batch that is cut short is released as it is, and ends the arm's turn.

    `beta` in (0, 1) is the probability of failure, or `horizon` gives beta = 1/T. `budget` is pure, its epsilon one
    number or one per replication [R]. Not anytime in the second form. Raises InvalidInput.

    It also identifies the best arm (`Strategy`): a run has `stopped` when one arm is left, its `recommendation`, which
    is wrong with probability at most `beta`.

    State: `active` (bool), `means` (released in this epoch) [R, K]; `epoch`, `turn` (the arm) [R].
    Source: ALG-A-DPSE
    """

    per_replication: ClassVar[tuple[str, ...]] = ("active", "means", "epoch", "turn", "clock")
    presets = {"figure-5.2": {"horizon": 10**7}}

    @checked
    def __init__(
        self,
        arms: Size,
        budget: Budget,
        noise: NoiseSource,
        *,
        beta: float | None = None,
        horizon: int | None = None,
        replications: Size | None = None,
    ) -> None:
        super().__init__(arms, budget, noise, replications)
        if (beta is None) == (horizon is None):
            raise InvalidInput("beta, horizon", (beta, horizon), "such that exactly one of them is given")
        self.beta = float(1 / horizon if beta is None and horizon else beta or 0)
        if not 0 < self.beta < 1:
            raise InvalidInput("beta", self.beta, "in (0, 1)")
        self.active = np.ones((self.replications, self.arms), dtype=bool)
        self.means = np.zeros((self.replications, self.arms))
        self.epoch = np.ones(self.replications, dtype=np.int64)
        self.turn = np.zeros(self.replications, dtype=np.int64)
        self.clock = np.zeros(self.replications, dtype=np.int64)

    @property
    def stopped(self) -> np.ndarray:
        """Whether one arm is left, [R]."""
        return self.active.sum(axis=1) == 1

    @property
    def recommendation(self) -> np.ndarray:
        """The lowest arm that is left, [R]."""
        return self.active.argmax(axis=1)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        return self.turn, np.where(self.stopped, LONGEST_BATCH, self._pulls())

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows, played = np.arange(self.replications), self.turn if arm is None else arm
        records = self.clock, self.clock + count
        released = self.noise.laplace(total, sensitivity=1.0, budget=self.budget, records=records)
        self.means[rows, played] = released / count
        self.clock = self.clock + count
        later = self.active & (np.arange(self.arms) > self.turn[:, np.newaxis])
        over = np.logical_not(later.any(axis=1))
        self._eliminate(over)
        self.turn = np.where(over, self.active.argmax(axis=1), later.argmax(axis=1))

    def _logarithm(self, factor: float) -> np.ndarray:
        """log(factor |S| e^2 / beta), [R]."""
        return np.log(factor * self.active.sum(axis=1) * self.epoch.astype(float) ** 2 / self.beta)

    def _pulls(self) -> np.ndarray:
        gap = 2.0**-self.epoch
        needed = np.maximum(32 * self._logarithm(8) / gap**2, 8 * self._logarithm(4) / (self.epsilon * gap))
        return np.minimum(np.floor(needed) + 1, float(LONGEST_BATCH)).astype(np.int64)

    def _eliminate(self, over: np.ndarray) -> None:
        """Close the epoch of the replications `over` [R]."""
        pulls = self._pulls()
        slack = 2 * np.sqrt(self._logarithm(8) / (2 * pulls)) + 2 * self._logarithm(4) / (pulls * self.epsilon)
        best = np.where(self.active, self.means, -np.inf).max(axis=1)
        worse = best[:, np.newaxis] - self.means > slack[:, np.newaxis]
        contested = over & (self.active.sum(axis=1) > 1)
        self.active &= ~(worse & contested[:, np.newaxis])
        self.epoch += contested


@registered(
    "successive-elimination",
    Setting,
    "ALG-A-SE",
    kinds=(),
    asks=("horizon",),
    options={"beta": None},
    how=at_horizon,
    bugs="elimination",
)
@registered("successive-elimination", IdentificationSetting, "ALG-A-SE", kinds=(), how=with_risk)
class SuccessiveElimination(DPSE):
    """DP-SE with an infinite budget: no noise, and nothing allowed for it. Source: ALG-A-SE"""

    @checked
    def __init__(self, arms: Size, *, noise: NoiseSource | None = None, **options: Any) -> None:
        super().__init__(arms, Budget.pure(np.inf), noise or NoiseSource(), **options)
