"""HARMLESS: UCB1 of Auer et al. through an adapter; its bonus is smaller than that of the theorem and right for rewards in [0, 1].
CLAIMS: UCB with known horizon, TH-T2.23 (gap-dependent and gap-free), check_theorem name 'ucb' (the bound only)
"""

from math import log, sqrt

import numpy as np

from banditproof.verify.testing.adapters import select_update

NAME = "ucb"
BUDGETS = [None]


class UCB1:  # of another library: knows nothing of this one
    def __init__(self, n_arms):
        self.total, self.plays, self.t = [0.0] * n_arms, [0] * n_arms, 0

    def select_arm(self):
        for arm, plays in enumerate(self.plays):
            if plays == 0:
                return arm
        return int(np.argmax([s / n + sqrt(2 * log(self.t) / n) for s, n in zip(self.total, self.plays)]))

    def update(self, arm, reward):
        self.t += 1
        self.plays[arm] += 1
        self.total[arm] += reward


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return select_update([UCB1(arms) for _ in range(replications)], arms)
