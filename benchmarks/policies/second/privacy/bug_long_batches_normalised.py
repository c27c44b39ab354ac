"""BUG: sums of batches longer than 32 are treated as means times 32, with the sensitivity but not the value scaled
LINE: sensitivity = min(1.0, LONGEST / n)
DECLARED: epsilon=1.0

Only batches of 64 and more are wrong, after an arm has been pulled 64 times.
"""

from banditproof.algorithms import NoiseSource, Policy
from banditproof.theory import Budget

import numpy as np

LONGEST = 32


class Doubling(Policy):
    def __init__(self, arms: int, noise: NoiseSource) -> None:
        super().__init__(arms)
        self.noise = noise
        self.arm, self.clock = 0, 0
        self.means = np.full(arms, np.inf)
        self.length = np.ones(arms, dtype=np.int64)

    def next_batch(self):
        index = self.means + np.sqrt(2 * np.log(self.clock + 2) / self.length)
        self.arm = int(index.argmax())
        return np.array([self.arm]), self.length[[self.arm]]

    def observe(self, total, count, arm=None):
        k, n = self.arm if arm is None else int(arm[0]), int(count[0])
        sensitivity = min(1.0, LONGEST / n)
        span = self.clock, self.clock + n
        released = self.noise.laplace(total, sensitivity=sensitivity, budget=Budget.pure(1.0), records=span)
        self.means[k] = released[0] / n
        self.length[k] = 2 * n
        self.clock += n


def make(noise, generator):
    return Doubling(3, noise)
