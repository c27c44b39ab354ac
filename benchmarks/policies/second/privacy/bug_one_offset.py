"""BUG: the noise is drawn once per run and added to every batch's sum
LINE: noisy = total + self.shift
DECLARED: epsilon=1.0

The difference of two released sums has no noise.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise = noise
        self.generator = generator
        self.clock = 0
        self.n = np.zeros(arms)
        self.guess = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.n, 1.0))
        return np.where(self.n > 0, self.guess + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([8], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.n[played] += n
        self.clock += n
        self.hear(played, np.array(total, dtype=float), n, self.clock - n)


class Shifted(Agent):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.shift = self.noise.laplace(np.zeros(1), sensitivity=1, budget=Budget.pure(1.0), records=(0, 0))

    def hear(self, a, total, n, start):
        noisy = total + self.shift
        self.guess[a] += n / self.n[a] * (noisy[0] / n - self.guess[a])


def make(noise, generator):
    return Shifted(3, noise, generator)
