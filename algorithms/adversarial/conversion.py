"""Any bandit learner made private: it hears one noisy mean loss per batch."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditproof.algorithms.adversarial.sampling import finite
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy, PrivatePolicy
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import checked

ROUNDING = 2.0**-50


def batch_for(epsilon: float | np.ndarray) -> np.ndarray:
    """ceil(1 / epsilon), where a float that stands for 1/n counts as such. Source: ADV-T1"""
    return np.maximum(np.ceil(1 / np.asarray(epsilon) * (1 - ROUNDING)), 1).astype(np.int64)


class PrivateBatches(PrivatePolicy):
    """Plays every action of `learner` for `batch` rounds, then tells it their mean loss with Laplace noise: epsilon-DP.

    The noise on the mean has scale 1 / (batch epsilon): a sum of losses in [0, 1] is released once, with noise of scale
    1 / epsilon, and divided. The last batch, if it is incomplete, tells nothing. Any policy that asks for single pulls
    and takes any real number as a loss is a learner; `batch` is ceil(1 / epsilon) by default, one number or one per
    replication, and 1 gives the older algorithms that add noise in every round.

    `budget` is pure. State: `learner`, `batch` and `clock` [R]. Raises InvalidInput. Source: ADV-A1, ADV-S1.1

    >>> from banditproof.algorithms.adversarial.learners import EXP3
    >>> generator = np.random.default_rng(0)
    >>> learner = EXP3(3, generator, rate=0.1, mixing=0.1)
    >>> PrivateBatches(learner, Budget.pure(0.25), NoiseSource(generator)).batch
    array([4])
    """

    per_replication: ClassVar[tuple[str, ...]] = ("batch", "clock")

    @checked
    def __init__(
        self, learner: Policy, budget: Budget, noise: NoiseSource, *, batch: int | np.ndarray | None = None
    ) -> None:
        super().__init__(learner.arms, budget, noise, learner.replications)
        sizes = batch_for(self.epsilon) if batch is None else np.asarray(batch)
        if sizes.dtype.kind not in "iu" or (sizes < 1).any() or sizes.size not in (1, self.replications):
            raise InvalidInput("batch", batch, "integers, at least 1, one or one per replication")
        self.learner, self.batch = learner, np.array(np.broadcast_to(sizes, self.replications))
        self.clock = np.zeros(self.replications, dtype=np.int64)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm, count = self.learner.next_batch()
        if (count != 1).any():
            raise InvalidInput("learner", count.tolist(), "one that asks for single pulls")
        return arm, self.batch

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        full = count == self.batch
        start, self.clock = self.clock, self.clock + count
        if not full.any():
            return
        heard = finite(total)
        # an incomplete batch ends its run: what its replication hears changes no action, and is not released
        sums = np.where(full, heard, 0.0)
        records = (start, np.where(full, self.clock, start))
        released = self.noise.laplace(sums, sensitivity=1.0, budget=Budget.pure(self.epsilon), records=records)
        ones = np.ones(self.replications, dtype=np.int64)
        self.learner.observe(released / self.batch, ones, arm)

    def keep(self, rows: np.ndarray) -> None:
        self.learner.keep(rows)
        super().keep(rows)
