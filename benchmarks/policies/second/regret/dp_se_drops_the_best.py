"""BUG: the sign of the comparison is wrong: arms far above the worst one are dropped
LINE: kept, self.means = self.means, -self.means
CLAIMS: the regret of dp-se
"""

import numpy as np

from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.theory import Budget


class Upside(DPSE):
    def _eliminate(self, over):
        kept, self.means = self.means, -self.means
        super()._eliminate(over)
        self.means = kept


NAME = "dp-se"
BUDGETS = [Budget.pure(1.0)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Upside(arms, budget, noise, horizon=horizon, replications=replications)
