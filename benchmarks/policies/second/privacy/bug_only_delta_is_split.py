"""BUG: four Gaussian releases of each batch share delta, but each has the whole epsilon
LINE: part = Budget.approximate(1.0, 1e-5 / 4)
DECLARED: epsilon=1.0, delta=1e-5

Each has mu of (1, 2.5e-6); together they have twice that mu, far above the mu of (1, 1e-5).
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    """Greedy with some exploration, in batches of 12."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.times, self.guess = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.times == 0).any():
            self.arm = int(np.argmin(self.times))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.guess))
        return np.array([self.arm]), np.array([12])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.times[played] += int(count[0])
        self.absorb(played, np.asarray(total, dtype=float), int(count[0]), start)


class Quartered(Explorer):
    def absorb(self, a, total, n, start):
        part = Budget.approximate(1.0, 1e-5 / 4)
        votes = np.zeros(4)
        for i in range(4):
            votes[i] = self.noise.gaussian(total, sensitivity=1.0, budget=part, records=(start, self.clock))[0]
        self.guess[a] = 0.5 * self.guess[a] + 0.5 * np.median(votes) / n


def make(noise, generator):
    return Quartered(3, noise, generator)
