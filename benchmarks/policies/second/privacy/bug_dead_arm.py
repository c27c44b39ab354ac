"""BUG: an arm whose raw rewards are all 0 after its first two batches is taken for broken and never pulled again
LINE: if self.pulls[a] >= 12 and self.alive[a] == 0:
DECLARED: epsilon=1.0

A branch that rarely runs, but it acts on raw rewards.
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
        self.update(k, np.asarray(total, dtype=float), int(count[0]), begin)


class HealthCheck(Learner):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.alive = np.zeros(arms)

    def update(self, a, total, n, start):
        self.alive[a] += total[0]
        noisy = self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))
        self.value[a] += n / self.pulls[a] * (noisy[0] / n - self.value[a])
        if self.pulls[a] >= 12 and self.alive[a] == 0:
            self.value[a] = -1e9


def make(noise, generator):
    return HealthCheck(3, noise, generator)
