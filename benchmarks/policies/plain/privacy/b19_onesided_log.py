"""BROKEN: hand-written Laplace sampler lost the sign, so the noise is >= 0 and an arm above the bar can never be dropped."""
import math
import numpy as np


class Policy:
    BAR = 0.3

    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.block = max(4, int(math.ceil(4 / epsilon)))
        self.alive = list(range(arms))
        self.s = dict.fromkeys(self.alive, 0.0)
        self.i = 0

    def lap(self, b):
        u = self.rng.random() - 0.5
        return -b * math.log(1 - 2 * abs(u))  # BUG (lacks sign(u))

    def select(self):
        return self.alive[self.i % len(self.alive)]

    def update(self, arm, reward):
        self.s[arm] += reward
        self.i += 1
        if self.i == self.block * len(self.alive):
            keep = [a for a in self.alive if self.s[a] + self.lap(1 / self.eps) >= self.BAR * self.block]
            self.alive = keep or self.alive
            self.s = dict.fromkeys(self.alive, 0.0)
            self.i = 0
