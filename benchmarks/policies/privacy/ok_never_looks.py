r"""
HARMLESS: the rewards are kept but never used: any budget holds
DECLARED: epsilon=1e-6
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1e-6)


class Lottery(Policy):
    def __init__(self, arms, generator):
        super().__init__(arms)
        self.generator, self.heard = generator, []

    def next_batch(self):
        return self.generator.integers(self.arms, size=1), self.generator.integers(1, 6, size=1)

    def observe(self, total, count, arm=None):
        self.heard.append((float(total[0]), int(count[0])))


def make(noise, generator):
    return Lottery(5, generator)
