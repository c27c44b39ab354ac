"""HARMLESS: successive elimination that goes through the arms from the last one to the first
CLAIMS: the regret of successive-elimination
"""

import numpy as np

from banditproof.algorithms.finite.successive_elimination import SuccessiveElimination


class Backwards(SuccessiveElimination):
    def next_batch(self):
        arm, count = super().next_batch()
        return self.arms - 1 - arm, count

    def observe(self, total, count, arm=None):
        super().observe(total, count, None if arm is None else self.arms - 1 - arm)


NAME = "successive-elimination"
BUDGETS = [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Backwards(arms, horizon=horizon, replications=replications)
