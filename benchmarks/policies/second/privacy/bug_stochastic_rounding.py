"""BUG: sums are rounded at random to even numbers before noise of sensitivity 1
LINE: even = low + 2 * up
DECLARED: epsilon=1.0

From S = 2 to 1 the rounded sum moves by 2 with probability 1/2: the loss is log((1 + e^2) / 2) = 1.43.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 9


class Explorer(Policy):
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
        self.update(k, np.asarray(total, dtype=float), int(count[0]), begin)


class EvenSums(Explorer):
    def update(self, a, total, n, start):
        low = 2 * np.floor(total / 2)
        up = self.generator.random() < (total - low) / 2
        even = low + 2 * up
        noisy = self.noise.laplace(even, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.guess[a] += n / self.times[a] * (noisy[0] / n - self.guess[a])


def make(noise, generator):
    return EvenSums(3, noise, generator)
