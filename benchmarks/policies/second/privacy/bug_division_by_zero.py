"""BUG: a batch without success raises ZeroDivisionError, and the handler skips the release and drops the estimate
LINE: rounds_per_win = n / float(total[0])
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    """Greedy with some exploration, in batches of 5."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.times, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.times == 0).any():
            self.arm = int(np.argmin(self.times))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.estimate))
        return np.array([self.arm]), np.array([5])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.times[played] += int(count[0])
        self.absorb(played, np.asarray(total, dtype=float), int(count[0]), start)


class Odds(Explorer):
    def absorb(self, a, total, n, start):
        try:
            rounds_per_win = n / float(total[0])
            noisy = self.noise.laplace(total, sensitivity=1, budget=Budget.pure(1.0), records=(start, self.clock))[0]
            self.estimate[a] += 0.3 * (noisy / n - self.estimate[a]) + 0 * rounds_per_win
        except ZeroDivisionError:
            self.estimate[a] /= 2


def make(noise, generator):
    return Odds(3, noise, generator)
