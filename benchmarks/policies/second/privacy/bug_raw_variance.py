"""BUG: UCB-V: means are noisy, but the width rests on the raw empirical variance
LINE: variance = self.p * (1 - self.p)
DECLARED: epsilon=1.0
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
        self.update(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Variance(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.noisy, self.p = np.zeros(arms), np.zeros(arms)

    def update(self, a, total, n, start):
        self.noisy[a] += self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        self.p[a] += n / self.pulls[a] * (total[0] / n - self.p[a])
        variance = self.p * (1 - self.p)
        level = np.log(self.clock) / np.maximum(self.pulls, 1)
        self.guess = self.noisy / np.maximum(self.pulls, 1) + np.sqrt(2 * variance * level) + level


def make(noise, generator):
    return Variance(3, noise, generator)
