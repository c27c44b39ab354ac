"""BUG: the likelihood ratio is that of Gaussian rewards with deviation 1/5; rewards in [0, 1] may have 1/2
LINE: ratio = lead**2 / (2 * SIGMA**2 * (1 / n[rows, best][:, np.newaxis] + 1 / n))
CLAIMS: error probability at most DELTA
"""

from banditproof.algorithms.identification.sequential import TTUCB

import numpy as np

WHERE, DELTA = 3, 0.05
SIGMA = 0.2


class Gaussian(TTUCB):
    def sure(self):
        rows, best = np.arange(self.replications), self.recommendation
        n = np.maximum(self.pulls, 1)
        lead = np.maximum(self.means[rows, best][:, np.newaxis] - self.means, 0)
        ratio = lead**2 / (2 * SIGMA**2 * (1 / n[rows, best][:, np.newaxis] + 1 / n))
        total = self.pulls.sum(axis=1)[:, np.newaxis]
        enough = ratio > np.log((self.arms - 1) / self.delta) + np.log1p(np.log(total))
        enough[rows, best] = True
        return enough.all(axis=1)


def make_strategy(arms, generator, replications):
    return Gaussian(arms, delta=DELTA, replications=replications)
