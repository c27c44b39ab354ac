"""BUG: Batches last one pull and never grow, so every reward adds its own Laplace noise to the sum and the index does not cover it.
LINE: schedule = PolynomialBatches(0)
CLAIMS: DP-KLUCB with alpha = 2, epsilon = 0.5, BDP-T4.3, check_theorem name 'dp-klucb'
"""

import numpy as np

from banditproof.algorithms import BatchedIndexPolicy
from banditproof.algorithms.batches import PolynomialBatches
from banditproof.theory import Budget
from banditproof.theory.laws.bernoulli import dp_klucb_index

NAME = "dp-klucb"
BUDGETS = [Budget.pure(0.5)]


class Mine(BatchedIndexPolicy):
    def score(self, means, samples):
        level = np.log(self.clock + 1)[:, np.newaxis] / samples
        return dp_klucb_index(means, level, self.epsilon[:, np.newaxis])


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    schedule = PolynomialBatches(0)
    return Mine(arms, budget, schedule, noise, replications=replications, generator=generator, ties="random")
