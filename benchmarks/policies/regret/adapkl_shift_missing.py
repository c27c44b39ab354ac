"""BUG: The private mean is not shifted by beta log t / (epsilon n), so the index does not cover the Laplace noise and a best arm with unlucky noise is given up.
LINE: shifted = np.clip(means, 0.0, 1.0)
CLAIMS: AdaP-KLUCB, beta = 3.1, epsilon = 0.02, ALG-T5.4, check_theorem name 'adap-klucb'
"""

import numpy as np

from banditproof.algorithms import AdaPKLUCB
from banditproof.theory import Budget
from banditproof.theory.laws.bernoulli import kl_ucb_index

NAME = "adap-klucb"
BUDGETS = [Budget.pure(0.02)]


class PrivateKL(AdaPKLUCB):
    def score(self, means, samples):
        level = self.level() / samples
        shifted = np.clip(means, 0.0, 1.0)
        return np.where(shifted < 1, np.minimum(kl_ucb_index(shifted, level), np.nextafter(1.0, 0.0)), 1.0)


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return PrivateKL(arms, budget, noise, beta=3.1, replications=replications)
