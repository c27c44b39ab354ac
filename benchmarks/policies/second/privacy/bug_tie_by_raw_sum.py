"""BUG: ties between rounded noisy means are broken by the raw sums
LINE: winner = max(tied, key=lambda k: self.raw[k])
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Learner(Policy):
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
        return np.array([self.arm], dtype=np.int64), np.array([6], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.n[played] += n
        self.clock += n
        self.update(played, np.array(total, dtype=float), n, self.clock - n)


class Tied(Learner):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.raw, self.noisy = np.zeros(arms), np.zeros(arms)

    def update(self, a, total, n, start):
        self.raw[a] += total[0]
        self.noisy[a] += self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        rounded = np.round(self.noisy / np.maximum(self.n, 1), 1)
        tied = np.flatnonzero(rounded == rounded.max())
        self.mean = rounded
        if len(tied) > 1:
            winner = max(tied, key=lambda k: self.raw[k])
            self.mean[winner] += 0.01


def make(noise, generator):
    return Tied(3, noise, generator)
