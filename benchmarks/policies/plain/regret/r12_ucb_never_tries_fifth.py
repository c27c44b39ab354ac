"""BROKEN: pretends UCB1, the warm-up covers arms 0..3 only and an unpulled arm has index -inf (matters from K = 5 on)."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.t = arms, 0
        self.warm = list(range(arms))[:4]  # BUG
        self.n, self.s = np.zeros(arms), np.zeros(arms)

    def select(self):
        if self.t < len(self.warm):
            return self.warm[self.t]
        seen = self.n > 0
        idx = np.full(self.K, -np.inf)
        idx[seen] = self.s[seen] / self.n[seen] + np.sqrt(2 * np.log(self.t) / self.n[seen])
        return int(np.argmax(idx))

    def update(self, arm, reward):
        self.t += 1
        self.n[arm] += 1
        self.s[arm] += reward
