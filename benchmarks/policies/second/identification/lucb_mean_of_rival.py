"""BUG: it stops when the lower end of the best arm is above the mean, not the upper end, of the rival
LINE: return lower, self.means[rows, rival], rival
CLAIMS: error probability at most DELTA
"""

from banditproof.algorithms.identification.sequential import LUCB

import numpy as np

WHERE, DELTA = 3, 0.1


class HalfParted(LUCB):
    """LUCB with the radius sqrt(log(K n / delta) / (2 N)) of the literature on one-sided tests."""

    def _ends(self):
        rows, safe = np.arange(self.replications), np.maximum(self.pulls, 1)
        radius = np.sqrt(np.log(2 * self.arms * safe**1.1 / self.delta) / (2 * safe))
        upper = self.means + radius
        upper[rows, self.recommendation] = -np.inf
        rival = upper.argmax(axis=1)
        lower = (self.means - radius)[rows, self.recommendation]
        return lower, self.means[rows, rival], rival


def make_strategy(arms, generator, replications):
    return HalfParted(arms, delta=DELTA, replications=replications)
