"""sound: KL-UCB (Garivier & Cappe 2011) with c = 0, non-private, bisection."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.t = arms, 0
        self.n, self.s = np.zeros(arms), np.zeros(arms)

    @staticmethod
    def d(p, q):
        p, q = np.clip(p, 1e-12, 1 - 1e-12), np.clip(q, 1e-12, 1 - 1e-12)
        return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))

    def select(self):
        if self.t < self.K:
            return self.t
        p = self.s / self.n
        level = np.log(self.t + 1) / self.n
        lo, hi = p, np.ones(self.K)
        for _ in range(25):
            mid = 0.5 * (lo + hi)
            inside = self.d(p, mid) <= level
            lo, hi = np.where(inside, mid, lo), np.where(inside, hi, mid)
        return int(np.argmax(hi))

    def update(self, arm, reward):
        self.t += 1
        self.n[arm] += 1
        self.s[arm] += reward
