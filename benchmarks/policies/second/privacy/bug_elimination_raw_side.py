"""BUG: an arm is eliminated if its raw mean lies far below the best noisy one
LINE: self.active = [a for a in self.active if best - self.sums[a] < slack] or self.active[:1]
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """Epochs in which every active arm is pulled `length` times in a row."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.active, self.length, self.epoch = list(range(arms)), 8, 0
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


class Elimination(Agent):
    def update(self, span):
        noisy = self.noise.laplace(self.sums[np.newaxis], sensitivity=1.0, budget=Budget.pure(1.0), records=span)[0]
        best = max(noisy[a] for a in self.active)
        slack = 2.5 + 0.5 * np.sqrt(self.length)
        self.active = [a for a in self.active if best - self.sums[a] < slack] or self.active[:1]


def make(noise, generator):
    return Elimination(3, noise, generator)
