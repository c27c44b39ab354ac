"""BROKEN: no noise is added to a sum that is exactly zero ('nothing to protect')."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.est = np.full(arms, np.inf)
        self.size = np.ones(arms, int)
        self.cur, self.t, self.k, self.s = 0, 0, 0, 0.0
        self.goal = 4

    def _private(self, s):
        if not s:  # BUG
            return 0.0
        return s + self.rng.laplace(0, 1 / self.eps)

    def select(self):
        return self.cur

    def update(self, arm, reward):
        self.t += 1
        self.k += 1
        self.s += reward
        if self.k == self.goal:
            self.est[arm] = self._private(self.s) / self.k
            self.size[arm] = self.k
            self.cur = int(np.argmax(self.est + np.sqrt(math.log(self.t + 1) / self.size)))
            self.goal = 4 if np.isinf(self.est[self.cur]) else 2 * int(self.size[self.cur])
            self.k, self.s = 0, 0.0
