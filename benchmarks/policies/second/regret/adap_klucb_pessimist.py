"""BUG: the shift for the noise is subtracted from the private mean
LINE: shifted = np.clip(means - level / self.epsilon[:, np.newaxis], 0.0, 1.0)
CLAIMS: the regret of adap-klucb
"""

import numpy as np

from banditproof.algorithms import EpisodicUCB
from banditproof.theory import Budget
from banditproof.theory.laws.bernoulli import kl_ucb_index


class KLEpisodes(EpisodicUCB):
    def score(self, means, samples):
        level = self.level() / samples
        shifted = np.clip(means - level / self.epsilon[:, np.newaxis], 0.0, 1.0)
        return kl_ucb_index(shifted, level)


NAME = "adap-klucb"
BUDGETS = [Budget.pure(0.25)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return KLEpisodes(arms, budget, noise, beta=3.1, replications=replications)
