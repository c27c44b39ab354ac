"""BROKEN: only two noises are drawn, every arm after the second reuses the last one (invisible for K = 2)."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.phase = 0
        self.reset()

    def reset(self):
        self.phase += 1
        self.m = 4 * self.phase
        self.c = np.zeros(self.K)
        self.step = 0
        self.best = 0

    def select(self):
        if self.step < self.m * self.K:
            return self.step // self.m
        return self.best

    def _noise(self):
        z = self.rng.laplace(0.0, 1.0 / self.eps, size=min(self.K, 2))
        return z[np.minimum(np.arange(self.K), len(z) - 1)]  # BUG

    def update(self, arm, reward):
        if self.step < self.m * self.K:
            self.c[arm] += reward
        self.step += 1
        if self.step == self.m * self.K:
            self.best = int(np.argmax(self.c + self._noise()))
        if self.step == 4 * self.m * self.K:
            self.reset()
