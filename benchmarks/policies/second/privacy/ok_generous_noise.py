"""HARMLESS: the sensitivity is declared as 2 although rewards move sums by at most 1: too much noise
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 6


class Learner(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.times, self.guess = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
        self.first = list(range(arms))

    def next_batch(self):
        if self.first:
            self.arm = self.first[0]
        else:
            w = np.exp(np.clip((self.guess - np.max(self.guess)) / self.heat, -4, 0))
            self.arm = int(self.generator.choice(self.arms, p=w / w.sum()))
        return np.full(1, self.arm), np.full(1, BATCH)

    def observe(self, total, count, arm=None):
        if self.first:
            self.first = self.first[1:]
        k = self.arm if arm is None else int(arm[0])
        begin, self.clock = self.clock, self.clock + int(count[0])
        self.times[k] += float(count[0])
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Generous(Learner):
    def hear(self, a, total, n, start):
        told = self.noise.laplace(total, sensitivity=2.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.guess[a] += n / self.times[a] * (told[0] / n - self.guess[a])


def make(noise, generator):
    return Generous(3, noise, generator)
