"""BUG: Gaussian noise of zCDP epsilon^2 / 2 is added where epsilon-DP is promised; no Gaussian noise is epsilon-DP
LINE: noisy = self.noise.gaussian(total, sensitivity=1.0, budget=Budget.zcdp(1.0**2 / 2), records=where)
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Base(Policy):
    """Greedy with some exploration, in batches of 8."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.pulls, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.pulls == 0).any():
            self.arm = int(np.argmin(self.pulls))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.estimate))
        return np.array([self.arm]), np.array([8])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.pulls[played] += int(count[0])
        self.learn(played, np.asarray(total, dtype=float), int(count[0]), start)


class Smooth(Base):
    def learn(self, a, total, n, start):
        where = (start, self.clock)
        noisy = self.noise.gaussian(total, sensitivity=1.0, budget=Budget.zcdp(1.0**2 / 2), records=where)
        self.estimate[a] += n / self.pulls[a] * (noisy[0] / n - self.estimate[a])


def make(noise, generator):
    return Smooth(3, noise, generator)
