"""BUG: the deviation of the noise is sqrt(rho) instead of 1 / sqrt(2 rho)
LINE: return Concentrated(3, Budget.zcdp(rho), noise, multiplier=rho**0.5, generator=generator)
DECLARED: rho=0.5

0.71 instead of 1: zCDP of 1 instead of 0.5.
"""

from banditproof.algorithms import EpisodicUCB
from banditproof.theory import Budget

import numpy as np


class Concentrated(EpisodicUCB):
    kinds = ("zcdp",)

    def score(self, means, samples):
        return means + np.sqrt(np.log(self.clock + 2)[:, np.newaxis] / samples)


def make(noise, generator):
    rho = 0.5
    return Concentrated(3, Budget.zcdp(rho), noise, multiplier=rho**0.5, generator=generator)
