"""BUG: a buffer is released only if its raw mean differs from the last released one by more than 0.15
LINE: if self.times[a] > n and abs(total[0] / n - self.guess[a]) <= 0.15:
DECLARED: epsilon=1.0

Whether there is a release tells where the raw mean is.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 8


class Loop(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.times, self.guess = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
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
        self.times[k] += float(count[0])
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class OnChange(Loop):
    def hear(self, a, total, n, start):
        if self.times[a] > n and abs(total[0] / n - self.guess[a]) <= 0.15:
            return
        noisy = self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))
        self.guess[a] = noisy[0] / n


def make(noise, generator):
    return OnChange(3, noise, generator)
