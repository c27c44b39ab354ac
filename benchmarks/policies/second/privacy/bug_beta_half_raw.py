"""BUG: Thompson sampling draws from Beta(noisy successes, raw failures)
LINE: self.beta[a] += n - total[0]
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """Greedy with some exploration, in batches of 3."""

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
        return np.array([self.arm]), np.array([3])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.times[played] += int(count[0])
        self.learn(played, np.asarray(total, dtype=float), int(count[0]), start)


class NoisyThompson(Loop):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.alpha, self.beta = np.ones(arms), np.ones(arms)

    def next_batch(self):
        drawn = self.generator.beta(np.maximum(self.alpha, 0.1), np.maximum(self.beta, 0.1))
        self.arm = int(np.argmax(drawn))
        return np.array([self.arm]), np.array([3])

    def learn(self, a, total, n, start):
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.alpha[a] += np.clip(noisy[0], 0, n)
        self.beta[a] += n - total[0]


def make(noise, generator):
    return NoisyThompson(3, noise, generator)
