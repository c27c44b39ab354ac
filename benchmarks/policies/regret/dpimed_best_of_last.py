"""BUG: The divergence is taken to the mean of the last arm instead of the best one: arms better than the last all have divergence 0 and are played evenly.
LINE: best = np.maximum(means, means[:, -1:])
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
        best = np.maximum(means, means[:, -1:])
        epsilon = np.broadcast_to(self.epsilon[:, np.newaxis], means.shape)
        divergence = points.d(means.ravel(), best.ravel(), epsilon.ravel()).reshape(means.shape)
        return -(samples * divergence + np.log(samples))


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    schedule = GeometricBatches(2)
    return Mine(arms, budget, schedule, noise, replications=replications, generator=generator, ties="random")
