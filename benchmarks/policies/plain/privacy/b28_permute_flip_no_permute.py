"""BROKEN: permute-and-flip goes through the arms in index order, so arms behind the raw best are never reached."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.m = 5
        self._new()

    def _new(self):
        self.q = np.zeros(self.K)
        self.i, self.arm = 0, None

    def _flip(self):
        top = self.q.max()
        for a in range(self.K):  # BUG
            if self.rng.random() <= math.exp(self.eps * (self.q[a] - top) / 2):
                return a
        return 0

    def select(self):
        return self.arm if self.arm is not None else self.i // self.m

    def update(self, arm, reward):
        self.i += 1
        if self.arm is None:
            self.q[arm] += reward
            if self.i == self.m * self.K:
                self.arm = self._flip()
        elif self.i >= 3 * self.m * self.K:
            self.m *= 2
            self._new()
