"""BUG: a negative noisy sum is thrown away and released again, until it is not negative
LINE: while noisy < 0:
DECLARED: epsilon=1.0

Conditioning on the sign alone costs: the loss is 1.49 between sums 0 and 1; and every retry is one more release.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 4


class Loop(Policy):
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
        self.learn(k, np.asarray(total, dtype=float), int(count[0]), begin)


class NonNegative(Loop):
    def learn(self, a, total, n, start):
        noisy = -1.0
        while noisy < 0:
            noisy = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        self.estimate[a] += n / self.pulls[a] * (noisy / n - self.estimate[a])


def make(noise, generator):
    return NonNegative(3, noise, generator)
