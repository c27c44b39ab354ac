"""BUG: the noise is scaled to how far the batch's sum is from its ends, a local sensitivity
LINE: local = float(np.clip(min(total[0], n - total[0]), 0.05, 1.0))
DECLARED: epsilon=1.0

The scale depends on the raw sum and is 0.05 when all rewards are equal.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise = noise
        self.generator = generator
        self.clock = 0
        self.times = np.zeros(arms)
        self.guess = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.times, 1.0))
        return np.where(self.times > 0, self.guess + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([8], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.times[played] += n
        self.clock += n
        self.update(played, np.array(total, dtype=float), n, self.clock - n)


class Local(Loop):
    def update(self, a, total, n, start):
        local = float(np.clip(min(total[0], n - total[0]), 0.05, 1.0))
        noisy = self.noise.laplace(total, sensitivity=local, budget=Budget.pure(1.0), records=(start, self.clock))
        self.guess[a] = (self.guess[a] + noisy[0] / n) / 2


def make(noise, generator):
    return Local(3, noise, generator)
