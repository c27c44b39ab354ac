"""BUG: the bonus for the noise is multiplied by epsilon instead of divided by it
LINE: noise_bonus = level * self.epsilon[:, np.newaxis] / samples
CLAIMS: the regret of adap-ucb
"""

import numpy as np

from banditproof.algorithms import EpisodicUCB
from banditproof.theory import Budget


class Private(EpisodicUCB):
    kinds = ("pure",)

    def score(self, means, samples):
        level = 3.1 * np.log(self.clock + 1)[:, np.newaxis]
        noise_bonus = level * self.epsilon[:, np.newaxis] / samples
        return means + np.sqrt(level / (2 * samples)) + noise_bonus


NAME = "adap-ucb"
BUDGETS = [Budget.pure(0.05), Budget.pure(0.02)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Private(arms, budget, noise, replications=replications)
