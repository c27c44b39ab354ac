"""BROKEN: an episode restart zeroes the counts but keeps the old sums, so old rewards are released again and again."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.S = np.zeros(arms)
        self.N = np.zeros(arms, int)
        self.pub = np.full(arms, np.inf)
        self.epN = np.ones(arms, int)
        self.t = 0
        self.arm = 0
        self.left = 1

    def _restart(self, a):
        self.N[a] = 0  # BUG (self.S[a] is never reset)

    def select(self):
        if self.left == 0:
            ucb = self.pub + np.sqrt(2 * math.log(self.t + 1) / self.epN)
            self.arm = int(np.argmax(ucb))
            self.left = 2 * int(self.epN[self.arm]) if np.isfinite(self.pub[self.arm]) else 1
            self._restart(self.arm)
        return self.arm

    def update(self, arm, reward):
        self.t += 1
        self.S[arm] += reward
        self.N[arm] += 1
        self.left -= 1
        if self.left == 0:
            self.pub[arm] = self.S[arm] / self.N[arm] + self.rng.laplace(0, 1 / (self.eps * self.N[arm]))
            self.epN[arm] = self.N[arm]
