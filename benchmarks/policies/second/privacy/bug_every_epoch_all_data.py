"""BUG: the sums of all epochs so far are released at the full epsilon after each epoch
LINE: noisy = self.noise.laplace(self.history[np.newaxis], sensitivity=1.0, budget=Budget.pure(1.0), records=(0, span[1]))[0]
DECLARED: epsilon=1.0

A reward of epoch 1 is in the release of every epoch.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
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
            self.update((self.opened, self.clock))
            self.sums, self.opened, self.queue = np.zeros(self.arms), self.clock, list(self.active)


class Refresh(Loop):
    history = None

    def update(self, span):
        self.history = self.sums.copy() if self.history is None else self.history + self.sums
        noisy = self.noise.laplace(self.history[np.newaxis], sensitivity=1.0, budget=Budget.pure(1.0), records=(0, span[1]))[0]
        ranking = np.argsort(-noisy)
        self.active = [int(a) for a in ranking[: 2 if self.epoch > 1 else 3]]


def make(noise, generator):
    return Refresh(3, noise, generator)
