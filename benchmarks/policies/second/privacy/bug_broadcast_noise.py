"""BUG: one noise term is broadcast over the sums of all arms
LINE: noisy = (self.sums[np.newaxis] + noise)[0]
DECLARED: epsilon=1.0

The differences between the arms, on which the choice rests, have no noise at all.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
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


class Broadcast(Agent):
    def absorb(self, span):
        zero = np.zeros((1, 1))
        noise = self.noise.laplace(zero, sensitivity=1.0, budget=Budget.pure(1.0), records=span)
        noisy = (self.sums[np.newaxis] + noise)[0]
        best = int(noisy.argmax())
        self.active = [best] * 3 if noisy[best] > self.length / 2 else list(range(self.arms))
        if best not in self.active or self.epoch % 3 == 0:
            self.active = list(range(self.arms))


def make(noise, generator):
    return Broadcast(3, noise, generator)
