"""BROKEN: episode median is released with noise calibrated to a mean's sensitivity 1/n (a median moves by up to 1)."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.T, self.rng = arms, epsilon, horizon, rng
        self.buf = []
        self.center = np.full(arms, np.nan)
        self.size = np.zeros(arms, int)
        self.cur, self.left, self.t = 0, 1, 0

    def _open(self):
        fresh = np.flatnonzero(np.isnan(self.center))
        if fresh.size:
            self.cur, self.left = int(fresh[0]), 3
        else:
            n = self.size
            idx = self.center + np.sqrt(math.log(self.t + 1) / n) + math.log(self.t + 1) / (self.eps * n)
            self.cur = int(np.argmax(idx))
            self.left = 2 * int(n[self.cur]) + 1
        self.buf = []

    def select(self):
        if self.t == 0:
            self._open()
        return self.cur

    def update(self, arm, reward):
        self.t += 1
        self.buf.append(reward)
        self.left -= 1
        if self.left == 0:
            n = len(self.buf)
            med = float(np.median(self.buf))
            self.center[arm] = med + self.rng.laplace(0.0, 1.0 / (self.eps * n))  # BUG
            self.size[arm] = n
            self._open()
