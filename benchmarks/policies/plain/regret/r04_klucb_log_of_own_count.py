"""BROKEN: pretends KL-UCB, the exploration level is log of the arm's own count, not log t."""
import numpy as np


def kl(p, q):
    p = np.clip(p, 1e-12, 1 - 1e-12)
    q = np.clip(q, 1e-12, 1 - 1e-12)
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.t = arms, 0
        self.n, self.s = np.zeros(arms), np.zeros(arms)

    def select(self):
        if self.t < self.K:
            return self.t
        m = self.s / self.n
        level = np.log(self.n) / self.n  # BUG
        lo, hi = m.copy(), np.ones(self.K)
        for _ in range(25):
            mid = (lo + hi) / 2
            ok = kl(m, mid) <= level
            lo, hi = np.where(ok, mid, lo), np.where(ok, hi, mid)
        return int(np.argmax(lo))

    def update(self, arm, reward):
        self.t += 1
        self.n[arm] += 1
        self.s[arm] += reward
