"""BUG: The level divides by sqrt(N) instead of N, so arms are explored (log t / d)^2 instead of log t / d times.
LINE: level = np.log(self.clock + 1)[:, np.newaxis] / np.sqrt(samples)
CLAIMS: DP-KLUCB with alpha = 2, epsilon = 0.5, BDP-T4.3, check_theorem name 'dp-klucb'
"""

import numpy as np

from banditproof.algorithms import BatchedIndexPolicy, GeometricBatches
from banditproof.theory import Budget
from banditproof.theory.laws.bernoulli import dp_klucb_index

NAME = "dp-klucb"
BUDGETS = [Budget.pure(0.5)]


class Mine(BatchedIndexPolicy):
    def score(self, means, samples):
        level = np.log(self.clock + 1)[:, np.newaxis] / np.sqrt(samples)
        return dp_klucb_index(means, level, self.epsilon[:, np.newaxis])


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    schedule = GeometricBatches(2)
    return Mine(arms, budget, schedule, noise, replications=replications, generator=generator, ties="random")
