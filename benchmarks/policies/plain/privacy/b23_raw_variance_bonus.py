"""BROKEN: UCB-V with a private mean but the raw empirical variance in the bonus."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.mean = np.full(arms, np.inf)
        self.var = np.zeros(arms)
        self.n = np.ones(arms)
        self.data = []
        self.cur, self.goal, self.t = 0, 2, 0

    def select(self):
        return self.cur

    def update(self, arm, reward):
        self.t += 1
        self.data.append(float(reward))
        if len(self.data) < self.goal:
            return
        n = len(self.data)
        self.mean[arm] = np.mean(self.data) + self.rng.laplace(0, 1 / (n * self.eps))
        self.var[arm] = np.var(self.data)  # BUG
        self.n[arm] = n
        lg = math.log(self.t + 1)
        u = self.mean + np.sqrt(2 * self.var * lg / self.n) + 3 * lg / self.n + lg / (self.eps * self.n)
        self.cur = int(np.argmax(u))
        self.goal = 2 * int(self.n[self.cur]) if np.isfinite(self.mean[self.cur]) else 2
        self.data = []
