"""BUG: noisy max names the best arm of an epoch, and then the winner's sum is released too, both at the full epsilon
LINE: value = self.noise.laplace(self.sums[winner : winner + 1], sensitivity=1.0, budget=budget, records=span)[0]
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Base(Policy):
    """Epochs in which every active arm is pulled `length` times in a row."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.active, self.length, self.epoch = list(range(arms)), 4, 0
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
            self.absorb((self.opened, self.clock))
            self.sums, self.opened, self.queue = np.zeros(self.arms), self.clock, list(self.active)


class WinnerTakesAll(Base):
    best_value, best = 0.0, 0

    def absorb(self, span):
        budget = Budget.pure(1.0)
        winner = int(self.noise.report_noisy_max(self.sums[np.newaxis], sensitivity=1.0, budget=budget, records=span)[0])
        value = self.noise.laplace(self.sums[winner : winner + 1], sensitivity=1.0, budget=budget, records=span)[0]
        if value >= self.best_value:
            self.best, self.best_value = winner, value
        self.active = [self.best, (self.best + 1 + self.epoch % 2) % self.arms]


def make(noise, generator):
    return WinnerTakesAll(3, noise, generator)
