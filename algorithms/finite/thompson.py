"""Thompson sampling for Bernoulli arms."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditproof.algorithms.policy import Policy
from banditproof.algorithms.registration import Setting, registered
from banditproof.theory.arguments import Size, checked


@registered("thompson-sampling", Setting, "ALG-A-NP-UCB", every_pull=True, asks=("generator",), bugs="thompson")
class ThompsonSampling(Policy):
    """Draws a mean for every arm from its posterior under a uniform prior and pulls the arm with the largest.

    With S the sum of an arm's N rewards, in [0, 1], the posterior is Beta(1 + S, 1 + N - S). No arm is pulled first;
    ties have probability zero. `generator` draws the means, arm by arm and replication by replication.

    State: `sums` and `samples` [R, K]. Source: ALG-A-NP-UCB
    """

    per_replication: ClassVar[tuple[str, ...]] = ("sums", "samples", "recommended")

    @checked
    def __init__(self, arms: Size, generator: np.random.Generator, *, replications: Size = 1) -> None:
        super().__init__(arms, replications)
        self.generator = generator
        self.sums = np.zeros((self.replications, self.arms))
        self.samples = np.zeros((self.replications, self.arms), dtype=np.int64)
        self.recommended = np.zeros(self.replications, dtype=np.int64)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        self.recommended = self.generator.beta(1 + self.sums, 1 + self.samples - self.sums).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        at = np.arange(self.replications), self.recommended if arm is None else arm
        self.sums[at] += total
        self.samples[at] += count
