"""BUG: an exponential moving average is released at every pull; only the newest reward is counted
LINE: self.average[k : k + 1], sensitivity=self.W, budget=Budget.pure(1.0), records=(t, t + 1)
DECLARED: epsilon=1.0

A reward is in all later averages of its arm. With weight 0.3 it pays 1 + 0.7 + 0.49 + ... = 3.3 in all.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.pulls, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.pulls, 1))
        self.arm = int(np.argmax(np.where(self.pulls == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.pulls[k] += int(count[0])
        self.t += int(count[0])
        self.update(k, float(total[0]), self.t - int(count[0]))


class MovingAverage(Explorer):
    W = 0.3

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.average = np.full(arms, 0.5)

    def update(self, k, reward, t):
        self.average[k] = (1 - self.W) * self.average[k] + self.W * reward
        self.estimate[k] = self.noise.laplace(
            self.average[k : k + 1], sensitivity=self.W, budget=Budget.pure(1.0), records=(t, t + 1)
        )[0]


def make(noise, generator):
    return MovingAverage(3, noise, generator)
