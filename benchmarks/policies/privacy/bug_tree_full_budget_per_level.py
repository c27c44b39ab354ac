r"""
BUG: every node gets the whole budget, since the nodes of one level are disjoint
LINE: share = BUDGET
DECLARED: epsilon=1.0
"""
import math

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

HORIZON = 255
LEVELS = 8  # nodes of 1, 2, 4, ..., 128 rewards
EPSILON = 1.0
BUDGET = Budget.pure(EPSILON)


class Tree:
    """Noisy prefix sums of the rewards of one arm; after HORIZON rewards a new tree begins."""

    def __init__(self, arm, noise):
        self.arm, self.noise = arm, noise
        self.finished, self.number = 0.0, 0
        self.reset()

    def reset(self):
        self.exact, self.noisy, self.first = [0.0] * LEVELS, [0.0] * LEVELS, [0] * LEVELS
        self.size = 0

    def add(self, reward, time):
        self.size += 1
        self.number += 1
        level = (self.size & -self.size).bit_length() - 1
        start = min([time, *self.first[:level]])
        value = reward + sum(self.exact[:level])
        for below in range(level):
            self.exact[below] = self.noisy[below] = 0.0
        self.exact[level], self.first[level] = value, start
        records = tuple(np.array([x]) for x in (start, time + 1, self.arm))
        share = BUDGET
        self.noisy[level] = float(self.noise.laplace(np.array([value]), sensitivity=1.0, budget=share, records=records)[0])
        if self.size == HORIZON:
            self.finished += sum(self.noisy)
            self.reset()

    @property
    def total(self):
        return self.finished + sum(self.noisy)


class TreeUCB(Policy):
    def __init__(self, noise):
        super().__init__(2)
        self.trees = [Tree(a, noise) for a in range(2)]
        self.clock, self.next = 0, 0

    def score(self, tree):
        if tree.number == 0:
            return math.inf
        return tree.total / tree.number + math.sqrt(2 * math.log(self.clock + 1) / tree.number)

    def next_batch(self):
        self.next = max(range(2), key=lambda a: self.score(self.trees[a]))
        return np.array([self.next]), np.array([1])

    def observe(self, total, count, arm=None):
        played = self.next if arm is None else int(arm[0])
        self.trees[played].add(float(total[0]), self.clock)
        self.clock += int(count[0])


def make(noise, generator):
    return TreeUCB(noise)
