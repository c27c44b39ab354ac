"""BROKEN: pretends AdaP-UCB, the privacy term 3 log t/eps is shrunk by sqrt(n) instead of n, over-explores heavily for small eps."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.mu, self.n = np.full(arms, np.inf), np.ones(arms)
        self.t, self.cur, self.k, self.s, self.goal = 0, 0, 0, 0.0, 1

    def select(self):
        return self.cur

    def update(self, arm, reward):
        self.t += 1
        self.k += 1
        self.s += reward
        if self.k < self.goal:
            return
        self.mu[arm] = self.s / self.k + self.rng.laplace(0, 1 / (self.eps * self.k))
        self.n[arm] = self.k
        lg = math.log(self.t + 1)
        idx = self.mu + np.sqrt(1.55 * lg / self.n) + 3.1 * lg / (self.eps * np.sqrt(self.n))  # BUG
        self.cur = int(np.argmax(idx))
        self.goal = 1 if np.isinf(self.mu[self.cur]) else int(2 * self.n[self.cur])
        self.k, self.s = 0, 0.0
