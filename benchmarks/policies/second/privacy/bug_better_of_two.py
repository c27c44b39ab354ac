"""BUG: a sum is released twice, and the answer nearer to the raw sum is kept
LINE: better = min(one, two, key=lambda answer: abs(answer - total[0]))
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """Greedy with some exploration, in batches of 8."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.clock, self.n, self.value = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if (self.n == 0).any():
            self.arm = int(np.argmin(self.n))
        elif self.generator.random() < 0.1:
            self.arm = int(self.generator.integers(self.arms))
        else:
            self.arm = int(np.argmax(self.value))
        return np.array([self.arm]), np.array([8])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        self.n[played] += int(count[0])
        self.learn(played, np.asarray(total, dtype=float), int(count[0]), start)


class BestOfTwo(Agent):
    def learn(self, a, total, n, start):
        budget = Budget.pure(0.5)
        one, two = (
            float(self.noise.laplace(total, sensitivity=1.0, budget=budget, records=(start, self.clock))[0]) for _ in "ab"
        )
        better = min(one, two, key=lambda answer: abs(answer - total[0]))
        self.value[a] += n / self.n[a] * (better / n - self.value[a])


def make(noise, generator):
    return BestOfTwo(3, noise, generator)
