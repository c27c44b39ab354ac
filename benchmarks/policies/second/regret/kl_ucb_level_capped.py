"""BUG: the level stops growing after two pulls, as if t were at most 2, so exploration dies out
LINE: level = np.log(np.minimum(t, 2)) / n
CLAIMS: the regret of kl-ucb
"""

import numpy as np

from banditproof.algorithms import Policy


class Agent(Policy):
    """An index policy that decides at every pull, for R runs at once."""

    per_replication = ("sums", "pulls", "clock", "recommended")

    def __init__(self, arms, replications):
        super().__init__(arms, replications)
        self.sums = np.zeros((replications, arms))
        self.pulls = np.zeros((replications, arms), dtype=np.int64)
        self.clock = np.zeros(replications, dtype=np.int64)
        self.recommended = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        n = np.maximum(self.pulls, 1)
        index = self.index(self.sums / n, n, self.clock[:, np.newaxis] + 1)
        self.recommended = np.where(self.pulls == 0, np.inf, index).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.recommended if arm is None else arm
        self.sums[at] += total
        self.pulls[at] += count
        self.clock = self.clock + count


class KLUCB(Agent):
    STEPS = 24

    def index(self, means, n, t):
        level = np.log(np.minimum(t, 2)) / n
        low, high = means.copy(), np.ones_like(means)
        for _ in range(self.STEPS):
            mid = (low + high) / 2
            p, q = np.clip(means, 1e-12, 1 - 1e-12), np.clip(mid, 1e-12, 1 - 1e-12)
            far = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)) > level
            low, high = np.where(far, low, mid), np.where(far, mid, high)
        return high


NAME, BUDGETS = "kl-ucb", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return KLUCB(arms, replications)
