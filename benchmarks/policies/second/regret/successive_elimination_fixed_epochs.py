"""BUG: the gap of an epoch stays 1, so epochs do not grow and arms with a small gap are never dropped
LINE: gap = 1.0
CLAIMS: the regret of successive-elimination
"""

import numpy as np

from banditproof.algorithms import Policy


class Elimination(Policy):
    per_replication = ("active", "means", "turn", "epoch")

    def __init__(self, arms, horizon, replications):
        super().__init__(arms, replications)
        self.beta = 1 / horizon
        self.active = np.ones((replications, arms), dtype=bool)
        self.means = np.zeros((replications, arms))
        self.turn, self.epoch = np.zeros(replications, dtype=np.int64), np.ones(replications)

    def pulls(self):
        gap = 1.0
        level = np.log(8 * self.active.sum(axis=1) * self.epoch**2 / self.beta)
        return np.floor(32 * level / gap**2).astype(np.int64) + 1, level

    def next_batch(self):
        alone = self.active.sum(axis=1) == 1
        return self.turn, np.where(alone, 10**12, self.pulls()[0])

    def observe(self, total, count, arm=None):
        rows, played = np.arange(self.replications), self.turn if arm is None else arm
        self.means[rows, played] = total / count
        later = self.active & (np.arange(self.arms) > self.turn[:, np.newaxis])
        over = ~later.any(axis=1)
        n, level = self.pulls()
        best = np.where(self.active, self.means, -np.inf).max(axis=1, keepdims=True)
        worse = best - self.means > (2 * np.sqrt(level / (2 * n)))[:, np.newaxis]
        self.active &= ~(worse & over[:, np.newaxis])
        self.epoch = self.epoch + over
        self.turn = np.where(over, self.active.argmax(axis=1), later.argmax(axis=1))


NAME, BUDGETS = "successive-elimination", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Elimination(arms, horizon, replications)
