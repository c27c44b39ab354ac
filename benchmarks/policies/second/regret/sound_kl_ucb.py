"""HARMLESS: KL-UCB with the level log(1 + t log^2 t) and an index by 40 halvings
CLAIMS: the regret of kl-ucb
"""

import numpy as np

from banditproof.algorithms import Policy


class Learner(Policy):
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


class KLUCB(Learner):
    def index(self, means, n, t):
        level = np.log1p(t * np.log(t) ** 2) / n
        p = np.clip(means, 1e-12, 1 - 1e-12)
        low, high = p.copy(), np.full_like(p, 1 - 1e-12)
        for _ in range(40):
            q = (low + high) / 2
            near = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)) <= level
            low, high = np.where(near, q, low), np.where(near, high, q)
        return low


NAME, BUDGETS = "kl-ucb", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return KLUCB(arms, replications)
