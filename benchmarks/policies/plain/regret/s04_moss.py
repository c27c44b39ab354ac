"""sound: MOSS (Audibert & Bubeck 2009), bonus sqrt(max(0, log(T/(K n)))/n), non-private."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.T = arms, horizon
        self.n = [0] * arms
        self.s = [0.0] * arms

    def _index(self, a):
        n = self.n[a]
        if n == 0:
            return math.inf
        return self.s[a] / n + math.sqrt(max(0.0, math.log(self.T / (self.K * n))) / n)

    def select(self):
        return max(range(self.K), key=self._index)

    def update(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward
