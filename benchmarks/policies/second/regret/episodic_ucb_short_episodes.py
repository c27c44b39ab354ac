"""BUG: episodes do not double: every mean is that of a single reward
LINE: return np.ones_like(m)
CLAIMS: the regret of episodic-ucb
"""

import numpy as np

from banditproof.algorithms import EpisodicUCB


class Episodes(EpisodicUCB):
    def _size(self, m):
        return np.ones_like(m)


NAME, BUDGETS = "episodic-ucb", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Episodes(arms, beta=3.1, replications=replications)
