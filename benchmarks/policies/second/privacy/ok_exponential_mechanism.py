"""HARMLESS: the favourite of the next epoch is drawn by the exponential mechanism from the sums of this epoch alone
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


class Favourite(Base):
    def hear(self, span):
        drawn = self.noise.exponential_mechanism(
            self.sums[np.newaxis], sensitivity=1.0, budget=Budget.pure(1.0), records=span
        )
        favourite = int(drawn[0])
        others = [a for a in range(self.arms) if a != favourite]
        self.active = [favourite, favourite, others[self.epoch % 2]]


def make(noise, generator):
    return Favourite(3, noise, generator)
