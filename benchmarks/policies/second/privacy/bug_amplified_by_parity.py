"""BUG: only every other reward is used, and the budget is raised as for a random half; which rewards are used is fixed
LINE: budget = Budget.pure(self.AMPLIFIED)
DECLARED: epsilon=1.0

Amplification needs secret random sampling. A reward at an even place pays 1.49.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.n, self.value = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.n, 1))
        self.arm = int(np.argmax(np.where(self.n == 0, np.inf, self.value + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.n[k] += int(count[0])
        self.t += int(count[0])
        self.absorb(k, float(total[0]), self.t - int(count[0]))


class Halves(Loop):
    AMPLIFIED = float(np.log(1 + (np.e - 1) / 0.5))

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.sample = [[] for _ in range(arms)]
        self.start = [0] * arms

    def absorb(self, k, reward, t):
        i = int(self.n[k]) - 1
        if i % 8 == 0:
            self.start[k] = t
        if i % 2 == 0:
            self.sample[k].append(reward)
        if i % 8 == 7:
            value = np.array([sum(self.sample[k])])
            budget = Budget.pure(self.AMPLIFIED)
            noisy = self.noise.laplace(value, sensitivity=1, budget=budget, records=(self.start[k], t + 1, np.array([k])))
            self.value[k] += 0.5 * (noisy[0] / 4 - self.value[k])
            self.sample[k] = []


def make(noise, generator):
    return Halves(3, noise, generator)
