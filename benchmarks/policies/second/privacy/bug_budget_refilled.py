"""BUG: the budget of an arm's running sum is refilled when it is used up, but the sum keeps its old rewards
LINE: self.left[a] = 1.0
DECLARED: epsilon=1.0

Wrong from the fifth release of an arm on: every release costs 1/4.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    """Greedy with some exploration, in batches of 6."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.counts, self.guess = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.counts == 0).any():
            self.arm = int(np.argmin(self.counts))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.guess))
        return np.array([self.arm]), np.array([6])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.counts[played] += int(count[0])
        self.learn(played, np.asarray(total, dtype=float), int(count[0]), start)


class Refilled(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.left, self.running = [1.0] * arms, np.zeros(arms)

    def learn(self, a, total, n, start):
        self.running[a] += total[0]
        if self.left[a] < 0.25:
            self.left[a] = 1.0
        self.left[a] -= 0.25
        where = (0, self.clock, np.array([a]))
        noisy = self.noise.laplace(self.running[a : a + 1], sensitivity=1, budget=Budget.pure(0.25), records=where)
        self.guess[a] = noisy[0] / self.counts[a]


def make(noise, generator):
    return Refilled(3, noise, generator)
