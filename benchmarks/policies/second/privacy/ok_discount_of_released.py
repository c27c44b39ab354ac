"""HARMLESS: every reward is released once with its own noise; the discounting is done with released values
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Base(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.times, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.times, 1))
        self.arm = int(np.argmax(np.where(self.times == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.times[k] += int(count[0])
        self.t += int(count[0])
        self.hear(k, float(total[0]), self.t - int(count[0]))


class Discounting(Base):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.fading, self.weight = np.zeros(arms), np.full(arms, 1e-3)

    def hear(self, k, reward, t):
        told = self.noise.laplace(np.array([reward]), sensitivity=1, budget=Budget.pure(1.0), records=(t, t + 1))
        self.fading, self.weight = 0.95 * self.fading, 0.95 * self.weight
        self.fading[k] += told[0]
        self.weight[k] += 1
        self.estimate = self.fading / self.weight


def make(noise, generator):
    return Discounting(3, noise, generator)
