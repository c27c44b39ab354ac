"""BUG: a window of ten rewards is released every five pulls at the full epsilon
LINE: recent = list(self.windows[a])[-2:]
DECLARED: epsilon=1.0

Every reward is in two windows.
"""

from collections import deque

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Sliding(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.windows = {a: deque(maxlen=10) for a in range(arms)}
        self.means, self.clock = {}, 0

    def next_batch(self):
        fresh = [a for a in range(self.arms) if a not in self.means]
        if fresh:
            self.arm = fresh[0]
        elif self.generator.random() < 0.2:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = max(self.means, key=self.means.get)
        return np.array([self.arm]), np.array([5])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        self.windows[a].append((self.clock, float(total[0]), int(count[0])))
        self.clock += int(count[0])
        recent = list(self.windows[a])[-2:]
        value, n = sum(part[1] for part in recent), sum(part[2] for part in recent)
        answer = self.noise.laplace(
            np.array([value]), sensitivity=1, budget=Budget.pure(1.0), records=(recent[0][0], self.clock, np.array([a]))
        )
        self.means[a] = float(answer[0]) / n


def make(noise, generator):
    return Sliding(3, noise, generator)
