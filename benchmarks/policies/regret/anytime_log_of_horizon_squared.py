"""BUG: f(t) = 1 + t log^2 t is misread and the square is taken of the whole logarithm, so the bonus is too large by sqrt(log t).
LINE: level = np.log1p(t) ** 2
CLAIMS: anytime UCB, TH-T2.24, check_theorem name 'anytime-ucb'
"""

import numpy as np

from banditproof.algorithms import Policy

NAME = "anytime-ucb"
BUDGETS = [None]


class Anytime(Policy):
    per_replication = ("sums", "pulls", "clock", "arm")

    def __init__(self, arms, horizon, generator, replications):
        super().__init__(arms, replications)
        self.generator = generator
        self.sums = np.zeros((replications, arms))
        self.pulls = np.zeros((replications, arms), dtype=np.int64)
        self.clock = np.zeros(replications, dtype=np.int64)
        self.arm = np.zeros(replications, dtype=np.int64)

    def index(self):
        n = np.maximum(self.pulls, 1)
        means = self.sums / n
        t = np.maximum(self.clock, 1)[:, np.newaxis]
        level = np.log1p(t) ** 2
        bonus = np.sqrt(2 * level / n)
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
    return Anytime(arms, horizon, generator, replications)
