"""BUG: four looks at the same buffer cost epsilon / sqrt(4) each, as in advanced composition, but the budget is pure
LINE: each = Budget.pure(1.0 / np.sqrt(self.LOOKS))
DECLARED: epsilon=1.0

Four times 1/2 is 2. (Advanced composition also has a delta.)
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    """Greedy with some exploration, in batches of 16."""

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
        return np.array([self.arm]), np.array([16])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.pulls[played] += int(count[0])
        self.absorb(played, np.asarray(total, dtype=float), int(count[0]), start)


class FourLooks(Explorer):
    LOOKS = 4

    def absorb(self, a, total, n, start):
        each = Budget.pure(1.0 / np.sqrt(self.LOOKS))
        looks = [
            self.noise.laplace(total, sensitivity=1.0, budget=each, records=(start, self.clock))[0]
            for _ in range(self.LOOKS)
        ]
        fresh = float(np.mean(looks)) / n
        self.value[a] += n / self.pulls[a] * (fresh - self.value[a])


def make(noise, generator):
    return FourLooks(3, noise, generator)
