r"""
HARMLESS: a helper module clips, adds and releases; the policy stays on an arm whose last release was high
DECLARED: epsilon=1.0
"""
import os
import sys

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dp_helpers import private_sum  # noqa: E402

BUDGET = Budget.pure(1.0)


class Cycle(Policy):
    """Single pulls in blocks of three; every reward is clipped in the helper before the sum and the noise."""

    def __init__(self, noise):
        super().__init__(2)
        self.noise, self.buffer, self.clock, self.arm = noise, [], 0, 0
        self.scores = [0.0, 0.0]

    def next_batch(self):
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        self.buffer.append(float(total[0]))
        self.clock += 1
        if len(self.buffer) == 3:
            self.scores[self.arm] = private_sum(self.noise, self.buffer, BUDGET, self.clock - 3, self.clock)
            self.buffer.clear()
            self.arm = 1 - self.arm if self.scores[self.arm] < 1.5 else self.arm


def make(noise, generator):
    return Cycle(noise)
