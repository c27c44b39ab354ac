"""BUG: sum and sum of squares of a buffer are released as one vector with sensitivity 1; one reward moves both
LINE: noisy = self.noise.laplace(stats, sensitivity=1, budget=Budget.pure(1.0), records=span)
DECLARED: epsilon=1.0

The l1 sensitivity of (sum, sum of squares) is 2.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Base(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.counts, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.counts, 1))
        self.arm = int(np.argmax(np.where(self.counts == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.counts[k] += int(count[0])
        self.t += int(count[0])
        self.learn(k, float(total[0]), self.t - int(count[0]))


class Moments(Base):
    """Means and second moments of buffers of five rewards."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.buffers = [[] for _ in range(arms)]
        self.begun = [0] * arms
        self.heard = [np.zeros(2) for _ in range(arms)]
        self.used = np.zeros(arms)

    def learn(self, k, reward, t):
        if not self.buffers[k]:
            self.begun[k] = t
        self.buffers[k].append(reward)
        if len(self.buffers[k]) == 5:
            x = np.array(self.buffers.pop(k))
            self.buffers.insert(k, [])
            stats = np.array([[x.sum(), (x**2).sum()]])
            span = (self.begun[k], t + 1, np.array([k]))
            noisy = self.noise.laplace(stats, sensitivity=1, budget=Budget.pure(1.0), records=span)
            self.heard[k] += noisy[0]
            self.used[k] += 5
            mean, square = self.heard[k] / self.used[k]
            self.estimate[k] = mean + 0.1 * np.sqrt(max(square - mean**2, 0))


def make(noise, generator):
    return Moments(3, noise, generator)
