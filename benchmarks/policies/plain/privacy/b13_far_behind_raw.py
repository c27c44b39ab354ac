"""BROKEN: an arm far behind the leader (private gap > 1/2) is retired or kept according to its raw sum."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.S = list(range(arms))
        self.m = 10
        self._open()

    def _open(self):
        self.i = 0
        self.tot = np.zeros(self.K)

    def select(self):
        return self.S[self.i % len(self.S)]

    def update(self, arm, reward):
        self.tot[arm] += reward
        self.i += 1
        if self.i < self.m * len(self.S):
            return
        noisy = (self.tot + self.rng.laplace(0, 1 / self.eps, self.K)) / self.m
        top = max(noisy[a] for a in self.S)
        keep = []
        for a in self.S:
            if noisy[a] > top - 0.5:
                keep.append(a)
            elif self.tot[a] >= 0.1 * self.m:  # BUG
                keep.append(a)
        self.S = keep
        self.m += 10
        self._open()
