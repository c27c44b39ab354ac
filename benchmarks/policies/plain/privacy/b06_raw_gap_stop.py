"""BROKEN: the moment when exploration ends is decided on raw sums (gap >= 10); only the pick is private."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.T, self.rng = arms, epsilon, horizon, rng
        self.tot = np.zeros(arms)
        self.t = 0
        self.chosen = -1

    def select(self):
        if self.chosen >= 0:
            return self.chosen
        return self.t % self.K

    def update(self, arm, reward):
        self.t += 1
        if self.chosen >= 0:
            return
        self.tot[arm] += reward
        if self.t % self.K:
            return
        top = np.sort(self.tot)[::-1]
        if top[0] - top[min(1, self.K - 1)] >= 10 or self.t > self.T // 2:  # BUG
            self.chosen = int(np.argmax(self.tot + self.rng.laplace(0, 1 / self.eps, self.K)))
