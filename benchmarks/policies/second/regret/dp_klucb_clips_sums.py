"""BUG: sums instead of means are clipped to [0, 1], so every mean tends to zero
LINE: self.sums = np.clip(self.sums, 0.0, 1.0)
CLAIMS: the regret of dp-klucb
"""

import numpy as np

from banditproof.algorithms import DPKLUCB, GeometricBatches
from banditproof.theory import Budget


class Clipped(DPKLUCB):
    def observe(self, total, count, arm=None):
        super().observe(total, count, arm)
        self.sums = np.clip(self.sums, 0.0, 1.0)


NAME = "dp-klucb"
BUDGETS = [Budget.pure(1.0)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Clipped(arms, budget, GeometricBatches(2), noise, replications=replications)
