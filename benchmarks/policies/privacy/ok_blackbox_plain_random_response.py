r"""
HARMLESS: local randomised response by the random module, with secret coins: private, but only the black-box check is meant for it
DECLARED: epsilon=1.0
"""
import math
import random

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)
BLACK_BOX = True
LIE = 1 / (1 + math.e)


class Flip(Policy):
    def __init__(self, arms, seed):
        super().__init__(arms)
        self.random = random.Random(seed)
        self.wins, self.tries, self.arm = [1] * arms, [2] * arms, 0

    def next_batch(self):
        draws = [self.random.betavariate(w, t - w) if 0 < w < t else 0.5 for w, t in zip(self.wins, self.tries)]
        self.arm = draws.index(max(draws))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        truth = self.random.random() < total[0]
        self.wins[a] += truth != (self.random.random() < LIE)
        self.tries[a] += 1


def make(noise, generator):
    return Flip(3, int(generator.integers(2**62)))
