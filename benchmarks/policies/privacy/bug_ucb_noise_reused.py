r"""
BUG: the noise of an arm is drawn at its first release and added again to every later sum
LINE: released = total + self.offset[played]
DECLARED: epsilon=0.5
"""
from math import log, sqrt

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

ARMS = 3
EPSILON = 0.5
BUDGET = Budget.pure(EPSILON)


class DoublingUCB(Policy):
    def __init__(self, noise):
        super().__init__(ARMS)
        self.noise = noise
        self.clock = 0
        self.arm = 0
        self.sums = [0.0] * ARMS  # released
        self.length = [0] * ARMS  # of the last episode
        self.episodes = [0] * ARMS
        self.offset = {}

    def index(self, a):
        n = self.length[a]
        if n == 0:
            return float("inf")
        level = log(self.clock + 1)
        return self.sums[a] / n + sqrt(level / (2 * n)) + level / (EPSILON * n)

    def next_batch(self):
        scores = [self.index(a) for a in range(ARMS)]
        self.arm = scores.index(max(scores))
        return np.array([self.arm]), np.array([2 ** self.episodes[self.arm]])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        n = int(count[0])
        if played not in self.offset:
            first = self.noise.laplace(total, sensitivity=1.0, budget=BUDGET, records=(self.clock, self.clock + n))
            self.offset[played] = first - total
        released = total + self.offset[played]
        self.sums[played] = float(released[0])
        self.length[played] = n
        self.episodes[played] += 1
        self.clock += n


def make(noise, generator):
    return DoublingUCB(noise)
