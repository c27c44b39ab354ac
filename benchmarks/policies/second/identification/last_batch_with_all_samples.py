"""BUG: means are those of the last batch of 20, but the radius is that of all samples
LINE: self.means[rows, played] = total / count
CLAIMS: error probability at most DELTA
"""

import numpy as np

from banditproof.algorithms import Policy


class Racing(Policy):
    per_replication = ("alive", "means", "n", "turn")

    def __init__(self, arms, delta, replications):
        super().__init__(arms, replications)
        self.delta = delta
        self.alive = np.ones((replications, arms), dtype=bool)
        self.means, self.n = np.zeros((replications, arms)), np.zeros((replications, arms))
        self.turn = np.zeros(replications, dtype=np.int64)

    @property
    def stopped(self):
        return self.alive.sum(axis=1) == 1

    @property
    def recommendation(self):
        return self.alive.argmax(axis=1)

    def next_batch(self):
        return self.turn, np.full(self.replications, 20)

    def observe(self, total, count, arm=None):
        rows, played = np.arange(self.replications), self.turn if arm is None else arm
        self.means[rows, played] = total / count
        self.n[rows, played] += count
        later = self.alive & (np.arange(self.arms) > self.turn[:, np.newaxis])
        over = ~later.any(axis=1)
        n = np.maximum(self.n, 1)
        r = np.sqrt(np.log(4 * self.arms * n**2 / self.delta) / (2 * n))
        lower = np.where(self.alive, self.means - r, -np.inf).max(axis=1, keepdims=True)
        self.alive &= ~((self.means + r < lower) & over[:, np.newaxis])
        self.turn = np.where(over, self.alive.argmax(axis=1), later.argmax(axis=1))


WHERE, DELTA = 3, 0.05


def make_strategy(arms, generator, replications):
    return Racing(arms, DELTA, replications)
