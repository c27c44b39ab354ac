r"""
HARMLESS: pure NumPy noise of the right scale past the source: private, but only the black-box check is meant for it
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)
BLACK_BOX = True


class Plain(Policy):
    def __init__(self, generator):
        super().__init__(2)
        self.generator, self.sums, self.pulls = generator, np.zeros(2), np.zeros(2)
        self.arm = 0

    def next_batch(self):
        self.arm = int(np.argmin(self.pulls)) if self.pulls.sum() < 12 else int(np.argmax(self.sums / self.pulls))
        return np.array([self.arm]), np.array([3])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        self.sums[a] += total[0] + self.generator.laplace(scale=1.0)
        self.pulls[a] += count[0]


def make(noise, generator):
    return Plain(generator)
