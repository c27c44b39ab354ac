r"""
HARMLESS: two private policies at half the budget each hear the same rewards, and both decide
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import AdaPUCB, Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)


class Wrapper(Policy):
    def __init__(self, inner):
        super().__init__(inner.arms)
        self.inner = inner
        self.other = AdaPUCB(inner.arms, Budget.pure(0.5), inner.noise, beta=1.0)

    def next_batch(self):
        arm, count = self.inner.next_batch()
        second, longer = self.other.next_batch()
        return second, np.maximum(count, longer)

    def observe(self, total, count, arm=None):
        self.inner.observe(total, count, arm)
        self.other.observe(total, count, arm)


def make(noise, generator):
    return Wrapper(AdaPUCB(3, Budget.pure(0.5), noise, beta=3.1))
