"""HARMLESS: AdaP-UCB with another index of released means, the clock and the number of samples
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import AdaPUCB
from banditproof.theory import Budget


class Cautious(AdaPUCB):
    def score(self, means, samples):
        t = self.clock[:, np.newaxis] + 2
        bounded = np.clip(means, -0.5, 1.5)
        return bounded + np.sqrt(np.log(t) / (2 * samples)) + np.log(t) / (2 * samples)


def make(noise, generator):
    return Cautious(4, Budget.pure(1.0), noise, beta=2.5)
