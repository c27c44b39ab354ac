r"""
BUG: only the whole part of a sum gets noise, and its exact fraction is added afterwards
LINE: self.count[a] += noisy[0] + (high - math.floor(high))
DECLARED: epsilon=1.0
"""
import math

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)


class CountingUCB(Policy):
    """Counts rewards of at least one half; the counts get whole noise."""

    def __init__(self, noise):
        super().__init__(3)
        self.noise = noise
        self.pending = [[0, 0] for _ in range(3)]  # high rewards, pulls since the last release
        self.since = [0] * 3
        self.count, self.pulls = np.zeros(3), np.zeros(3)
        self.clock, self.arm = 0, 0

    def next_batch(self):
        n = np.maximum(self.pulls, 1)
        index = self.count / n + np.sqrt(2 * math.log(self.clock + 2) / n)
        self.arm = int(np.argmax(np.where(self.pulls == 0, np.inf, index)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        if self.pending[a][1] == 0:
            self.since[a] = self.clock
        self.clock += int(count[0])
        self.pending[a][0] += float(total[0])
        self.pending[a][1] += 1
        if self.pending[a][1] >= 4:
            self.flush(a)

    def flush(self, a):
        high, pulls = self.pending[a]
        records = tuple(np.array([x]) for x in (self.since[a], self.clock, a))
        value = np.array([float(math.floor(high))])
        noisy = self.noise.discrete_laplace(value, sensitivity=1.0, budget=BUDGET, records=records)
        self.count[a] += noisy[0] + (high - math.floor(high))
        self.pulls[a] += pulls
        self.pending[a] = [0, 0]


def make(noise, generator):
    return CountingUCB(noise)
