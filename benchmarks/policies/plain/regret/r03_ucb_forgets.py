"""BROKEN: pretends UCB1, discounts all statistics by 0.98 per round (a leftover of D-UCB), so it never stops exploring."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.n = np.zeros(arms)
        self.s = np.zeros(arms)
        self.t = 0

    def select(self):
        if self.t < len(self.n):
            return self.t
        n = np.maximum(self.n, 1e-9)
        return int(np.argmax(self.s / n + np.sqrt(2 * np.log(self.t) / n)))

    def update(self, arm, reward):
        self.t += 1
        self.n *= 0.98  # BUG
        self.s *= 0.98
        self.n[arm] += 1
        self.s[arm] += reward
