"""BROKEN: Gaussian noise with std 1/epsilon is claimed to be pure epsilon-DP (unbounded loss in the tail)."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.arms, self.rng = arms, rng
        self.sd = 1.0 / epsilon
        self.m = max(2, int(np.ceil(6 * self.sd)))
        self.sums, self.i, self.pick = np.zeros(arms), 0, -1

    def select(self):
        return self.i % self.arms if self.pick < 0 else self.pick

    def update(self, arm, reward):
        self.i += 1
        if self.pick < 0:
            self.sums[arm] += reward
            if self.i == self.m * self.arms:
                self.pick = int(np.argmax(self.sums + self.rng.normal(0, self.sd, self.arms)))  # BUG
        elif self.i == 2 * self.m * self.arms:
            self.sums[:] = 0
            self.i, self.pick = 0, -1
