"""BUG: the slack of successive elimination is divided by four, as if all epochs were pooled
LINE: slack = 0.5 * np.sqrt(self._logarithm(8) / (2 * self._pulls()))
CLAIMS: error probability at most DELTA
"""

import numpy as np

from banditproof.algorithms.finite.successive_elimination import SuccessiveElimination

WHERE, DELTA = 3, 0.05


class Pooled(SuccessiveElimination):
    """Epochs with few pulls, and a slack that should be 2 sqrt(log(8 K e^2 / delta) / (2 n))."""

    def _pulls(self):
        return 50 * 2 ** self.epoch

    def _eliminate(self, over):
        slack = 0.5 * np.sqrt(self._logarithm(8) / (2 * self._pulls()))
        best = np.where(self.active, self.means, -np.inf).max(axis=1)
        worse = best[:, np.newaxis] - self.means > slack[:, np.newaxis]
        contested = over & (self.active.sum(axis=1) > 1)
        self.active &= ~(worse & contested[:, np.newaxis])
        self.epoch += contested


def make_strategy(arms, generator, replications):
    return Pooled(arms, beta=DELTA, replications=replications)
