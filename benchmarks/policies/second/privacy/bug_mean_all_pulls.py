"""BUG: the mean of a batch is released with the sensitivity of a mean over all pulls of the arm
LINE: bound = 1 / self.counts[a]
DECLARED: epsilon=1.0

A batch of 8 moves its mean by 1/8, but the declared sensitivity shrinks as 1/n with all pulls of the arm.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """Greedy with some exploration, in batches of 8."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.counts, self.mean = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.counts == 0).any():
            self.arm = int(np.argmin(self.counts))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.mean))
        return np.array([self.arm]), np.array([8])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.counts[played] += int(count[0])
        self.hear(played, np.asarray(total, dtype=float), int(count[0]), start)


class BatchMeans(Loop):
    def hear(self, a, total, n, start):
        bound = 1 / self.counts[a]
        mean = self.noise.laplace(total / n, sensitivity=bound, budget=Budget.pure(1.0), records=(start, self.clock))
        weight = n / self.counts[a]
        self.mean[a] += weight * (mean[0] - self.mean[a])


def make(noise, generator):
    return BatchMeans(3, noise, generator)
