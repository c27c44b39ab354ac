"""BUG: DP-SE that mixes the raw mean of the epoch before into an epoch's sum before the noise, so that rewards are in two releases
LINE: wished = np.where(np.isnan(old), total, 0.5 * (total + old * count))
DECLARED: epsilon=1.0

From the second epoch on, after thousands of pulls, an old reward moves the mixed sum by about 2, and is in a second release.
"""

import numpy as np

from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.theory import Budget


class Averaging(DPSE):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.last = np.full((self.replications, self.arms), np.nan)

    def observe(self, total, count, arm=None):
        rows, played = np.arange(self.replications), self.turn if arm is None else arm
        old = self.last[rows, played]
        self.last[rows, played] = total / count
        wished = np.where(np.isnan(old), total, 0.5 * (total + old * count))
        super().observe(wished, count, arm)


def make(noise, generator):
    return Averaging(2, Budget.pure(1.0), noise, beta=0.9)
