"""BUG: rewards are mapped to [-1, 1], and the sensitivity stays 1 instead of 2
LINE: noisy = self.noise.laplace(signed, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
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
        self.n, self.guess = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
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
        self.n[k] += float(count[0])
        self.absorb(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Signed(Loop):
    def absorb(self, a, total, n, start):
        signed = 2 * total - n
        noisy = self.noise.laplace(signed, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        old = self.n[a] - n
        self.guess[a] = (old * self.guess[a] + noisy[0]) / self.n[a]


def make(noise, generator):
    return Signed(3, noise, generator)
