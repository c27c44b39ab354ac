"""sound: uniform sampling with the GLR stop (Garivier & Kaufmann 2016), Bernoulli threshold log(2 t (K-1)/delta)."""
import numpy as np


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta = arms, delta
        self.n, self.s = np.zeros(arms), np.zeros(arms)

    @staticmethod
    def _loglik(s, n):
        p = s / n
        out = 0.0
        if 0 < p < 1:
            out = s * np.log(p) + (n - s) * np.log(1 - p)
        return out

    def sample(self):
        return int(np.argmin(self.n))

    def update(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward

    def stop(self):
        t = int(self.n.sum())
        if t == 0 or t % self.K:
            return False
        b = int(np.argmax(self.s / self.n))
        beta = np.log(2 * t * (self.K - 1) / self.delta)
        for a in range(self.K):
            if a == b:
                continue
            z = (self._loglik(self.s[a], self.n[a]) + self._loglik(self.s[b], self.n[b])
                 - self._loglik(self.s[a] + self.s[b], self.n[a] + self.n[b]))
            if z <= beta:
                return False
        return True

    def answer(self):
        return int(np.argmax(self.s / np.maximum(self.n, 1)))
