"""BUG: the best arm is compared with the average of the others instead of with each of them
LINE: rest = (means.sum(axis=1) - means[rows, best]) / (self.arms - 1)
CLAIMS: error probability at most DELTA
"""

import numpy as np

from banditproof.algorithms import Policy


class Learner(Policy):
    """Best arm against best rival, one pull at a time, until their confidence intervals part."""

    per_replication = ("sums", "times", "stopped", "recommendation", "pulling")

    def __init__(self, arms, delta, replications):
        super().__init__(arms, replications)
        self.delta = delta
        self.sums, self.times = np.zeros((replications, arms)), np.zeros((replications, arms))
        self.stopped = np.zeros(replications, dtype=bool)
        self.recommendation, self.pulling = (np.zeros(replications, dtype=np.int64) for _ in range(2))

    def radius(self, n):
        return np.sqrt(np.log(4 * self.arms * n**2 / self.delta) / (2 * n))

    def pair(self):
        """Means, radii, the arm with the largest mean and the rival with the largest upper bound."""
        n = np.maximum(self.times, 1)
        means, radii = self.sums / n, self.radius(n)
        best = means.argmax(axis=1)
        upper = means + radii
        upper[np.arange(self.replications), best] = -np.inf
        return means, radii, best, upper.argmax(axis=1)

    def next_batch(self):
        rows = np.arange(self.replications)
        _, _, best, rival = self.pair()
        arm = np.where(self.times[rows, best] <= self.times[rows, rival], best, rival)
        new = self.times == 0
        self.pulling = np.where(new.any(axis=1), new.argmax(axis=1), arm)
        return self.pulling, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.pulling if arm is None else arm
        self.sums[at] += total
        self.times[at] += count
        self.decide()

    def decide(self):
        rows = np.arange(self.replications)
        means, radii, best, rival = self.pair()
        self.recommendation = best
        parted = means[rows, best] - radii[rows, best] > means[rows, rival] + radii[rows, rival]
        self.stopped = parted & self.times.all(axis=1)


class Average(Learner):
    def decide(self):
        rows = np.arange(self.replications)
        means, radii, best, _ = self.pair()
        self.recommendation = best
        rest = (means.sum(axis=1) - means[rows, best]) / (self.arms - 1)
        self.stopped = (means[rows, best] - 2 * radii[rows, best] > rest) & self.times.all(axis=1)


WHERE, DELTA = 3, 0.05


def make_strategy(arms, generator, replications):
    return Average(arms, DELTA, replications)
