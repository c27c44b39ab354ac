"""HARMLESS: disjoint batches, each sum released once with Laplace noise; everything in one dictionary
DECLARED: epsilon=1.0
"""

import math

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Quiet(Policy):
    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise = noise
        self.book = {}
        self.clock = 0

    def next_batch(self):
        def upper(arm):
            if arm not in self.book:
                return math.inf
            total, n = self.book[arm]
            return total / n + math.sqrt(2 * math.log(self.clock + 1) / n)

        self.arm = max(range(self.arms), key=upper)
        return np.array([self.arm]), np.array([7])

    def observe(self, total, count, arm=None):
        played, n = (self.arm if arm is None else int(arm[0])), int(count[0])
        old_total, old_n = self.book.get(played, (0.0, 0))
        said = self.noise.laplace(
            np.asarray(total, dtype=float),
            sensitivity=1.0,
            budget=Budget.pure(1.0),
            records=(self.clock, self.clock + n),
        )
        self.clock += n
        self.book[played] = (old_total + float(said[0]), old_n + n)


def make(noise, generator):
    return Quiet(3, noise)
