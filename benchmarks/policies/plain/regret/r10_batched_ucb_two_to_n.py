"""BROKEN: pretends doubling-batch UCB (UCB2 / AdaP-UCB), the batch is 2**n instead of 2*n (2, 4, 16, 65536)."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.mu, self.n = np.full(arms, np.inf), np.ones(arms)
        self.t, self.cur, self.k, self.s, self.goal = 0, 0, 0, 0.0, 2

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
        self.cur = int(np.argmax(self.mu + np.sqrt(2 * math.log(self.t + 1) / self.n)))
        self.goal = 2 if np.isinf(self.mu[self.cur]) else 2 ** int(self.n[self.cur])  # BUG
        self.k, self.s = 0, 0.0
