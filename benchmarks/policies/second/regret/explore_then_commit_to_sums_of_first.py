"""BUG: after the exploration it commits to the arm with the smallest mean
LINE: best = np.nan_to_num(self.means).argmin(axis=1)
CLAIMS: the regret of explore-then-commit

argmin where argmax is meant: the array holds means of rewards, not losses.
"""

import numpy as np

from banditproof.algorithms import Policy


class ETC(Policy):
    per_replication = ("means", "turn")

    def __init__(self, arms, exploration, replications):
        super().__init__(arms, replications)
        self.m = exploration
        self.means = np.full((replications, arms), np.nan)
        self.turn = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        best = np.nan_to_num(self.means).argmin(axis=1)
        exploring = self.turn < self.arms
        arm = np.where(exploring, np.minimum(self.turn, self.arms - 1), best)
        return arm, np.where(exploring, self.m, 10**9)

    def observe(self, total, count, arm=None):
        played = self.next_batch()[0] if arm is None else arm
        rows = np.flatnonzero(self.turn < self.arms)
        self.means[rows, played[rows]] = (total / count)[rows]
        self.turn = self.turn + 1


NAME, BUDGETS = "explore-then-commit", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return ETC(arms, 100, replications)
