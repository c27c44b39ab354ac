"""BROKEN: pretends IMED (Honda & Takemura), takes the argmax of n*kl(mu, mu*) + log n instead of the argmin."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.t = arms, 0
        self.n, self.s = np.zeros(arms), np.zeros(arms)

    def select(self):
        if self.t < self.K:
            return self.t
        p = np.clip(self.s / self.n, 1e-9, 1 - 1e-9)
        q = p.max()
        d = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
        return int(np.argmax(self.n * d + np.log(self.n)))  # BUG

    def update(self, arm, reward):
        self.t += 1
        self.n[arm] += 1
        self.s[arm] += reward
