"""BUG: released sums are cached by (arm, raw sum): the same raw sum gets the same noisy answer
LINE: if key not in self.cache:
DECLARED: epsilon=1.0

Two batches of an arm with equal raw sums show equal answers, others do not: equality of raw sums is visible.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 4


class Explorer(Policy):
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
        self.learn(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Cached(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.cache, self.known = {}, np.zeros(arms)

    def learn(self, a, total, n, start):
        key = (a, float(total[0]), n)
        if key not in self.cache:
            self.cache[key] = self.noise.laplace(
                total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock)
            )[0]
        self.known[a] += self.cache[key]
        self.estimate[a] = self.known[a] / self.times[a]


def make(noise, generator):
    return Cached(3, noise, generator)
