"""BUG: a batch ends at its fifth success, so its length tells the raw sum
LINE: if self.batch.total >= 5 or self.batch.pulls >= 20:
DECLARED: epsilon=1.0
"""

from dataclasses import dataclass

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


@dataclass
class Batch:
    arm: int
    start: int
    total: float = 0.0
    pulls: int = 0


class Inverse(Policy):
    """Negative binomial sampling: the mean is estimated from how long five successes take."""

    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise, self.clock = noise, 0
        self.rates = dict.fromkeys(range(arms), None)
        self.batch = Batch(0, 0)

    def next_batch(self):
        return np.array([self.batch.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        if arm is not None and int(arm[0]) != self.batch.arm:
            self.clock += int(count[0])
            return
        self.clock += int(count[0])
        self.batch.total += float(total[0])
        self.batch.pulls += int(count[0])
        if self.batch.total >= 5 or self.batch.pulls >= 20:
            noisy = self.noise.laplace(
                np.array([self.batch.total]),
                sensitivity=1,
                budget=Budget.pure(1.0),
                records=(self.batch.start, self.clock),
            )
            self.rates[self.batch.arm] = float(noisy[0]) / self.batch.pulls
            unknown = [a for a, rate in self.rates.items() if rate is None]
            best = unknown[0] if unknown else max(self.rates, key=self.rates.get)
            self.batch = Batch(best, self.clock)


def make(noise, generator):
    return Inverse(3, noise)
