"""BUG: arm a has the budget (1 + a / 4) epsilon, "as the arms are different people"; what is promised is epsilon for every reward
LINE: budget = Budget.pure(1.0 + a / 4)
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """Greedy with some exploration, in batches of 8."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.n, self.value = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.n == 0).any():
            self.arm = int(np.argmin(self.n))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.value))
        return np.array([self.arm]), np.array([8])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.n[played] += int(count[0])
        self.absorb(played, np.asarray(total, dtype=float), int(count[0]), start)


class Tiers(Loop):
    def absorb(self, a, total, n, start):
        budget = Budget.pure(1.0 + a / 4)
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=budget, records=(start, self.clock))
        self.value[a] += n / self.n[a] * (noisy[0] / n - self.value[a])


def make(noise, generator):
    return Tiers(3, noise, generator)
