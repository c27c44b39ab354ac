r"""
BUG: a noisy loss is cut to a window of 2 around the exact loss, so the release is bounded by the data
LINE: noisy = np.clip(noisy, losses - 2, losses + 2)
DECLARED: epsilon=1.0
"""
from typing import Any

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

EPSILON = 1.0
BUDGET = Budget.pure(EPSILON)


class BatchedEXP3(Policy):
    """EXP3 on noisy batch losses with importance weights."""

    per_replication = ()
    rate, mixing, batch = 0.05, 0.1, 4

    def __init__(self, arms: int, noise: Any, generator: Any) -> None:
        super().__init__(arms)
        self.noise = noise
        self.generator = generator
        self.log_weights = np.zeros(arms)
        self.chosen = 0
        self.time = 0
        self.probabilities = np.full(arms, 1 / arms)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        weights = np.exp(self.log_weights - self.log_weights.max())
        self.probabilities = (1 - self.mixing) * weights / weights.sum() + self.mixing / self.arms
        cumulative = np.cumsum(self.probabilities)
        self.chosen = int(np.searchsorted(cumulative / cumulative[-1], self.generator.random(), side="right"))
        return np.array([self.chosen]), np.array([self.batch])

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        played = self.chosen if arm is None else int(arm[0])
        records = (self.time, self.time + int(count[0]))
        self.time += int(count[0])
        losses = count - total
        noisy = self.noise.laplace(losses, sensitivity=1.0, budget=BUDGET, records=records)
        noisy = np.clip(noisy, losses - 2, losses + 2)
        estimate = noisy[0] / count[0] / self.probabilities[played]
        self.log_weights[played] -= self.rate * estimate


def make(noise, generator):
    return BatchedEXP3(3, noise, generator)
