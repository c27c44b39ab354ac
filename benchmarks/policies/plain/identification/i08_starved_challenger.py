"""BROKEN: samples the arm with the highest UCB only (regret-style), rivals starve and the stopping rule takes ages."""
import numpy as np


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta = arms, delta
        self.n, self.s = np.zeros(arms, int), np.zeros(arms)

    def sample(self):
        if self.n.min() < 10:
            return int(np.argmin(self.n))
        return int(np.argmax(self.s / self.n))  # BUG

    def update(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward

    def stop(self):
        if self.n.min() < 10:
            return False
        m = self.s / self.n
        r = np.sqrt(np.log(4 * self.K * self.n ** 2 / self.delta) / (2 * self.n))
        b = int(np.argmax(m))
        u = m + r
        u[b] = -np.inf
        return bool(m[b] - r[b] > u.max())

    def answer(self):
        return int(np.argmax(self.s / np.maximum(self.n, 1)))
