"""BUG: when another arm was played than asked for, its reward enters the estimate as it is
LINE: self.sums[int(arm[0])] += float(total[0])
DECLARED: epsilon=1.0

The path of `arm is not None` forgot the noise.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Override(Policy):
    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise, self.clock = noise, 0
        self.sums, self.n = np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        fresh = self.n == 0
        index = np.where(fresh, np.inf, self.sums / np.maximum(self.n, 1) + 2 / np.sqrt(np.maximum(self.n, 1)))
        self.ask = int(index.argmax())
        return np.array([self.ask]), np.array([4])

    def observe(self, total, count, arm=None):
        start, self.clock = self.clock, self.clock + int(count[0])
        if arm is not None and int(arm[0]) != self.ask:
            self.sums[int(arm[0])] += float(total[0])
            self.n[int(arm[0])] += int(count[0])
            return
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.sums[self.ask] += noisy[0]
        self.n[self.ask] += int(count[0])


def make(noise, generator):
    return Override(3, noise)
