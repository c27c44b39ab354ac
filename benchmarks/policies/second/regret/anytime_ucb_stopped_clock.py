"""BUG: the clock of the index never moves, so its width is zero: f(1) = 1
LINE: width = np.log1p(self.t * np.log(self.t) ** 2)
CLAIMS: the regret of anytime-ucb
"""

from banditproof.algorithms.finite.index import AnytimeUCB

import numpy as np


class Anytime(AnytimeUCB):
    def __init__(self, arms, **options):
        super().__init__(arms, **options)
        self.t = np.ones((self.replications, 1))
        self.per_replication = (*self.per_replication, "t")

    def score(self, means, samples):
        width = np.log1p(self.t * np.log(self.t) ** 2)
        return means + np.sqrt(2 * width / samples)


NAME = "anytime-ucb"
BUDGETS = [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Anytime(arms, replications=replications)
