"""BUG: Lazy-DP-TS whose sums are not cleared after a release: old rewards are in every later release at the full epsilon
LINE: self.collected[at] = 0
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.theory import Budget


class EagerMemory(LazyDPTS):
    """Lazy-DP-TS that estimates from all rewards of an arm."""

    def _release(self, rows, arm):
        at = rows, arm
        records = (self.since[at], self.clock[rows], arm)
        budget = Budget.pure(self.epsilon[rows])
        released = self.noise.laplace(self.sums[at], sensitivity=1.0, budget=budget, records=records)
        self.samples[at] += self.collected[at]
        self.means[at] = released / self.samples[at]
        self.collected[at] = 0
        self.phase[at] += 1


def make(noise, generator):
    return EagerMemory(3, Budget.pure(1.0), noise, generator)
