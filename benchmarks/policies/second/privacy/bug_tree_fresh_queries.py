"""BUG: the nodes of the tree are noised anew at every query instead of once
LINE: answer += self.noise.laplace(value, sensitivity=1.0, budget=self.share, records=where)[0]
DECLARED: epsilon=1.0

A node that serves several prefixes is released several times at the same share.
"""

from math import floor, log2

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class FreshTree(Policy):
    def __init__(self, arms, noise, horizon):
        super().__init__(arms)
        self.noise, self.share = noise, Budget.pure(1.0 / (floor(log2(horizon)) + 2))
        self.rewards, self.times, self.means = ([[] for _ in range(arms)] for _ in range(3))
        self.clock = 0

    def next_batch(self):
        counts = [max(len(r), 0) for r in self.rewards]
        scores = [m[-1] + 2 / np.sqrt(c) if c else np.inf for m, c in zip(self.means, counts)]
        self.arm = int(np.argmax(scores))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        self.rewards[a].append(float(total[0]))
        self.times[a].append(self.clock)
        self.clock += 1
        self.means[a].append(self.prefix(a) / len(self.rewards[a]))

    def prefix(self, a):
        n, answer, left = len(self.rewards[a]), 0.0, 0
        for level in reversed(range(n.bit_length())):
            if n >> level & 1:
                right = left + (1 << level)
                value = np.array([sum(self.rewards[a][left:right])])
                where = (self.times[a][left], self.times[a][right - 1] + 1, np.array([a]))
                answer += self.noise.laplace(value, sensitivity=1.0, budget=self.share, records=where)[0]
                left = right
        return answer


def make(noise, generator):
    return FreshTree(3, noise, 256)
