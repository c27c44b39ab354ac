"""BROKEN: pretends DP-SE (Sajed & Sheffet), eliminates on the wrong side: keeps arms close to the worst."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.T, self.rng = arms, epsilon, horizon, rng
        self.S = list(range(arms))
        self.e = 0
        self._next()

    def _next(self):
        self.e += 1
        self.gap = 2.0 ** -self.e
        lg = math.log(8 * len(self.S) * self.e ** 2 * self.T)
        self.R = int(math.ceil(max(32 * lg / self.gap ** 2, 8 * lg / (self.eps * self.gap)) / 8)) + 1
        self.x = np.zeros(self.K)
        self.k = 0

    def select(self):
        return self.S[self.k % len(self.S)]

    def update(self, arm, reward):
        if len(self.S) == 1:
            return
        self.x[arm] += reward
        self.k += 1
        if self.k == self.R * len(self.S):
            mu = self.x / self.R + self.rng.laplace(0, 1 / (self.eps * self.R), self.K)
            worst = min(mu[a] for a in self.S)
            self.S = [a for a in self.S if mu[a] <= worst + self.gap]  # BUG
            self._next()
