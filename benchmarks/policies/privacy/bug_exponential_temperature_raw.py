r"""
BUG: the share of a selection grows with the exact spread of the sums, so the privacy parameter itself depends on the rewards
LINE: return Budget.pure(EPSILON * 6 / (math.pi * self.m) ** 2 * (1 + np.ptp(self.sums)))
DECLARED: epsilon=2.0
"""
import math

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

EPSILON = 2.0
BUDGET = Budget.pure(EPSILON)


class Selector(Policy):
    """Before batch m one exponential mechanism on all exact sums, with budget 6 epsilon / (pi m)^2."""

    def __init__(self, noise):
        super().__init__(3)
        self.noise = noise
        self.sums = np.zeros((1, 3))
        self.m, self.clock = 0, 0
        self.chosen = 0

    def share(self):
        return Budget.pure(EPSILON * 6 / (math.pi * self.m) ** 2 * (1 + np.ptp(self.sums)))

    def next_batch(self):
        return np.array([self.chosen]), np.array([3])

    def observe(self, total, count, arm=None):
        a = self.chosen if arm is None else int(arm[0])
        self.sums[0, a] += total[0]
        self.clock += int(count[0])
        self.m += 1
        self.select()

    def select(self):
        answer = self.noise.exponential_mechanism(
            self.sums, sensitivity=1.0, budget=self.share(), records=(0, self.clock)
        )
        self.chosen = int(answer[0])


def make(noise, generator):
    return Selector(noise)
