"""BROKEN: pretends AdaP-UCB, episodes do not double (constant length 16), so with forgetting the estimate never gets better."""
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
        self.cur = int(np.argmax(self.mu + np.sqrt(1.55 * lg / self.n) + 3.1 * lg / (self.eps * self.n)))
        self.goal = 1 if np.isinf(self.mu[self.cur]) else min(16, int(2 * self.n[self.cur]))  # BUG
        self.k, self.s = 0, 0.0
