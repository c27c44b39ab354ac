"""BUG: after 60 pulls everything is released once more to commit to the best arm
LINE: final = self.noise.laplace(sums, sensitivity=1.0, budget=Budget.pure(1.0), records=(0, self.clock))
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """Greedy with some exploration, in batches of 6."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.pulls, self.value = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.pulls == 0).any():
            self.arm = int(np.argmin(self.pulls))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.value))
        return np.array([self.arm]), np.array([6])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.pulls[played] += int(count[0])
        self.update(played, np.asarray(total, dtype=float), int(count[0]), start)


class Commit(Agent):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.exact, self.committed = np.zeros(arms), None

    def next_batch(self):
        if self.committed is None:
            return super().next_batch()
        self.arm = self.committed
        return np.array([self.arm]), np.array([20])

    def update(self, a, total, n, start):
        if self.committed is not None:
            return
        self.exact[a] += total[0]
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))
        self.value[a] += n / self.pulls[a] * (noisy[0] / n - self.value[a])
        if self.clock >= 60:
            sums = self.exact[np.newaxis]
            final = self.noise.laplace(sums, sensitivity=1.0, budget=Budget.pure(1.0), records=(0, self.clock))
            self.committed = int(np.argmax(final[0] / self.pulls))


def make(noise, generator):
    return Commit(3, noise, generator)
