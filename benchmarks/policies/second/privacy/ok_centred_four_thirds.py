"""HARMLESS: centred sums of three arms with sensitivity 4/3 (rounded up), the l1 distance that a reward can move them
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Learner(Policy):
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


class Centred(Learner):
    def hear(self, span):
        contrasts = self.sums - self.sums.mean()
        noisy = self.noise.laplace(contrasts[np.newaxis], sensitivity=1.3334, budget=Budget.pure(1.0), records=span)[0]
        best = int(noisy.argmax())
        self.active = [best, best, (best + self.epoch) % 3, (best + 1) % 3]


def make(noise, generator):
    return Centred(3, noise, generator)
