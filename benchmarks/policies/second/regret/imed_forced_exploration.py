"""BUG: one pull in five is for a random arm, for ever
LINE: coin = self.generator.random(self.replications) < 0.2
CLAIMS: the regret of imed
"""

import numpy as np

from banditproof.algorithms.finite.index import IMED


class Curious(IMED):
    def next_batch(self):
        arm, count = super().next_batch()
        coin = self.generator.random(self.replications) < 0.2
        self.recommended = np.where(coin, self.generator.integers(self.arms, size=self.replications), arm)
        return self.recommended, count


NAME = "imed"
BUDGETS = [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Curious(arms, generator=generator, replications=replications)
