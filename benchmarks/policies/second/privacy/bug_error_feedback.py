"""BUG: error feedback: what the noise took from a batch is added to the raw sum of the next one
LINE: wanted = total + self.error[a]
DECLARED: epsilon=1.0

The second release holds the raw sum of the first batch again (minus its released value): every reward is in two releases.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Base(Policy):
    """Greedy with some exploration, in batches of 6."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.counts, self.mean = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.counts == 0).any():
            self.arm = int(np.argmin(self.counts))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.mean))
        return np.array([self.arm]), np.array([6])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.counts[played] += int(count[0])
        self.hear(played, np.asarray(total, dtype=float), int(count[0]), start)


class Feedback(Base):
    """As in compressed gradient descent: the error of a release is carried to the next one."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.error = np.zeros(arms)

    def hear(self, a, total, n, start):
        wanted = total + self.error[a]
        told = self.noise.laplace(wanted, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.error[a] = wanted[0] - told[0]
        self.mean[a] += n / self.counts[a] * (told[0] / n - self.mean[a])


def make(noise, generator):
    return Feedback(3, noise, generator)
