"""BUG: at the end of an epoch the sums of all arms but the last one are reset, so its rewards are in several releases
LINE: for a in range(self.arms - 1):
DECLARED: epsilon=1.0

range(arms - 1) leaves out the last arm.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Epochs(Policy):
    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise, self.turn, self.clock, self.begin = noise, 0, 0, 0
        self.sums, self.plan = np.zeros(arms), [4] * arms

    def next_batch(self):
        return np.array([self.turn]), np.array([self.plan[self.turn]])

    def observe(self, total, count, arm=None):
        self.sums[self.turn if arm is None else int(arm[0])] += float(total[0])
        self.clock += int(count[0])
        self.turn += 1
        if self.turn == self.arms:
            noisy = self.noise.laplace(
                self.sums[np.newaxis], sensitivity=1.0, budget=Budget.pure(1.0), records=(self.begin, self.clock)
            )[0]
            best = int(np.argmax(noisy))
            self.plan = [8 if a == best else 3 for a in range(self.arms)]
            for a in range(self.arms - 1):
                self.sums[a] = 0.0
            self.turn, self.begin = 0, self.clock


def make(noise, generator):
    return Epochs(3, noise)
