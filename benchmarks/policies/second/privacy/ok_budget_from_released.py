"""HARMLESS: a batch may cost a quarter, a half or all of epsilon, by what was released before; a reward is in one batch
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """Greedy with some exploration, in batches of 6."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.pulls, self.mean = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.pulls == 0).any():
            self.arm = int(np.argmin(self.pulls))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.mean))
        return np.array([self.arm]), np.array([6])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.pulls[played] += int(count[0])
        self.hear(played, np.asarray(total, dtype=float), int(count[0]), start)


class Thrifty(Loop):
    def hear(self, a, total, n, start):
        lead = self.mean[a] - np.median(self.mean)
        price = 1.0 if abs(lead) < 0.1 else 0.5 if abs(lead) < 0.3 else 0.25
        told = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(price), records=(start, self.clock))[0] / n
        self.mean[a] += n * price / (1 + self.pulls[a]) * (told - self.mean[a])


def make(noise, generator):
    return Thrifty(3, noise, generator)
