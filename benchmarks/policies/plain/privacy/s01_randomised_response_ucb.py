"""sound: each reward is rounded to a random bit and passed through randomised response (local DP); UCB on the debiased bits."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.rng = arms, rng
        self.flip = 1.0 / (1.0 + math.exp(min(epsilon, 500.0)))
        self.ones = np.zeros(arms)
        self.n = np.zeros(arms, int)
        self.t = 0

    def select(self):
        if self.t < self.K:
            return self.t
        p = (self.ones / self.n - self.flip) / max(1e-12, 1 - 2 * self.flip)
        width = np.sqrt(2 * math.log(self.t + 1) / self.n) / max(1e-12, 1 - 2 * self.flip)
        return int(np.argmax(p + width))

    def update(self, arm, reward):
        self.t += 1
        bit = self.rng.random() < reward
        if self.rng.random() < self.flip:
            bit = not bit
        self.ones[arm] += bit
        self.n[arm] += 1
