"""BUG: in a buffer of four, rewards are weighted 0.5, 0.8, 1.1 and 1.4, and the sensitivity is that of weight 1
LINE: told = self.noise.laplace(weighted, sensitivity=1.0, budget=Budget.pure(1.0), records=where)
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.n, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.n, 1))
        self.arm = int(np.argmax(np.where(self.n == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.n[k] += int(count[0])
        self.t += int(count[0])
        self.hear(k, float(total[0]), self.t - int(count[0]))


class Recency(Loop):
    WEIGHTS = np.array([0.5, 0.8, 1.1, 1.4])

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.queue = [[] for _ in range(arms)]

    def hear(self, k, reward, t):
        self.queue[k].append((t, reward))
        if len(self.queue[k]) == 4:
            (first, *_), rewards = zip(*self.queue[k])
            weighted = np.array([self.WEIGHTS @ np.array(rewards)])
            where = (first, t + 1, np.array([k]))
            told = self.noise.laplace(weighted, sensitivity=1.0, budget=Budget.pure(1.0), records=where)
            self.estimate[k] = 0.6 * self.estimate[k] + 0.4 * told[0] / self.WEIGHTS.sum()
            self.queue[k].clear()


def make(noise, generator):
    return Recency(3, noise, generator)
