r"""
BUG: rewards are stretched from the expected [0.2, 0.7] to [0, 1], and the clipping of what lies outside was forgotten
LINE: self.inner.observe((total - 0.2 * count) / 0.5, count, arm)
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
        self.inner.observe((total - 0.2 * count) / 0.5, count, arm)


def make(noise, generator):
    return Wrapper(AdaPUCB(3, BUDGET, noise, beta=3.1))
