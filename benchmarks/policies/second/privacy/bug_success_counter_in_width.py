"""BUG: the confidence width counts successes instead of pulls
LINE: self.evidence[a] += total[0]
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    """Greedy with some exploration, in batches of 6."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.times, self.value = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.times == 0).any():
            self.arm = int(np.argmin(self.times))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.value))
        return np.array([self.arm]), np.array([6])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.times[played] += int(count[0])
        self.absorb(played, np.asarray(total, dtype=float), int(count[0]), start)


class Widths(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.noisy, self.evidence = np.zeros(arms), np.zeros(arms)

    def absorb(self, a, total, n, start):
        self.noisy[a] += self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        self.evidence[a] += total[0]
        width = np.sqrt(np.log(self.clock) / (1 + self.evidence))
        self.value = self.noisy / np.maximum(self.times, 1) + width


def make(noise, generator):
    return Widths(3, noise, generator)
