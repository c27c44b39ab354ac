"""HARMLESS: the sums of an epoch as a vector with Gaussian noise: a reward moves one coordinate by at most 1
DECLARED: rho=0.5
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    """Epochs in which every active arm is pulled `length` times in a row."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.active, self.length, self.epoch = list(range(arms)), 5, 0
        self.queue, self.sums = list(self.active), np.zeros(arms)
        self.clock = self.opened = 0

    def next_batch(self):
        return np.array([self.queue[0]]), np.array([self.length])

    def observe(self, total, count, arm=None):
        asked = self.queue.pop(0)
        self.sums[asked if arm is None else int(arm[0])] += float(total[0])
        self.clock += int(count[0])
        if not self.queue:
            self.epoch += 1
            self.hear((self.opened, self.clock))
            self.sums, self.opened, self.queue = np.zeros(self.arms), self.clock, list(self.active)


class GaussianEpochs(Explorer):
    belief = 0.5

    def hear(self, span):
        noisy = self.noise.gaussian(self.sums[np.newaxis], sensitivity=1.0, budget=Budget.zcdp(0.5), records=span)[0]
        self.belief = 0.5 * (self.belief + noisy / self.length)
        best = int(np.argmax(self.belief))
        self.active = [best, best, *range(self.arms)]
        self.sums[:] = 0


def make(noise, generator):
    return GaussianEpochs(3, noise, generator)
