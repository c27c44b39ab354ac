"""HARMLESS: a mechanism of its own: one of three answers about a batch, a truth that is e times likelier than each other answer
DECLARED: epsilon=1.0
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
        self.pulls = np.zeros(arms)
        self.guess = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.pulls, 1.0))
        return np.where(self.pulls > 0, self.guess + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([6], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.pulls[played] += n
        self.clock += n
        self.hear(played, np.array(total, dtype=float), n, self.clock - n)


from banditproof.algorithms.noise import Mechanism

E = float(np.e)


def truthful(value, generator):
    honest = generator.random(value.shape) < E / (E + 2)
    return np.where(honest, value, (value + generator.integers(1, 3, value.shape)) % 3).astype(float)


LEVELS = Mechanism("three levels", truthful, lambda one, other: float(np.any(one != other)))


class ThreeLevels(Base):
    def hear(self, a, total, n, start):
        level = np.floor(2.999 * total / n)
        told = self.noise.released(level, mechanism=LEVELS, budget=Budget.pure(1.0), records=(start, self.clock))
        self.guess[a] += 0.2 * (told[0] / 2 - self.guess[a])


def make(noise, generator):
    return ThreeLevels(3, noise, generator)
