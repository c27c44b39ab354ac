"""BUG: a change of the raw mean of an arm resets its estimate
LINE: changed = self.before[a] is not None and abs(raw - self.before[a]) > 0.6
DECLARED: epsilon=1.0

A rare branch: it needs a batch whose raw mean is more than 0.6 away from the one before.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 8


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
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Restart(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.before = [None] * arms

    def hear(self, a, total, n, start):
        raw = total[0] / n
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))[0] / n
        changed = self.before[a] is not None and abs(raw - self.before[a]) > 0.6
        self.guess[a] = noisy if changed else 0.7 * self.guess[a] + 0.3 * noisy
        self.before[a] = raw


def make(noise, generator):
    return Restart(3, noise, generator)
