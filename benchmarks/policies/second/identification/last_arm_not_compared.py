"""BUG: the leader is compared with all arms but the last one: range(K - 1)
LINE: for a in range(self.arms - 1):
CLAIMS: error probability at most DELTA
"""

from banditproof.algorithms.identification.sequential import FixedConfidence

import numpy as np

WHERE = 3
DELTA = 0.05


class Short(FixedConfidence):
    """Arms in turn; stopped by the likelihood ratio, arm by arm."""

    def choose(self):
        return self.pulls.argmin(axis=1)

    def sure(self):
        own = np.maximum(self.pulls[np.arange(self.replications), self.recommendation], 1)
        costs = self.costs(self.recommendation)
        verdict = np.ones(self.replications, dtype=bool)
        for a in range(self.arms - 1):
            other = np.maximum(self.pulls[:, a], 1)
            threshold = 2 * self.deviation + 2 * np.log(4 + np.log(own)) + 2 * np.log(4 + np.log(other))
            verdict &= (costs[:, a] > threshold) | (self.recommendation == a)
        return verdict


def make_strategy(arms, generator, replications):
    return Short(arms, delta=DELTA, replications=replications)
