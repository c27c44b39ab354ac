"""BROKEN: pretends UCB1, the bonus has power 1/4 instead of 1/2 (two square roots), over-explores."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K = arms
        self.n, self.s, self.t = np.zeros(arms), np.zeros(arms), 0

    def select(self):
        if self.t < self.K:
            return self.t
        bonus = np.sqrt(2 * np.log(self.t + 1) / self.n)
        return int(np.argmax(self.s / self.n + np.sqrt(bonus)))  # BUG

    def update(self, arm, reward):
        self.t += 1
        self.n[arm] += 1
        self.s[arm] += reward
