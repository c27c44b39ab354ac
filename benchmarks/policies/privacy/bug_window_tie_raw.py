r"""
BUG: values are rounded, and a coin breaks their ties only if the last exact sum was even, otherwise arm 0 is taken
LINE: self.pick = int(values[1] > values[0]) if values[0] != values[1] else int(self.generator.integers(2)) * self.parity
DECLARED: epsilon=1.0
"""
from collections import deque

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BLOCK, WINDOW = 8, 4
BUDGET = Budget.pure(1.0)


class Window(Policy):
    """Blocks of pulls; an arm is judged by the noisy sums of its last blocks."""

    def __init__(self, noise, generator):
        super().__init__(2)
        self.noise = noise
        self.generator = generator
        self.blocks = [deque(maxlen=WINDOW) for _ in range(2)]
        self.clock = 0
        self.pick = 0
        self.parity = 0

    def value(self, a):
        recent = self.blocks[a]
        return sum(recent) / (BLOCK * len(recent)) + 0.8 / np.sqrt(len(recent)) if recent else np.inf

    def next_batch(self):
        values = [np.round(self.value(0)), np.round(self.value(1))]
        self.pick = int(values[1] > values[0]) if values[0] != values[1] else int(self.generator.integers(2)) * self.parity
        return np.array([self.pick]), np.array([BLOCK])

    def observe(self, total, count, arm=None):
        a = self.pick if arm is None else int(arm[0])
        start, stop = self.clock, self.clock + int(count[0])
        self.clock = stop
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=BUDGET, records=(start, stop))
        self.blocks[a].append(float(noisy[0]))
        self.parity = 1 - int(total[0]) % 2


def make(noise, generator):
    return Window(noise, generator)
