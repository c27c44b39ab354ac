"""HARMLESS: the best arm against its best rival with Chernoff intervals of Bernoulli rewards that hold at all times
CLAIMS: error probability at most DELTA
"""

import numpy as np

from banditproof.algorithms import Policy


class Explorer(Policy):
    """Best arm against best rival, one pull at a time, until their confidence intervals part."""

    per_replication = ("sums", "pulls", "stopped", "recommendation", "pulling")

    def __init__(self, arms, delta, replications):
        super().__init__(arms, replications)
        self.delta = delta
        self.sums, self.pulls = np.zeros((replications, arms)), np.zeros((replications, arms))
        self.stopped = np.zeros(replications, dtype=bool)
        self.recommendation, self.pulling = (np.zeros(replications, dtype=np.int64) for _ in range(2))

    def radius(self, n):
        return np.sqrt(np.log(4 * self.arms * n**2 / self.delta) / (2 * n))

    def pair(self):
        """Means, radii, the arm with the largest mean and the rival with the largest upper bound."""
        n = np.maximum(self.pulls, 1)
        means, radii = self.sums / n, self.radius(n)
        best = means.argmax(axis=1)
        upper = means + radii
        upper[np.arange(self.replications), best] = -np.inf
        return means, radii, best, upper.argmax(axis=1)

    def next_batch(self):
        rows = np.arange(self.replications)
        _, _, best, rival = self.pair()
        arm = np.where(self.pulls[rows, best] <= self.pulls[rows, rival], best, rival)
        new = self.pulls == 0
        self.pulling = np.where(new.any(axis=1), new.argmax(axis=1), arm)
        return self.pulling, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.pulling if arm is None else arm
        self.sums[at] += total
        self.pulls[at] += count
        self.decide()

    def decide(self):
        rows = np.arange(self.replications)
        means, radii, best, rival = self.pair()
        self.recommendation = best
        parted = means[rows, best] - radii[rows, best] > means[rows, rival] + radii[rows, rival]
        self.stopped = parted & self.pulls.all(axis=1)


def kl(p, q):
    p, q = np.clip(p, 1e-12, 1 - 1e-12), np.clip(q, 1e-12, 1 - 1e-12)
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


class Chernoff(Explorer):
    """It stops when some point separates the arms: N_a kl(mean_a, x) is above the level for one of the two arms."""

    def decide(self):
        rows = np.arange(self.replications)
        means, _, best, _ = self.pair()
        n = np.maximum(self.pulls, 1)
        level = np.log(4 * self.arms * n**2 / self.delta) / n
        low, high = means.copy(), np.ones_like(means)
        floor, ceiling = np.zeros_like(means), means.copy()
        for _ in range(30):
            up, down = (low + high) / 2, (floor + ceiling) / 2
            inside_up, inside_down = kl(means, up) <= level, kl(means, down) <= level
            low, high = np.where(inside_up, up, low), np.where(inside_up, high, up)
            floor, ceiling = np.where(inside_down, floor, down), np.where(inside_down, down, ceiling)
        upper = high.copy()
        upper[rows, best] = -np.inf
        self.recommendation = best
        self.stopped = (floor[rows, best] > upper.max(axis=1)) & self.pulls.all(axis=1)


WHERE, DELTA = 3, 0.05


def make_strategy(arms, generator, replications):
    return Chernoff(arms, DELTA, replications)
