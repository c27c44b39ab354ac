"""HARMLESS: Gaussian noise of the classical deviation sqrt(2 log(1.25 / delta)) = 4.84; 3.74 would do for (1, 1e-5)-DP
DECLARED: epsilon=1.0, delta=1e-5
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 10


class Agent(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.pulls, self.value = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
        self.first = list(range(arms))

    def next_batch(self):
        if self.first:
            self.arm = self.first[0]
        else:
            w = np.exp(np.clip((self.value - np.max(self.value)) / self.heat, -4, 0))
            self.arm = int(self.generator.choice(self.arms, p=w / w.sum()))
        return np.full(1, self.arm), np.full(1, BATCH)

    def observe(self, total, count, arm=None):
        if self.first:
            self.first = self.first[1:]
        k = self.arm if arm is None else int(arm[0])
        begin, self.clock = self.clock, self.clock + int(count[0])
        self.pulls[k] += float(count[0])
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Classic(Agent):
    def hear(self, a, total, n, start):
        sigma = float(np.sqrt(2 * np.log(1.25 / 1e-5)))
        told = self.noise.gaussian(
            total, sensitivity=1.0, budget=Budget.approximate(1.0, 1e-5), multiplier=sigma, records=(start, self.clock)
        )
        self.value[a] += n / self.pulls[a] * (told[0] / n - self.value[a])


def make(noise, generator):
    return Classic(3, noise, generator)
