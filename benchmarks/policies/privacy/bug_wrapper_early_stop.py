r"""
BUG: the wrapper repeats the last arm after a batch that was all ones
LINE: return arm, count + self.again
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
        self.again = 0

    def next_batch(self):
        arm, count = self.inner.next_batch()
        return arm, count + self.again

    def observe(self, total, count, arm=None):
        self.inner.observe(total, count, arm)
        self.again = int(total[0] == count[0])


def make(noise, generator):
    return Wrapper(AdaPUCB(3, BUDGET, noise, beta=3.1))
