"""BROKEN: exponential mechanism exp(eps*u) without the 2, with u = own sum minus the others' mean (moves both ways)."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.m = 4
        self.begin()

    def begin(self):
        self.pos = 0
        self.sum = np.zeros(self.K)
        self.pick = None

    def select(self):
        return self.pos % self.K if self.pick is None else self.pick

    def update(self, arm, reward):
        if self.pick is None:
            self.sum[arm] += reward
        self.pos += 1
        if self.pos == self.m * self.K:
            others = (self.sum.sum() - self.sum) / max(1, self.K - 1)
            u = self.sum - others
            w = np.exp(self.eps * (u - u.max()))  # BUG
            self.pick = int(self.rng.choice(self.K, p=w / w.sum()))
        if self.pos == 3 * self.m * self.K:
            self.m *= 2
            self.begin()
