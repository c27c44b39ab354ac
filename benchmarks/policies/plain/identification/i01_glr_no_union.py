"""BROKEN: GLR stopping with threshold 0.3*log(1/delta) and no log t or K term (checked each round): errs more than delta."""
import numpy as np


def kl(p, q):
    p, q = np.clip(p, 1e-9, 1 - 1e-9), np.clip(q, 1e-9, 1 - 1e-9)
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta, self.rng = arms, delta, rng
        self.n, self.s = np.zeros(arms), np.zeros(arms)

    def sample(self):
        return int(np.argmin(self.n))

    def update(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward

    def stop(self):
        if self.n.min() < 2:
            return False
        m = self.s / self.n
        b = int(np.argmax(m))
        z = np.inf
        for a in range(self.K):
            if a != b:
                mid = (self.s[a] + self.s[b]) / (self.n[a] + self.n[b])
                z = min(z, self.n[a] * kl(m[a], mid) + self.n[b] * kl(m[b], mid))
        return bool(z > 0.3 * np.log(1 / self.delta))  # BUG

    def answer(self):
        return int(np.argmax(self.s / np.maximum(1, self.n)))
