"""BROKEN: the published sums alias the live sums, so after the first release each raw reward moves the index at once."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.sums = np.zeros(arms)
        self.n = np.zeros(arms, int)
        self.published = None
        self.t = 0
        self.warm = 6 * arms

    def _publish(self):
        self.published = self.sums  # BUG (needs .copy() and a fresh self.sums)
        self.published += self.rng.laplace(0, 1 / self.eps, self.K)

    def select(self):
        if self.published is None:
            return self.t % self.K
        return int(np.argmax(self.published / self.n + np.sqrt(2 * math.log(self.t + 1) / self.n)))

    def update(self, arm, reward):
        self.t += 1
        self.sums[arm] += reward
        self.n[arm] += 1
        if self.t == self.warm:
            self._publish()
