"""sound: report-noisy-max with one-sided Exponential(1/eps) noise; one reward moves one sum by <= 1, so each outcome moves by e^eps."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.rng = arms, rng
        self.scale = 1.0 / epsilon
        self.m, self.i, self.best = 6, 0, None
        self.s = np.zeros(arms)

    def select(self):
        return self.best if self.best is not None else self.i % self.K

    def update(self, arm, reward):
        self.i += 1
        if self.best is None:
            self.s[arm] += reward
            if self.i == self.m * self.K:
                self.best = int(np.argmax(self.s + self.rng.exponential(self.scale, self.K)))
                self.s = np.zeros(self.K)
        elif self.i >= 4 * self.m * self.K:
            self.i, self.best, self.m = 0, None, 2 * self.m
