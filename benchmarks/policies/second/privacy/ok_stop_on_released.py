"""HARMLESS: an arm is dropped for good when its released mean is poor after three batches
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
        self.clock, self.times, self.mean = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.times == 0).any():
            self.arm = int(np.argmin(self.times))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.mean))
        return np.array([self.arm]), np.array([8])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.times[played] += int(count[0])
        self.learn(played, np.asarray(total, dtype=float), int(count[0]), start)


class Dropper(Loop):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.batches = np.zeros(arms, dtype=int)

    def next_batch(self):
        arm, count = super().next_batch()
        if self.mean[self.arm] == -np.inf:
            self.arm = int(np.argmax(self.mean))
            arm = np.array([self.arm])
        return arm, count

    def learn(self, a, total, n, start):
        self.batches[a] += 1
        told = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))[0] / n
        self.mean[a] += (told - self.mean[a]) / self.batches[a]
        others = np.delete(self.mean, a)
        if self.batches[a] == 3 and self.mean[a] < others.max() - 0.3:
            self.mean[a] = -np.inf


def make(noise, generator):
    return Dropper(3, noise, generator)
