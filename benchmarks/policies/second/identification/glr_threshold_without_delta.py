"""BUG: the threshold of the likelihood ratio lacks log(1 / delta)
LINE: enough = self.costs(self.recommendation) > np.log1p(np.log(n + 1))
CLAIMS: error probability at most DELTA
"""

from banditproof.algorithms.identification.sequential import TrackAndStop

import numpy as np

WHERE, DELTA = 3, 0.05


class Impatient(TrackAndStop):
    def sure(self):
        n = self.pulls.sum(axis=1)[:, np.newaxis]
        enough = self.costs(self.recommendation) > np.log1p(np.log(n + 1))
        enough[np.arange(self.replications), self.recommendation] = True
        return enough.all(axis=1)


def make_strategy(arms, generator, replications):
    return Impatient(arms, delta=DELTA, replications=replications)
