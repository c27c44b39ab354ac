"""sound: rewards are rounded at random to bits, integer sums get two-sided geometric noise (no floats in the release)."""
import math


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.rng = arms, rng
        self.p = 1.0 - math.exp(-epsilon)
        self.m = 4
        self.cur = 0
        self.bits = [0] * arms
        self.i = 0
        self.commit = 0

    def _two_sided(self):
        return int(self.rng.geometric(self.p)) - int(self.rng.geometric(self.p))

    def select(self):
        if self.i < self.m * self.K:
            return self.i // self.m
        return self.cur

    def update(self, arm, reward):
        if self.i < self.m * self.K:
            self.bits[arm] += int(self.rng.random() < reward)
        self.i += 1
        if self.i == self.m * self.K:
            noisy = [b + self._two_sided() for b in self.bits]
            self.cur = noisy.index(max(noisy))
        if self.i == 3 * self.m * self.K:
            self.m += 4
            self.bits = [0] * self.K
            self.i = 0
