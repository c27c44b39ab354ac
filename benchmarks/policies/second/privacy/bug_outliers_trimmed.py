"""BUG: noise larger than 2 is trimmed: the noisy sum is clipped to raw sum plus or minus 2
LINE: noisy = np.clip(noisy, total - 2, total + 2)
DECLARED: epsilon=1.0

Bounded noise: some outcomes are possible for one of two neighbours only.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 8


class Base(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.pulls, self.estimate = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
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
        self.pulls[k] += float(count[0])
        self.update(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Trimmed(Base):
    def update(self, a, total, n, start):
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        noisy = np.clip(noisy, total - 2, total + 2)
        self.estimate[a] += n / self.pulls[a] * (noisy[0] / n - self.estimate[a])


def make(noise, generator):
    return Trimmed(3, noise, generator)
