"""BUG: a running sum is compared with a threshold after every batch; only comparisons that succeed are booked
LINE: noisy = self.noise.laplace(self.running[a : a + 1], sensitivity=1, budget=Budget.pure(1.0), records=where)[0]
DECLARED: epsilon=1.0

A sparse vector without a noisy threshold: each comparison releases the cumulative sum at the full epsilon, and what falls
below is taken as free.
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
        self.counts, self.guess = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
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
        self.counts[k] += float(count[0])
        self.update(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Threshold(Base):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.running, self.since = np.zeros(arms), np.zeros(arms, dtype=int)

    def update(self, a, total, n, start):
        if self.running[a] == 0:
            self.since[a] = start
        self.running[a] += total[0]
        where = (int(self.since[a]), self.clock, np.array([a]))
        noisy = self.noise.laplace(self.running[a : a + 1], sensitivity=1, budget=Budget.pure(1.0), records=where)[0]
        if noisy > 8:
            self.guess[a] = noisy / self.counts[a]
            self.running[a] = 0.0
        else:
            self.guess[a] *= 0.9


def make(noise, generator):
    return Threshold(3, noise, generator)
