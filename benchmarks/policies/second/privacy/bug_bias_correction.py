"""BUG: a tenth of the difference to the raw mean is added as a correction of bias
LINE: self.value[a] = self.noisy[a] / self.times[a] - 0.1 * bias
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 10


class Explorer(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.times, self.value = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
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
        self.times[k] += float(count[0])
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Corrected(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.noisy, self.exact = np.zeros(arms), np.zeros(arms)

    def hear(self, a, total, n, start):
        released = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.noisy[a] += released[0]
        self.exact[a] += total[0]
        bias = (self.noisy[a] - self.exact[a]) / self.times[a]
        self.value[a] = self.noisy[a] / self.times[a] - 0.1 * bias


def make(noise, generator):
    return Corrected(3, noise, generator)
