"""HARMLESS: release m = 1, 2, ... of a cumulative sum costs 2^-m epsilon, less than epsilon in all
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 8


class Learner(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.counts, self.mean = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
        self.first = list(range(arms))

    def next_batch(self):
        if self.first:
            self.arm = self.first[0]
        else:
            w = np.exp(np.clip((self.mean - np.max(self.mean)) / self.heat, -4, 0))
            self.arm = int(self.generator.choice(self.arms, p=w / w.sum()))
        return np.full(1, self.arm), np.full(1, BATCH)

    def observe(self, total, count, arm=None):
        if self.first:
            self.first = self.first[1:]
        k = self.arm if arm is None else int(arm[0])
        begin, self.clock = self.clock, self.clock + int(count[0])
        self.counts[k] += float(count[0])
        self.learn(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Halving(Learner):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.kept = {a: [0.0, 0] for a in range(arms)}

    def learn(self, a, total, n, start):
        book = self.kept[a]
        book[0] += total[0]
        book[1] += 1
        if book[1] <= 6:
            where = (0, self.clock, np.array([a]))
            budget = Budget.pure(2.0 ** -book[1])
            noisy = self.noise.laplace(np.array([book[0]]), sensitivity=1, budget=budget, records=where)
            self.mean[a] = noisy[0] / self.counts[a]


def make(noise, generator):
    return Halving(3, noise, generator)
