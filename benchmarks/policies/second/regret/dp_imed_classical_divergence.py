"""BUG: the divergence is the non-private kl, with which an arm that is unlucky under the noise is hardly looked at again
LINE: return -(samples * np.minimum(kl_bernoulli(means, best), 1e9) + np.log(samples))
CLAIMS: the regret of dp-imed
"""

import numpy as np

from banditproof.algorithms import GeometricBatches
from banditproof.algorithms.finite.dp_index import BatchedIndexPolicy
from banditproof.theory import Budget
from banditproof.theory.laws.bernoulli import kl_bernoulli


class IMEDWithNoise(BatchedIndexPolicy):
    def score(self, means, samples):
        best = np.broadcast_to(means.max(axis=1, keepdims=True), means.shape)
        return -(samples * np.minimum(kl_bernoulli(means, best), 1e9) + np.log(samples))


NAME = "dp-imed"
BUDGETS = [Budget.pure(0.05)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return IMEDWithNoise(arms, budget, GeometricBatches(2), noise, replications=replications)
