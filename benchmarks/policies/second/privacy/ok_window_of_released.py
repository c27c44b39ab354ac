"""HARMLESS: a sliding window over released batch sums: what enters and what leaves it is released
DECLARED: epsilon=1.0
"""

from collections import deque

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Window(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.recent = [deque(maxlen=3) for _ in range(arms)]

    def next_batch(self):
        means = [np.mean(r) if r else np.inf for r in self.recent]
        self.arm = int(np.argmax(means)) if self.generator.random() < 0.85 else int(self.generator.integers(self.arms))
        return np.array([self.arm]), np.array([5])

    def observe(self, total, count, arm=None):
        where = (self.clock, self.clock + int(count[0]))
        self.clock = where[1]
        told = self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=where)
        self.recent[self.arm if arm is None else int(arm[0])].append(float(told[0]) / int(count[0]))


def make(noise, generator):
    return Window(3, noise, generator)
