"""BUG: the variance of the noise in the index is 2 rho instead of 1 / (2 rho)
LINE: b = 2 * self.budget.rho[:, np.newaxis]
CLAIMS: the regret of adac-ucb
"""

import numpy as np

from banditproof.algorithms import AdaCUCB
from banditproof.theory import Budget


class Inverted(AdaCUCB):
    def width(self, samples, level):
        b = 2 * self.budget.rho[:, np.newaxis]
        return np.sqrt((1 / (2 * samples) + 2 * b / samples.astype(float) ** 2) * level)


NAME = "adac-ucb"
BUDGETS = [Budget.zcdp(0.0005)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Inverted(arms, budget, noise, beta=1.0, replications=replications)
