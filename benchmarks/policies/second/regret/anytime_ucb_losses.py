"""BUG: rewards are credited as losses, 1 - reward, to a policy that maximises
LINE: super().observe(count - total, count, arm)
CLAIMS: the regret of anytime-ucb
"""

import numpy as np

from banditproof.algorithms import Policy


class Agent(Policy):
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


class Anytime(Agent):
    def observe(self, total, count, arm=None):
        super().observe(count - total, count, arm)

    def index(self, means, n, t):
        return means + np.sqrt(2 * np.log1p(t * np.log(t) ** 2) / n)


NAME, BUDGETS = "anytime-ucb", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Anytime(arms, replications)
