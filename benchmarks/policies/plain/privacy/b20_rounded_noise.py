"""BROKEN: the noise (not the sum) is rounded to two decimals; for long episodes it is exactly zero."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.len = 16
        self._reset()

    def _reset(self):
        self.s = np.zeros(self.K)
        self.i = 0
        self.win = None

    def select(self):
        if self.win is not None:
            return self.win
        return self.i % self.K

    def update(self, arm, reward):
        self.i += 1
        if self.win is None:
            self.s[arm] += reward
            if self.i == self.len * self.K:
                z = self.rng.laplace(0, 1 / (self.eps * self.len), self.K)
                mean = self.s / self.len + np.round(z, 2)  # BUG
                self.win = int(np.argmax(mean))
        elif self.i == 2 * self.len * self.K:
            self.len *= 2
            self._reset()
