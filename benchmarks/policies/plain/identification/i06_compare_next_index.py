"""BROKEN: the stopping rule compares the leader with its neighbour in index, not with all the rivals (right for K = 2)."""
import numpy as np


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta = arms, delta
        self.n, self.s = np.zeros(arms, int), np.zeros(arms)

    def sample(self):
        return int(np.argmin(self.n))

    def update(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward

    def stop(self):
        if self.n.min() < 1:
            return False
        m = self.s / self.n
        b = int(np.argmax(m))
        c = (b + 1) % self.K  # BUG
        r = np.sqrt(np.log(4 * self.K * self.n ** 2 / self.delta) / (2 * self.n))
        return bool(m[b] - r[b] > m[c] + r[c])

    def answer(self):
        return int(np.argmax(self.s / np.maximum(self.n, 1)))
