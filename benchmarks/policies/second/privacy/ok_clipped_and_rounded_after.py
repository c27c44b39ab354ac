"""HARMLESS: released sums are clipped, rounded and squared, which is postprocessing
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise = noise
        self.generator = generator
        self.clock = 0
        self.times = np.zeros(arms)
        self.estimate = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.times, 1.0))
        return np.where(self.times > 0, self.estimate + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([8], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.times[played] += n
        self.clock += n
        self.absorb(played, np.array(total, dtype=float), n, self.clock - n)


class Tidy(Explorer):
    def absorb(self, a, total, n, start):
        released = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        share = round(float(np.clip(released, 0, n)) / n, 1)
        self.estimate[a] = (self.estimate[a] ** 2 + share**2) / 2


def make(noise, generator):
    return Tidy(3, noise, generator)
