"""BROKEN: debugging leftover, each 512th round plays the raw best arm."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.mu, self.n = np.full(arms, np.inf), np.ones(arms)
        self.s, self.k, self.goal = np.zeros(arms), np.zeros(arms, int), np.ones(arms, int)
        self.dbg_s, self.dbg_n = np.zeros(arms), np.zeros(arms)
        self.t = 0

    def select(self):
        if self.t % 512 == 511:
            return int(np.argmax(self.dbg_s / np.maximum(1, self.dbg_n)))  # BUG
        return int(np.argmax(self.mu + np.sqrt(2 * math.log(self.t + 2) / self.n)))

    def update(self, arm, reward):
        self.t += 1
        self.dbg_s[arm] += reward
        self.dbg_n[arm] += 1
        self.s[arm] += reward
        self.k[arm] += 1
        if self.k[arm] == self.goal[arm]:
            self.mu[arm] = (self.s[arm] + self.rng.laplace(0, 1 / self.eps)) / self.k[arm]
            self.n[arm] = self.k[arm]
            self.goal[arm] *= 2
            self.s[arm], self.k[arm] = 0.0, 0
