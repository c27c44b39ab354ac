"""BUG: log(1 + S) is released with sensitivity 1 / (1 + n / 2), its slope in the middle; from S = 0 to 1 it moves by log 2
LINE: slope = 1 / (1 + n / 2)
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """Greedy with some exploration, in batches of 8."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.times, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.times == 0).any():
            self.arm = int(np.argmin(self.times))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.estimate))
        return np.array([self.arm]), np.array([8])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.times[played] += int(count[0])
        self.update(played, np.asarray(total, dtype=float), int(count[0]), start)


class Logarithmic(Agent):
    def update(self, a, total, n, start):
        slope = 1 / (1 + n / 2)
        noisy = self.noise.laplace(np.log1p(total), sensitivity=slope, budget=Budget.pure(1.0), records=(start, self.clock))
        back = np.expm1(np.clip(noisy[0], 0, np.log1p(n))) / n
        self.estimate[a] += n / self.times[a] * (back - self.estimate[a])


def make(noise, generator):
    return Logarithmic(3, noise, generator)
