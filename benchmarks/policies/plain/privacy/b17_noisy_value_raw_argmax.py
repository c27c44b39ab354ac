"""BROKEN: report-noisy-max takes the argmax of the raw sums and noises only the winning value."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.arms = arms
        self.scale = 1.0 / epsilon
        self.rng = rng
        self.rounds = 8
        self.clear()

    def clear(self):
        self.i = 0
        self.x = np.zeros(self.arms)
        self.leader = -1

    def noisy_max(self):
        k = int(np.argmax(self.x))  # BUG
        return k, self.x[k] + self.rng.laplace(0, self.scale)

    def select(self):
        if self.leader < 0:
            return self.i % self.arms
        return self.leader

    def update(self, arm, reward):
        self.i += 1
        if self.leader < 0:
            self.x[arm] += reward
            if self.i == self.rounds * self.arms:
                k, v = self.noisy_max()
                # a weak leader is not trusted: take a random arm
                self.leader = k if v > 0.1 * self.rounds else int(self.rng.integers(self.arms))
        elif self.i >= 4 * self.rounds * self.arms:
            self.rounds *= 2
            self.clear()
