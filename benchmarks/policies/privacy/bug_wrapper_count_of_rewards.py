r"""
BUG: the wrapper reports the number of positive units as the count, which the inner policy takes as public
LINE: self.inner.observe(total, np.maximum(1, np.minimum(count, np.ceil(2 * total).astype(int))), arm)
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
        self.inner.observe(total, np.maximum(1, np.minimum(count, np.ceil(2 * total).astype(int))), arm)


def make(noise, generator):
    return Wrapper(AdaPUCB(3, BUDGET, noise, beta=3.1))
