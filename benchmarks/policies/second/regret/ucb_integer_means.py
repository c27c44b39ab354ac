"""BUG: means are divided as integers, so they are 0 unless all rewards were 1
LINE: means = self.sums // n
CLAIMS: the regret of ucb
"""

import numpy as np

from banditproof.algorithms import Policy


class Explorer(Policy):
    """An index policy that decides at every pull, for R runs at once."""

    per_replication = ("sums", "n", "clock", "recommended")

    def __init__(self, arms, replications):
        super().__init__(arms, replications)
        self.sums = np.zeros((replications, arms))
        self.n = np.zeros((replications, arms), dtype=np.int64)
        self.clock = np.zeros(replications, dtype=np.int64)
        self.recommended = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        n = np.maximum(self.n, 1)
        index = self.index(self.sums / n, n, self.clock[:, np.newaxis] + 1)
        self.recommended = np.where(self.n == 0, np.inf, index).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.recommended if arm is None else arm
        self.sums[at] += total
        self.n[at] += count
        self.clock = self.clock + count


class UCB(Explorer):
    def __init__(self, arms, horizon, replications):
        super().__init__(arms, replications)
        self.log_term = 4 * np.log(horizon)

    def index(self, means, n, t):
        means = self.sums // n
        return means + np.sqrt(self.log_term / n)


NAME, BUDGETS = "ucb", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return UCB(arms, horizon, replications)
