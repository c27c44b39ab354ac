"""BUG: Once one arm is left, argmin instead of argmax over the mask picks the first arm that was dropped, which is then played for ever.
LINE: return np.where(self.left.sum(axis=1) == 1, self.left.argmin(axis=1), self.left.argmax(axis=1))
CLAIMS: successive elimination with known horizon that claims the bound of UCB, TH-T2.23, check_theorem name 'ucb'
"""

import numpy as np

from banditproof.algorithms import Policy

NAME = "ucb"
BUDGETS = [None]


class Elimination(Policy):
    """Round robin over the arms left; an arm goes when its interval lies below that of the best."""

    per_replication = ("left", "sums", "rounds", "turn")

    def __init__(self, arms, horizon, replications):
        super().__init__(arms, replications)
        self.log = np.log(2 * arms * max(horizon, 2))
        self.left = np.ones((replications, arms), dtype=bool)
        self.sums = np.zeros((replications, arms))
        self.rounds = np.zeros(replications, dtype=np.int64)
        self.turn = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        return self.turn, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        played = self.turn if arm is None else arm
        self.sums[np.arange(self.replications), played] += total
        waiting = self.left & (np.arange(self.arms) > self.turn[:, None])
        over = ~waiting.any(axis=1)
        self.rounds = self.rounds + over
        self.close(np.flatnonzero(over))
        self.turn = np.where(over, self.first(), waiting.argmax(axis=1))

    def first(self):
        return np.where(self.left.sum(axis=1) == 1, self.left.argmin(axis=1), self.left.argmax(axis=1))

    def close(self, rows):
        if rows.size:
            n = self.rounds[rows][:, None]
            means = np.where(self.left[rows], self.sums[rows] / n, -np.inf)
            radius = np.sqrt(self.log / (2 * n))
            best = means.max(axis=1, keepdims=True)
            self.left[rows] &= means + radius >= best - radius


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Elimination(arms, horizon, replications)
