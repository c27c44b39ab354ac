"""BUG: the noise of a batch is the difference of two draws, so that the noise of the running sum does not grow
LINE: self.sums[a] += total[0] + now - self.previous[a]
DECLARED: epsilon=1.0

The running sum after m batches has one fresh noise of scale 1 only: every running sum is released at the full epsilon.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Base(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise = noise
        self.generator = generator
        self.clock = 0
        self.n = np.zeros(arms)
        self.mean = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.n, 1.0))
        return np.where(self.n > 0, self.mean + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([5], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.n[played] += n
        self.clock += n
        self.absorb(played, np.array(total, dtype=float), n, self.clock - n)


class Telescope(Base):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.previous, self.sums = np.zeros(arms), np.zeros(arms)

    def fresh(self):
        return self.noise.laplace(np.zeros(1), sensitivity=1.0, budget=Budget.pure(1.0), records=(0, 0))[0]

    def absorb(self, a, total, n, start):
        now = self.fresh()
        self.sums[a] += total[0] + now - self.previous[a]
        self.previous[a] = now
        self.mean[a] = self.sums[a] / self.n[a]


def make(noise, generator):
    return Telescope(3, noise, generator)
