"""BUG: the policy starts anew every 300 pulls
LINE: old = self.samples.sum(axis=1) > 300
CLAIMS: the regret of dp-imed
"""

import numpy as np

from banditproof.algorithms import DPIMED, GeometricBatches
from banditproof.theory import Budget


class Restarting(DPIMED):
    def observe(self, total, count, arm=None):
        super().observe(total, count, arm)
        old = self.samples.sum(axis=1) > 300
        self.sums[old], self.samples[old], self.batches_done[old], self.unheard[old] = 0.0, 0, 0, 0


NAME = "dp-imed"
BUDGETS = [Budget.pure(0.5)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Restarting(arms, budget, GeometricBatches(2), noise, generator=generator, replications=replications)
