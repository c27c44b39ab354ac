"""HARMLESS: released values are kept by batch number and read several times: each is drawn once
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 4


class Agent(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.times, self.mean = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
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
        self.times[k] += float(count[0])
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Archive(Agent):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.archive = {}

    def hear(self, a, total, n, start):
        self.archive[a, start] = self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        for k in range(self.arms):
            known = [value for (arm, _), value in self.archive.items() if arm == k]
            self.mean[k] = sum(known) / max(self.times[k], 1)


def make(noise, generator):
    return Archive(3, noise, generator)
