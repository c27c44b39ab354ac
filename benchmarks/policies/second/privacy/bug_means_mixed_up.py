"""BUG: after 50 pulls the index takes `self.means`, the raw means, instead of `means`, the noisy ones
LINE: return self.means + np.sqrt(np.log(self.clock + 1)[:, np.newaxis] / samples)
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import AdaPUCB
from banditproof.theory import Budget


class Confident(AdaPUCB):
    """AdaP-UCB with a narrower index after a burn-in."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.raw = np.zeros((self.replications, self.arms))

    @property
    def means(self):
        return self.raw / np.maximum(self.samples, 1)

    def observe(self, total, count, arm=None):
        played = self.recommended if arm is None else arm
        self.raw[np.arange(self.replications), played] = total
        super().observe(total, count, arm)

    def score(self, means, samples):
        if self.clock[0] <= 50:
            return super().score(means, samples)
        return self.means + np.sqrt(np.log(self.clock + 1)[:, np.newaxis] / samples)


def make(noise, generator):
    return Confident(3, Budget.pure(1.0), noise, beta=3.1)
