"""HARMLESS: IMED from scratch, with ties at random
CLAIMS: the regret of imed
"""

import numpy as np

from banditproof.algorithms import Policy


class Loop(Policy):
    """An index policy that decides at every pull, for R runs at once."""

    per_replication = ("sums", "times", "clock", "recommended")

    def __init__(self, arms, replications):
        super().__init__(arms, replications)
        self.sums = np.zeros((replications, arms))
        self.times = np.zeros((replications, arms), dtype=np.int64)
        self.clock = np.zeros(replications, dtype=np.int64)
        self.recommended = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        n = np.maximum(self.times, 1)
        index = self.index(self.sums / n, n, self.clock[:, np.newaxis] + 1)
        self.recommended = np.where(self.times == 0, np.inf, index).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.recommended if arm is None else arm
        self.sums[at] += total
        self.times[at] += count
        self.clock = self.clock + count


def kl(p, q):
    p, q = np.clip(p, 1e-12, 1 - 1e-12), np.clip(q, 1e-12, 1 - 1e-12)
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


class IMED(Loop):
    def __init__(self, arms, generator, replications):
        super().__init__(arms, replications)
        self.generator = generator

    def index(self, means, n, t):
        cost = n * kl(means, means.max(axis=1, keepdims=True)) + np.log(n)
        return -cost - 1e-9 * self.generator.random(cost.shape)


NAME, BUDGETS = "imed", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return IMED(arms, generator, replications)
