"""HARMLESS: branches on raw rewards that rewards in [0, 1] can never change, such as a test that a sum is between 0 and n
DECLARED: epsilon=1.0
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
        self.times = np.zeros(arms)
        self.estimate = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.times, 1.0))
        return np.where(self.times > 0, self.estimate + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([7], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.times[played] += n
        self.clock += n
        self.learn(played, np.array(total, dtype=float), n, self.clock - n)


class Checked(Agent):
    def learn(self, a, total, n, start):
        valid = 0 <= total[0] <= n
        told = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        self.estimate[a] += (n if valid else 0) / self.times[a] * (told / n - self.estimate[a])


def make(noise, generator):
    return Checked(3, noise, generator)
