"""HARMLESS: raw rewards are logged and summarised, but nothing ever reads the log
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
        self.guess = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.times, 1.0))
        return np.where(self.times > 0, self.guess + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([6], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.times[played] += n
        self.clock += n
        self.absorb(played, np.array(total, dtype=float), n, self.clock - n)


class Logged(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.log, self.raw_best = [], None

    def absorb(self, a, total, n, start):
        self.log.append({"arm": a, "raw": float(total[0]), "pulls": n})
        self.raw_best = max(self.log, key=lambda line: line["raw"] / line["pulls"])
        told = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.guess[a] += n / self.times[a] * (told[0] / n - self.guess[a])


def make(noise, generator):
    return Logged(3, noise, generator)
