"""HARMLESS: noisy max of an epoch's sums at half of epsilon, and the winner's sum at the other half
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """Epochs in which every active arm is pulled `length` times in a row."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.active, self.length, self.epoch = list(range(arms)), 6, 0
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


class HalfAndHalf(Loop):
    best_value = 0.0

    def hear(self, span):
        half = Budget.pure(0.5)
        winner = int(self.noise.report_noisy_max(self.sums[np.newaxis], sensitivity=1.0, budget=half, records=span)[0])
        told = self.noise.laplace(self.sums[winner : winner + 1], sensitivity=1.0, budget=half, records=span)[0]
        self.best_value = 0.5 * self.best_value + 0.5 * told / self.length
        second = (winner + 1 + self.epoch % 2) % self.arms
        self.active = [winner, winner, second] if self.best_value > 0.6 else [0, 1, 2]


def make(noise, generator):
    return HalfAndHalf(3, noise, generator)
