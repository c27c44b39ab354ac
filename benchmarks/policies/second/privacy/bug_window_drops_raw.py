"""BUG: the sliding noisy sum adds noisy batches, but subtracts the raw sum of the batch that leaves the window
LINE: self.rolling[a] -= self.past[a].pop(0)
DECLARED: epsilon=1.0

The raw sum of an old batch then moves the estimate without noise of its own.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 4


class Learner(Policy):
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
        self.absorb(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Window(Learner):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.rolling, self.past = np.zeros(arms), [[] for _ in range(arms)]

    def absorb(self, a, total, n, start):
        self.rolling[a] += self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        self.past[a].append(total[0])
        if len(self.past[a]) > 3:
            self.rolling[a] -= self.past[a].pop(0)
        self.guess[a] = self.rolling[a] / (4 * len(self.past[a]))


def make(noise, generator):
    return Window(3, noise, generator)
