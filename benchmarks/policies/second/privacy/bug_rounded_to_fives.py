"""BUG: the raw sum is rounded to a multiple of five before noise of sensitivity 1 is added
LINE: coarse = 5 * np.round(total / 5)
DECLARED: epsilon=1.0

One reward can move the rounded sum by 5.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Learner(Policy):
    """Greedy with some exploration, in batches of 12."""

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
        return np.array([self.arm]), np.array([12])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.times[played] += int(count[0])
        self.hear(played, np.asarray(total, dtype=float), int(count[0]), start)


class Fives(Learner):
    def hear(self, a, total, n, start):
        coarse = 5 * np.round(total / 5)
        noisy = self.noise.laplace(coarse, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.mean[a] += n / self.times[a] * (noisy[0] / n - self.mean[a])


def make(noise, generator):
    return Fives(3, noise, generator)
