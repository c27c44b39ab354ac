"""BROKEN: pulls with reward 0 do not count towards the end of the episode, so its length leaks the zeros."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.mu, self.n = np.full(arms, np.inf), np.ones(arms)
        self.t = self.k = self.played = 0
        self.cur, self.goal, self.s = 0, 1, 0.0

    def select(self):
        return self.cur

    def update(self, arm, reward):
        self.t += 1
        self.played += 1
        if reward > 0:  # BUG
            self.k += 1
            self.s += reward
        if self.k >= self.goal or self.played > 20 * self.goal:
            n = self.played
            self.mu[arm] = (self.s + self.rng.laplace(0, 1 / self.eps)) / n
            self.n[arm] = n
            self.cur = int(np.argmax(self.mu + np.sqrt(2 * math.log(self.t + 1) / self.n)))
            self.goal = 2 * self.goal if np.isfinite(self.mu).all() else 1
            self.k = self.played = 0
            self.s = 0.0
