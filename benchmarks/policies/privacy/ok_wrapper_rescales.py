r"""
HARMLESS: rewards are squeezed into [1/4, 3/4] before the private policy hears of them
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

    def next_batch(self):
        return self.inner.next_batch()

    def observe(self, total, count, arm=None):
        self.inner.observe(0.25 * count + 0.5 * total, count, arm)


def make(noise, generator):
    return Wrapper(AdaPUCB(3, BUDGET, noise, beta=3.1))
