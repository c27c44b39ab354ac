"""BROKEN: Laplace noise is redrawn until it is within four scales (bounded support: outcomes with probability 0)."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.b = 1.0 / epsilon
        self.m = max(2, min(horizon // (4 * arms), int(np.ceil(8 * self.b))))
        self.s = [0.0] * arms
        self.t = 0
        self.star = None

    def _lap(self):
        while True:
            z = self.rng.laplace(0, self.b)
            if abs(z) <= 4 * self.b:  # BUG
                return z

    def select(self):
        return self.t % self.K if self.star is None else self.star

    def update(self, arm, reward):
        self.t += 1
        if self.star is None:
            self.s[arm] += reward
            if self.t == self.m * self.K:
                noisy = [x + self._lap() for x in self.s]
                self.star = noisy.index(max(noisy))
