"""BUG: noise is added to all arms but the last one: range(arms - 1)
LINE: for a in range(self.arms - 1):
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
            self.absorb((self.opened, self.clock))
            self.sums, self.opened, self.queue = np.zeros(self.arms), self.clock, list(self.active)


class Noisy(Base):
    def absorb(self, span):
        noisy = self.sums.copy()
        for a in range(self.arms - 1):
            noisy[a] = self.noise.laplace(
                self.sums[a : a + 1], sensitivity=1.0, budget=Budget.pure(1.0), records=(*span, np.array([a]))
            )[0]
        leader = int(noisy.argmax())
        self.active = [leader, leader, (leader + self.epoch) % self.arms]


def make(noise, generator):
    return Noisy(3, noise, generator)
