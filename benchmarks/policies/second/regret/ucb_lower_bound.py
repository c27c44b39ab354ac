"""BUG: the width is subtracted: the policy plays the largest lower bound
LINE: return means - np.sqrt(2 * self.level / samples)
CLAIMS: the regret of ucb
"""

from banditproof.algorithms.finite.index import UCB

import numpy as np


class Careful(UCB):
    def score(self, means, samples):
        return means - np.sqrt(2 * self.level / samples)


NAME = "ucb"
BUDGETS = [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Careful(arms, horizon=horizon, replications=replications)
