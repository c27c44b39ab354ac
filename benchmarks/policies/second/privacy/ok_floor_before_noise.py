"""HARMLESS: sums are rounded down before discrete noise: if a sum grows by at most 1, its floor grows by at most 1
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 6


class Loop(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.counts, self.value = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
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
        self.counts[k] += float(count[0])
        self.absorb(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Floored(Loop):
    def absorb(self, a, total, n, start):
        whole = np.floor(total + 0.3141592653589793)
        noisy = self.noise.discrete_laplace(whole, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))
        self.value[a] += n / self.counts[a] * (noisy[0] / n - self.value[a])


def make(noise, generator):
    return Floored(3, noise, generator)
