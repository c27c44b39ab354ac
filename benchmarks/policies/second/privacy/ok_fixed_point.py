"""HARMLESS: sums in hundredths, rounded down, with sensitivity 101 in hundredths; they move by at most 100
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 5


class Base(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.pulls, self.guess = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
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
        self.pulls[k] += float(count[0])
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Cents(Base):
    def hear(self, a, total, n, start):
        cents = np.floor(100 * total)
        noisy = self.noise.discrete_laplace(cents, sensitivity=101, budget=Budget.pure(1.0), records=(start, self.clock))
        self.guess[a] += n / self.pulls[a] * (noisy[0] / (100 * n) - self.guess[a])


def make(noise, generator):
    return Cents(3, noise, generator)
