"""BROKEN: successive elimination with radius sqrt(log(1/delta)/(8n)) instead of sqrt(log(4 K n^2/delta)/(2n))."""
import math
import numpy as np


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta = arms, delta
        self.S = list(range(arms))
        self.sum, self.n = np.zeros(arms), np.zeros(arms, int)
        self.i = 0

    def sample(self):
        return self.S[self.i]

    def update(self, arm, reward):
        self.sum[arm] += reward
        self.n[arm] += 1
        self.i += 1
        if self.i < len(self.S):
            return
        self.i = 0
        n = int(self.n[self.S[0]])
        rad = math.sqrt(math.log(1 / self.delta) / (8 * n))  # BUG
        m = self.sum[self.S] / n
        self.S = [a for a, x in zip(self.S, m) if x >= m.max() - 2 * rad]

    def stop(self):
        return len(self.S) == 1

    def answer(self):
        return self.S[0]
