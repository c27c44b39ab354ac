"""BUG: t is the arm's own number of pulls, so log f(t) is 0 for an arm pulled once and does not grow while an arm waits.
LINE: t = np.maximum(self.pulls, 1)
CLAIMS: KL-UCB with level log f(t), TH-T2.26, check_theorem name 'kl-ucb'
"""

import numpy as np

from banditproof.algorithms import Policy

NAME = "kl-ucb"
BUDGETS = [None]
TINY = 1e-12


def kl(p, q):
    p, q = np.clip(p, TINY, 1 - TINY), np.clip(q, TINY, 1 - TINY)
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


def upper(means, level):
    low, high = means.copy(), np.ones_like(means)
    for _ in range(24):
        middle = (low + high) / 2
        inside = kl(means, middle) <= level
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


class KL(Policy):
    per_replication = ("wins", "pulls", "clock", "arm")

    def __init__(self, arms, replications):
        super().__init__(arms, replications)
        self.exploration = "log f(t)"
        self.wins, self.pulls = np.zeros((2, replications, arms))
        self.clock = np.zeros(replications)

    def next_batch(self):
        t = np.maximum(self.pulls, 1)
        level = np.log1p(t * np.log(t) ** 2)
        pulls = np.maximum(self.pulls, 1)
        index = upper(self.wins / pulls, level / pulls)
        index[self.pulls == 0] = 2.0
        self.arm = index.argmax(axis=1)
        return self.arm, np.ones(self.replications, dtype=int)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.arm if arm is None else arm
        self.wins[at] += total
        self.pulls[at] += count
        self.clock = self.clock + count


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return KL(arms, replications)
