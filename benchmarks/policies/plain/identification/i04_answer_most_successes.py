"""BROKEN: answer() takes the largest sum of rewards, not the largest mean, while sampling prefers wide intervals of challengers."""
import numpy as np


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta, self.rng = arms, delta, rng
        self.n, self.s = np.zeros(arms, int), np.zeros(arms)

    def _rad(self):
        n = np.maximum(self.n, 1)
        return np.sqrt(np.log(4 * self.K * n ** 2 / self.delta) / (2 * n))

    def _best(self):
        return int(np.argmax(self.s / np.maximum(self.n, 1)))

    def sample(self):
        if self.n.min() == 0:
            return int(np.argmin(self.n))
        b = self._best()
        if self.rng.random() < 0.25:
            return b
        u = self.s / self.n + self._rad()
        u[b] = -np.inf
        return int(np.argmax(u))

    def update(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward

    def stop(self):
        if self.n.min() == 0:
            return False
        m, r = self.s / self.n, self._rad()
        b = self._best()
        u = m + r
        u[b] = -np.inf
        return bool(m[b] - r[b] > u.max())

    def answer(self):
        return int(np.argmax(self.s))  # BUG
