"""BUG: the bonus uses all pulls of the run instead of those of the last episode, so that it vanishes
LINE: everything = np.broadcast_to(self.clock[:, np.newaxis], samples.shape)
CLAIMS: the regret of adar-ucb
"""

import numpy as np

from banditproof.algorithms.finite.episodic import AdaRUCB
from banditproof.theory import Budget


class Vanishing(AdaRUCB):
    def width(self, samples, level):
        everything = np.broadcast_to(self.clock[:, np.newaxis], samples.shape)
        return super().width(np.maximum(everything, 1), level)


NAME = "adar-ucb"
BUDGETS = [Budget.rdp(2.0, 0.01)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Vanishing(arms, budget, noise, beta=1.0, replications=replications)
