"""BROKEN: a safety cap of 300*K samples (left from testing) ends the run and the answer is given as if certain."""
import numpy as np


class Strategy:
    def __init__(self, arms, delta, rng, budget=None):
        self.K, self.delta = arms, delta
        self.cap = budget or 300 * arms
        self.n, self.s = np.zeros(arms, int), np.zeros(arms)

    def sample(self):
        return int(np.argmin(self.n))

    def update(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward

    def stop(self):
        if self.n.sum() >= self.cap:  # BUG
            return True
        if self.n.min() < 1:
            return False
        m = self.s / self.n
        r = np.sqrt(np.log(4 * self.K * self.n ** 2 / self.delta) / (2 * self.n))
        b = int(np.argmax(m))
        u = m + r
        u[b] = -np.inf
        return bool(m[b] - r[b] > u.max())

    def answer(self):
        return int(np.argmax(self.s / np.maximum(self.n, 1)))
