r"""
BUG: a window of WINDOW blocks before the present one holds WINDOW + 1, but the budget is divided by WINDOW
LINE: share = Budget.pure(1.0 / WINDOW)
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
        self.raw = [[], []]
        self.starts = [[], []]

    def value(self, a):
        recent = self.blocks[a]
        return sum(recent) / (BLOCK * len(recent)) + 0.8 / np.sqrt(len(recent)) if recent else np.inf

    def next_batch(self):
        values = [self.value(0), self.value(1)]
        self.pick = int(values[1] > values[0]) if values[0] != values[1] else int(self.generator.integers(2))
        return np.array([self.pick]), np.array([BLOCK])

    def observe(self, total, count, arm=None):
        a = self.pick if arm is None else int(arm[0])
        start, stop = self.clock, self.clock + int(count[0])
        self.clock = stop
        self.raw[a].append(float(total[0]))
        self.starts[a].append(start)
        recent = slice(max(0, len(self.raw[a]) - 1 - WINDOW), None)
        records = tuple(np.array([x]) for x in (self.starts[a][recent][0], stop, a))
        share = Budget.pure(1.0 / WINDOW)
        noisy = self.noise.laplace(np.array([sum(self.raw[a][recent])]), sensitivity=1.0, budget=share, records=records)
        self.blocks[a].clear()
        self.blocks[a].append(float(noisy[0]) / len(self.raw[a][recent]))


def make(noise, generator):
    return Window(noise, generator)
