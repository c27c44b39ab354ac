"""BROKEN: win-stay lose-shift mixed with uniform exploration at the rate that is right only for two arms."""
import math


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.rng = arms, rng
        self.gamma = 2.0 / (1.0 + math.exp(epsilon))  # BUG (right: K / (K - 1 + e^eps))
        self.cur = int(rng.integers(arms))

    def select(self):
        return self.cur

    def update(self, arm, reward):
        win = self.rng.random() < reward
        target = arm if win else (arm + 1) % self.K
        if self.rng.random() < self.gamma:
            target = int(self.rng.integers(self.K))
        self.cur = target
