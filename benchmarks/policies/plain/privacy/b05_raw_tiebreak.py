"""BROKEN: noisy means are rounded to one decimal and ties are broken by the raw sums."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.ep = 0
        self._start()

    def _start(self):
        self.ep += 1
        self.m = 10 * 2 ** (self.ep - 1)
        self.raw = np.zeros(self.K)
        self.i = 0
        self.winner = None

    def select(self):
        if self.winner is None:
            return self.i % self.K
        return self.winner

    def update(self, arm, reward):
        if self.winner is None:
            self.raw[arm] += reward
        self.i += 1
        if self.winner is None and self.i == self.m * self.K:
            noisy = np.round((self.raw + self.rng.laplace(0, 1 / self.eps, self.K)) / self.m, 1)
            order = np.lexsort((self.raw, noisy))  # BUG
            self.winner = int(order[-1])
        elif self.i >= 3 * self.m * self.K:
            self._start()
