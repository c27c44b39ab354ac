"""HARMLESS: release m of an arm's cumulative sum costs rho / (m (m + 1)), which adds up to less than rho however many there are
DECLARED: rho=0.5
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 6


class Explorer(Policy):
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


class Shares(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.raw, self.m = np.zeros(arms), np.zeros(arms, dtype=int)

    def hear(self, a, total, n, start):
        self.raw[a] += total[0]
        self.m[a] += 1
        share = Budget.zcdp(0.4999 / (self.m[a] * (self.m[a] + 1)))
        where = (0, self.clock, np.array([a]))
        self.value[a] = self.noise.gaussian(self.raw[a : a + 1], sensitivity=1, budget=share, records=where)[0] / self.pulls[a]


def make(noise, generator):
    return Shares(3, noise, generator)
