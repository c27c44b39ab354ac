"""BUG: the exponential mechanism on an epoch's sums is told a sensitivity of 1/4
LINE: chosen = self.noise.exponential_mechanism(score, sensitivity=0.25, budget=Budget.pure(1.0), records=span)
DECLARED: epsilon=1.0

One reward moves one sum by 1. The loss is up to 1 / (2 * 1/4) = 2.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
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
            self.learn((self.opened, self.clock))
            self.sums, self.opened, self.queue = np.zeros(self.arms), self.clock, list(self.active)


class Selector(Loop):
    def learn(self, span):
        score = self.sums[np.newaxis]
        chosen = self.noise.exponential_mechanism(score, sensitivity=0.25, budget=Budget.pure(1.0), records=span)
        favourite = int(chosen[0])
        rest = [a for a in range(self.arms) if a != favourite]
        self.active = [favourite, favourite, rest[self.epoch % len(rest)]]


def make(noise, generator):
    return Selector(3, noise, generator)
