"""BUG: every phase of an elimination is tested at level delta, and there is no bound on the number of phases
LINE: self.quantile = NormalDist().inv_cdf(1 - DELTA / (arms - 1))
CLAIMS: error probability at most DELTA

The level is that of the normal approximation at the equal split of the risk over two rivals; the risk is not divided over the phases.
"""

from statistics import NormalDist

import numpy as np

from banditproof.algorithms import Policy

WHERE, DELTA = 3, 0.05


class Phases(Policy):
    per_replication = ("alive", "sums", "n", "turn")

    def __init__(self, arms, replications):
        super().__init__(arms, replications)
        self.quantile = NormalDist().inv_cdf(1 - DELTA / (arms - 1))
        self.alive = np.ones((replications, arms), dtype=bool)
        self.sums, self.n = np.zeros((replications, arms)), np.zeros((replications, arms))
        self.turn = np.zeros(replications, dtype=np.int64)

    @property
    def stopped(self):
        return self.alive.sum(axis=1) == 1

    @property
    def recommendation(self):
        return self.alive.argmax(axis=1)

    def next_batch(self):
        own = self.n[np.arange(self.replications), self.turn].astype(np.int64)
        return self.turn, np.maximum(own, 50)

    def observe(self, total, count, arm=None):
        rows, played = np.arange(self.replications), self.turn if arm is None else arm
        self.sums[rows, played] += total
        self.n[rows, played] += count
        later = self.alive & (np.arange(self.arms) > self.turn[:, np.newaxis])
        over = ~later.any(axis=1)
        n = np.maximum(self.n, 1)
        means = np.where(self.alive, self.sums / n, -np.inf)
        lead = means.max(axis=1, keepdims=True) - means
        self.alive &= ~((lead > self.quantile * np.sqrt(0.5 / n)) & over[:, np.newaxis])
        self.turn = np.where(over, self.alive.argmax(axis=1), later.argmax(axis=1))


def make_strategy(arms, generator, replications):
    return Phases(arms, replications)
