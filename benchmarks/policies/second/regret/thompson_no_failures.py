"""BUG: failures are not counted: the arm that is played most looks best
LINE: return self.generator.beta(1 + self.sums, np.ones_like(means))
CLAIMS: the regret of thompson-sampling
"""

import numpy as np

from banditproof.algorithms import Policy


class Loop(Policy):
    """An index policy that decides at every pull, for R runs at once."""

    per_replication = ("sums", "counts", "clock", "recommended")

    def __init__(self, arms, replications):
        super().__init__(arms, replications)
        self.sums = np.zeros((replications, arms))
        self.counts = np.zeros((replications, arms), dtype=np.int64)
        self.clock = np.zeros(replications, dtype=np.int64)
        self.recommended = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        n = np.maximum(self.counts, 1)
        index = self.index(self.sums / n, n, self.clock[:, np.newaxis] + 1)
        self.recommended = np.where(self.counts == 0, np.inf, index).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.recommended if arm is None else arm
        self.sums[at] += total
        self.counts[at] += count
        self.clock = self.clock + count


class Sampler(Loop):
    def __init__(self, arms, generator, replications):
        super().__init__(arms, replications)
        self.generator = generator

    def index(self, means, n, t):
        return self.generator.beta(1 + self.sums, np.ones_like(means))


NAME, BUDGETS = "thompson-sampling", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Sampler(arms, generator, replications)
