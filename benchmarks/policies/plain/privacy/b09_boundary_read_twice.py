"""BROKEN: the reward closing an episode is also the first of the arm's next episode (boundary users pay 2 epsilon)."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.sum = np.zeros(arms)
        self.cnt = np.zeros(arms, int)
        self.goal = np.ones(arms, int)
        self.est = np.full(arms, np.inf)
        self.w = np.ones(arms)
        self.t = 0
        self.cur = 0

    def select(self):
        return self.cur

    def update(self, arm, reward):
        self.t += 1
        self.sum[arm] += reward
        self.cnt[arm] += 1
        if self.cnt[arm] >= self.goal[arm]:
            n = self.cnt[arm]
            self.est[arm] = (self.sum[arm] + self.rng.laplace(0, 1 / self.eps)) / n
            self.w[arm] = n
            self.goal[arm] = 2 * n
            self.sum[arm], self.cnt[arm] = reward, 1  # BUG
            self.cur = int(np.argmax(self.est + np.sqrt(1.5 * math.log(self.t + 1) / self.w)))
