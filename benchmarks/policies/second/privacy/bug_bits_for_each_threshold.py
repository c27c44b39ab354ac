"""BUG: randomised response tells for three thresholds whether a batch's sum is above them, each at the full epsilon
LINE: level += int(self.noise.randomised_response(above, categories=2, budget=Budget.pure(1.0), records=(start, self.clock))[0])
DECLARED: epsilon=1.0

The thresholds are 3.6, 4 and 4.4: one reward can cross all three, and between 4 and 5 it crosses two with whole rewards.
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
        self.mean = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.times, 1.0))
        return np.where(self.times > 0, self.mean + bonus, np.inf)

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


class Thermometer(Explorer):
    MARKS = (3.6, 4.0, 4.4)

    def absorb(self, a, total, n, start):
        level = 0
        for mark in self.MARKS:
            above = (total > mark).astype(int)
            level += int(self.noise.randomised_response(above, categories=2, budget=Budget.pure(1.0), records=(start, self.clock))[0])
        self.mean[a] += 0.5 * (level / 3 - self.mean[a])


def make(noise, generator):
    return Thermometer(3, noise, generator)
