"""BUG: after 100 pulls the noise is halved, because there are enough data
LINE: noisy = self.noise.laplace(total, sensitivity=heat, budget=Budget.pure(1.0), records=(start, self.clock))
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """Greedy with some exploration, in batches of 10."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.n, self.mean = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.n == 0).any():
            self.arm = int(np.argmin(self.n))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.mean))
        return np.array([self.arm]), np.array([10])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.n[played] += int(count[0])
        self.learn(played, np.asarray(total, dtype=float), int(count[0]), start)


class Annealed(Loop):
    def learn(self, a, total, n, start):
        heat = 1.0 if self.clock <= 100 else 0.5
        noisy = self.noise.laplace(total, sensitivity=heat, budget=Budget.pure(1.0), records=(start, self.clock))
        self.mean[a] += n / self.n[a] * (noisy[0] / n - self.mean[a])


def make(noise, generator):
    return Annealed(3, noise, generator)
