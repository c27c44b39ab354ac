"""BROKEN: when the noisy mean falls outside [0, 1] it is 'clipped' back to the raw mean."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.mean = [None] * arms
        self.len = [0] * arms
        self.t = 0
        self.cur = 0
        self.need = 1
        self.acc = 0.0
        self.cnt = 0

    def select(self):
        return self.cur

    def _index(self, a):
        return self.mean[a] + math.sqrt(2 * math.log(self.t + 1) / self.len[a])

    def update(self, arm, reward):
        self.t += 1
        self.acc += reward
        self.cnt += 1
        if self.cnt < self.need:
            return
        raw = self.acc / self.cnt
        noisy = raw + self.rng.laplace(0, 1 / (self.eps * self.cnt))
        if not 0.0 <= noisy <= 1.0:
            noisy = min(1.0, max(0.0, raw))  # BUG
        self.mean[arm], self.len[arm] = noisy, self.cnt
        missing = [a for a in range(self.K) if self.mean[a] is None]
        self.cur = missing[0] if missing else max(range(self.K), key=self._index)
        self.need = max(1, 2 * self.len[self.cur])
        self.acc, self.cnt = 0.0, 0
