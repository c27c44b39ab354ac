"""BUG: the level is not divided by the number of samples: all indices go to 1 and the lowest arm is played for ever
LINE: level = np.broadcast_to(log_f(self.clock + 1)[:, np.newaxis] * 4, means.shape)
CLAIMS: the regret of kl-ucb
"""

from banditproof.algorithms.finite.index import KLUCB, log_f
from banditproof.theory.laws.bernoulli import kl_ucb_index

import numpy as np


class Wide(KLUCB):
    def score(self, means, samples):
        level = np.broadcast_to(log_f(self.clock + 1)[:, np.newaxis] * 4, means.shape)
        index = kl_ucb_index(means, level)
        return np.round(index, 2)


NAME = "kl-ucb"
BUDGETS = [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Wide(arms, exploration="log f(t)", replications=replications)
