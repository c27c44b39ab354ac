"""BUG: the width shrinks with all pulls of the run instead of those of the arm
LINE: return means + np.sqrt(2 * self.level / t)
CLAIMS: the regret of ucb
"""

import numpy as np

from banditproof.algorithms import Policy


class Base(Policy):
    """An index policy that decides at every pull, for R runs at once."""

    per_replication = ("sums", "counts", "clock", "recommended")

    def __init__(self, arms, replications):
        super().__init__(arms, replications)
        self.sums = np.zeros((replications, arms))
        self.counts = np.zeros((replications, arms), dtype=np.int64)
        self.clock = np.zeros(replications, dtype=np.int64)
        self.recommended = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        n = np.maximum(self.counts, 1)
        index = self.index(self.sums / n, n, self.clock[:, np.newaxis] + 1)
        self.recommended = np.where(self.counts == 0, np.inf, index).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.recommended if arm is None else arm
        self.sums[at] += total
        self.counts[at] += count
        self.clock = self.clock + count


class UCB(Base):
    def __init__(self, arms, horizon, replications):
        super().__init__(arms, replications)
        self.level = 2 * np.log(horizon)

    def index(self, means, n, t):
        return means + np.sqrt(2 * self.level / t)


NAME, BUDGETS = "ucb", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return UCB(arms, horizon, replications)
