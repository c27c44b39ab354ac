"""BROKEN: pretends Beta-Bernoulli Thompson sampling, the prior is Beta(5000, 5000) instead of Beta(1, 1)."""
import numpy as np


class Policy:
    PRIOR = 5000.0  # BUG

    def __init__(self, arms, epsilon, horizon, rng):
        self.rng = rng
        self.a = np.full(arms, self.PRIOR)
        self.b = np.full(arms, self.PRIOR)

    def select(self):
        return int(np.argmax(self.rng.beta(self.a, self.b)))

    def update(self, arm, reward):
        x = float(self.rng.random() < reward)
        self.a[arm] += x
        self.b[arm] += 1 - x
