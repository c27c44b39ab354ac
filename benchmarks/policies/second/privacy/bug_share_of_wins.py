"""BUG: the share of an epoch's successes that each arm had is released as if it moved like a mean
LINE: moved = 2 / (self.length * self.arms)
DECLARED: epsilon=1.0

S_a / (S_1 + ... + S_K) moves by up to 1 when few succeed, not by 1/(pulls of the epoch).
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Learner(Policy):
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
            self.hear((self.opened, self.clock))
            self.sums, self.opened, self.queue = np.zeros(self.arms), self.clock, list(self.active)


class Shares(Learner):
    score = np.zeros(3)

    def hear(self, span):
        shares = self.sums / max(self.sums.sum(), 1e-9)
        moved = 2 / (self.length * self.arms)
        noisy = self.noise.laplace(shares[np.newaxis], sensitivity=moved, budget=Budget.pure(1.0), records=span)[0]
        self.score = 0.5 * self.score + noisy
        best = int(np.argmax(self.score))
        self.active = [best, *(a for a in range(self.arms) if a != best)]
        if self.epoch % 2:
            self.active = self.active[:2]


def make(noise, generator):
    return Shares(3, noise, generator)
