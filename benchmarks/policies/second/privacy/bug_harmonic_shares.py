"""BUG: release number m of an arm's cumulative sum costs epsilon / m; the harmonic series exceeds 1 at m = 2
LINE: share = Budget.pure(1.0 / self.told[a])
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """Greedy with some exploration, in batches of 7."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.times, self.mean = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.times == 0).any():
            self.arm = int(np.argmin(self.times))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.mean))
        return np.array([self.arm]), np.array([7])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.times[played] += int(count[0])
        self.hear(played, np.asarray(total, dtype=float), int(count[0]), start)


class Cumulative(Agent):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.raw, self.told = np.zeros(arms), np.zeros(arms, dtype=int)

    def hear(self, a, total, n, start):
        self.raw[a] += total[0]
        self.told[a] += 1
        share = Budget.pure(1.0 / self.told[a])
        where = (0, self.clock, np.array([a]))
        self.mean[a] = self.noise.laplace(self.raw[a : a + 1], sensitivity=1, budget=share, records=where)[0] / self.times[a]


def make(noise, generator):
    return Cumulative(3, noise, generator)
