"""BROKEN: pretends UCB1 (Auer 2002, tuned constant 1/4), log t is capped at t = 20 so exploration stops early."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.t = arms, 0
        self.n, self.s = np.zeros(arms), np.zeros(arms)

    def select(self):
        if self.t < self.K:
            return self.t
        lg = np.log(min(self.t + 1, 20))  # BUG
        return int(np.argmax(self.s / self.n + np.sqrt(0.25 * lg / self.n)))

    def update(self, arm, reward):
        self.t += 1
        self.n[arm] += 1
        self.s[arm] += reward
