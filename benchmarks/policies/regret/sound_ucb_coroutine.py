"""HARMLESS: UCB as printed, written as a coroutine that plays one replication.
CLAIMS: UCB with known horizon, TH-T2.23 (gap-dependent and gap-free), check_theorem name 'ucb'
"""

import numpy as np

from banditproof.algorithms import Policy

NAME = "ucb"
BUDGETS = [None]


def player(arms, level):
    """Yields an arm, is sent its reward."""
    mean, n = [0.0] * arms, [0] * arms
    for a in range(arms):
        mean[a], n[a] = (yield a), 1
    while True:
        a = max(range(arms), key=lambda k: mean[k] + (2 * level / n[k]) ** 0.5)
        reward = yield a
        n[a] += 1
        mean[a] += (reward - mean[a]) / n[a]


class Coroutine(Policy):
    def __init__(self, arms, horizon):
        super().__init__(arms, 1)
        self.level = 2 * np.log(horizon)
        self.game = player(arms, self.level)
        self.ask = next(self.game)

    def next_batch(self):
        return np.array([self.ask]), np.array([1])

    def observe(self, total, count, arm=None):
        self.ask = self.game.send(float(total[0]))


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Coroutine(arms, max(2, horizon))
