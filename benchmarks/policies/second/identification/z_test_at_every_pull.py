"""BUG: a z-test of level delta / (K - 1) is repeated after every pull, as if it were made once
LINE: z = NormalDist().inv_cdf(1 - self.delta / (self.arms - 1))
CLAIMS: error probability at most DELTA
"""

from statistics import NormalDist

import numpy as np

from banditproof.algorithms.identification.sequential import FixedConfidence

WHERE, DELTA = 3, 0.05


class Peeking(FixedConfidence):
    def choose(self):
        return self.pulls.argmin(axis=1)

    def sure(self):
        rows, n = np.arange(self.replications), np.maximum(self.pulls, 1)
        z = NormalDist().inv_cdf(1 - self.delta / (self.arms - 1))
        lead = self.means[rows, self.recommendation][:, np.newaxis] - self.means
        deviation = 0.5 * np.sqrt(1 / n + 1 / n[rows, self.recommendation][:, np.newaxis])
        enough = lead > z * deviation
        enough[rows, self.recommendation] = True
        return enough.all(axis=1) & (self.pulls.min(axis=1) >= 10)


def make_strategy(arms, generator, replications):
    return Peeking(arms, delta=DELTA, replications=replications)
