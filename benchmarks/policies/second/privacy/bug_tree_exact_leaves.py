"""BUG: the newest rewards, which no closed node holds yet, are added without noise
LINE: self.estimate[k] = (self.closed[k] + self.open[k]) / self.times[k]
DECLARED: epsilon=1.0

The blocks of four are noisy, the up to three rewards after them are not.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Learner(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.times, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.times, 1))
        self.arm = int(np.argmax(np.where(self.times == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.times[k] += int(count[0])
        self.t += int(count[0])
        self.hear(k, float(total[0]), self.t - int(count[0]))


class Blocks(Learner):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.closed, self.open, self.since = np.zeros(arms), np.zeros(arms), np.zeros(arms, dtype=int)

    def hear(self, k, reward, t):
        if self.times[k] % 4 == 1:
            self.since[k] = t
        self.open[k] += reward
        if self.times[k] % 4 == 0:
            where = (int(self.since[k]), t + 1, np.array([k]))
            self.closed[k] += self.noise.laplace(self.open[k : k + 1], sensitivity=1, budget=Budget.pure(1.0), records=where)[0]
            self.open[k] = 0.0
        self.estimate[k] = (self.closed[k] + self.open[k]) / self.times[k]


def make(noise, generator):
    return Blocks(3, noise, generator)
