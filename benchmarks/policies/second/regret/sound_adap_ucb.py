"""HARMLESS: AdaP-UCB written from scratch, with arrays of episodes
CLAIMS: the regret of adap-ucb
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Episodes(Policy):
    per_replication = ("means", "last", "total", "clock", "arm")

    def __init__(self, arms, budget, noise, replications):
        super().__init__(arms, replications)
        self.epsilon, self.budget, self.noise = float(budget.epsilon), budget, noise
        self.means = np.zeros((replications, arms))
        self.last, self.total = (np.zeros((replications, arms), dtype=np.int64) for _ in range(2))
        self.clock = np.zeros(replications, dtype=np.int64)
        self.arm = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        n = np.maximum(self.last, 1)
        level = 3.1 * np.log(self.clock + 1)[:, np.newaxis]
        index = self.means + np.sqrt(level / (2 * n)) + level / (self.epsilon * n)
        self.arm = np.where(self.last == 0, np.inf, index).argmax(axis=1)
        return self.arm, np.maximum(self.total[np.arange(self.replications), self.arm], 1)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.arm if arm is None else arm
        records = self.clock, self.clock + count
        told = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(self.epsilon), records=records)
        self.means[at], self.last[at] = told / count, count
        self.total[at] += count
        self.clock = self.clock + count


NAME = "adap-ucb"
BUDGETS = [Budget.pure(0.5), Budget.pure(1.0)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Episodes(arms, budget, noise, replications)
