"""BUG: successes and failures are released as a vector with l2 sensitivity 1; it is sqrt 2
LINE: self.table[a] += self.noise.gaussian(row, sensitivity=1.0, budget=Budget.zcdp(0.5), records=(start, self.clock))[0]
DECLARED: rho=0.5

A reward that flips moves (S, n - S) by (1, -1).
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 10


class Learner(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.times, self.estimate = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
        self.first = list(range(arms))

    def next_batch(self):
        if self.first:
            self.arm = self.first[0]
        else:
            w = np.exp(np.clip((self.estimate - np.max(self.estimate)) / self.heat, -4, 0))
            self.arm = int(self.generator.choice(self.arms, p=w / w.sum()))
        return np.full(1, self.arm), np.full(1, BATCH)

    def observe(self, total, count, arm=None):
        if self.first:
            self.first = self.first[1:]
        k = self.arm if arm is None else int(arm[0])
        begin, self.clock = self.clock, self.clock + int(count[0])
        self.times[k] += float(count[0])
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Table(Learner):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.table = np.zeros((arms, 2))

    def hear(self, a, total, n, start):
        row = np.array([[total[0], n - total[0]]])
        self.table[a] += self.noise.gaussian(row, sensitivity=1.0, budget=Budget.zcdp(0.5), records=(start, self.clock))[0]
        wins, losses = np.maximum(self.table[a], 0.5)
        self.estimate[a] = wins / (wins + losses)


def make(noise, generator):
    return Table(3, noise, generator)
