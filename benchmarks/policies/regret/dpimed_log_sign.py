"""BUG: log N enters the index with the wrong sign, so the arm played most always has the smallest index and the first leader is never left.
LINE: return -(samples * divergence - np.log(samples))
CLAIMS: DP-IMED with alpha = 2, epsilon = 0.5, BDP-T4.3, check_theorem name 'dp-imed'
"""

import numpy as np

from banditproof.algorithms import BatchedIndexPolicy, GeometricBatches
from banditproof.theory import Budget
from banditproof.theory.laws import bernoulli_points as points

NAME = "dp-imed"
BUDGETS = [Budget.pure(0.5)]


class Mine(BatchedIndexPolicy):
    def score(self, means, samples):
        best = np.broadcast_to(means.max(axis=1, keepdims=True), means.shape)
        epsilon = np.broadcast_to(self.epsilon[:, np.newaxis], means.shape)
        divergence = points.d(means.ravel(), best.ravel(), epsilon.ravel()).reshape(means.shape)
        return -(samples * divergence - np.log(samples))


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    schedule = GeometricBatches(2)
    return Mine(arms, budget, schedule, noise, replications=replications, generator=generator, ties="random")
