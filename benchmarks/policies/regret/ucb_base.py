"""UCB with a known horizon, of which the bugs `ucb_*` change a few lines; not checked itself."""

import numpy as np

from banditproof.algorithms import Policy

NAME = "ucb"
BUDGETS = [None]


class HoeffdingUCB(Policy):
    per_replication = ("sums", "pulls", "clock", "arm")

    def __init__(self, arms, horizon, generator, replications):
        super().__init__(arms, replications)
        self.generator = generator
        self.level = 2 * np.log(max(horizon, 2))
        self.sums = np.zeros((replications, arms))
        self.pulls = np.zeros((replications, arms), dtype=np.int64)
        self.clock = np.zeros(replications, dtype=np.int64)
        self.arm = np.zeros(replications, dtype=np.int64)

    def index(self):
        n = np.maximum(self.pulls, 1)
        means = self.sums / n
        bonus = np.sqrt(2 * self.level / n)
        return np.where(self.pulls == 0, np.inf, means + bonus)

    def next_batch(self):
        self.arm = self.index().argmax(axis=1)
        return self.arm, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        rows = np.arange(self.replications)
        played = self.arm if arm is None else arm
        self.sums[rows, played] += total
        self.pulls[rows, played] += count
        self.clock = self.clock + count


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return HoeffdingUCB(arms, horizon, generator, replications)
