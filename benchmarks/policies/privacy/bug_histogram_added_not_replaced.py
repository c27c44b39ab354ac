r"""
BUG: the sensitivity 1 is that of adding a reward; replacing one moves two bins
LINE: noisy = self.noise.laplace(self.fresh[a], sensitivity=1.0, budget=BUDGET, records=records)
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BINS, SIZE = 4, 6
BUDGET = Budget.pure(1.0)


class QuantileGreedy(Policy):
    """Noisy histograms of SIZE rewards; pulls the arm with the largest upper quartile, and explores a tenth."""

    def __init__(self, noise, generator):
        super().__init__(2)
        self.noise, self.generator = noise, generator
        self.fresh = [np.zeros((1, BINS)) for _ in range(2)]
        self.since, self.pending = [0, 0], [0, 0]
        self.public = np.full((2, BINS), 1.0)
        self.clock, self.now = 0, 0

    def next_batch(self):
        share = np.maximum(self.public, 0.01)
        upper = (np.cumsum(share, axis=1) / share.sum(axis=1, keepdims=True) < 0.75).sum(axis=1)
        explore = self.generator.random() < 0.1 or upper[0] == upper[1]
        self.now = int(self.generator.integers(2)) if explore else int(upper.argmax())
        return np.array([self.now]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.now if arm is None else int(arm[0])
        if not self.pending[a]:
            self.since[a] = self.clock
        self.clock += int(count[0])
        self.fresh[a][0, min(int(total[0] * BINS), BINS - 1)] += 1
        self.pending[a] += 1
        if self.pending[a] == SIZE:
            self.publish(a)

    def publish(self, a):
        records = tuple(np.array([x]) for x in (self.since[a], self.clock, a))
        noisy = self.noise.laplace(self.fresh[a], sensitivity=1.0, budget=BUDGET, records=records)
        self.public[a] += noisy[0]
        self.fresh[a][:] = 0
        self.pending[a] = 0


def make(noise, generator):
    return QuantileGreedy(noise, generator)
