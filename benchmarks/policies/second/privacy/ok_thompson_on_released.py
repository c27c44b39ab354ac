"""HARMLESS: Thompson sampling from a Beta law around released sums
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """Greedy with some exploration, in batches of 4."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.n, self.guess = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.n == 0).any():
            self.arm = int(np.argmin(self.n))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.guess))
        return np.array([self.arm]), np.array([4])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.n[played] += int(count[0])
        self.update(played, np.asarray(total, dtype=float), int(count[0]), start)


class BetaSampler(Agent):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.told = np.zeros(arms)

    def next_batch(self):
        wins = np.clip(self.told, 0, self.n)
        self.arm = int(np.argmax(self.generator.beta(1 + wins, 1 + self.n - wins)))
        return np.array([self.arm]), np.array([4])

    def update(self, a, total, n, start):
        self.told[a] += self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))[0]


def make(noise, generator):
    return BetaSampler(3, noise, generator)
