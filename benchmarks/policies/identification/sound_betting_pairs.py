"""HARMLESS: A test by betting (Ville): with two arms only the worse one can be wrong, so delta is not split.
CLAIMS: names a wrong arm with probability at most delta = 0.05 on every bandit with two arms
"""

import numpy as np

DELTA = 0.05
WHERE = 2


class Bets:
    """Two arms in pairs. Either arm's wealth bets on it with every pair in which the rewards differ.

    If an arm is not better, its wealth is a supermartingale, so it ever reaches 1/delta with probability at most delta.
    """

    def __init__(self, replications):
        self.arms, self.replications = 2, replications
        self.wealth = np.zeros((replications, 2, 4))  # logarithms, for four sizes of bets
        self.first, self.odd = np.zeros(replications), np.zeros(replications, dtype=bool)

    def keep(self, rows):
        self.wealth, self.first, self.odd = self.wealth[rows], self.first[rows], self.odd[rows]
        self.replications = len(self.odd)

    def mixture(self):
        return np.log(np.exp(np.minimum(self.wealth, 600)).mean(axis=2))

    @property
    def stopped(self):
        return self.mixture().max(axis=1) >= np.log(1 / DELTA)

    @property
    def recommendation(self):
        return self.mixture().argmax(axis=1)

    def next_batch(self):
        return self.odd.astype(np.int64), np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        ahead = np.where(self.odd, self.first - total, 0.0)
        for k, sign in enumerate((1.0, -1.0)):
            for j, size in enumerate((0.4, 0.2, 0.05, 0.01)):
                self.wealth[:, k, j] += np.log1p(sign * size * ahead)
        self.first = np.where(self.odd, self.first, total)
        self.odd = ~self.odd


def make_strategy(arms, generator, replications):
    assert arms == 2
    return Bets(replications)
