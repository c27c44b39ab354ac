"""BROKEN: noise is cached per arm (key lacks the episode), so successive releases share the same draw."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng, cache=None):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.cache = {} if cache is None else cache
        self.m, self.i, self.ep = 5, 0, 0
        self.s = np.zeros(arms)
        self.win = None

    def noise(self, arm, episode):
        key = arm  # BUG (should be (arm, episode))
        if key not in self.cache:
            self.cache[key] = self.rng.laplace(0, 1 / self.eps)
        return self.cache[key]

    def select(self):
        return self.i % self.K if self.win is None else self.win

    def update(self, arm, reward):
        self.i += 1
        if self.win is None:
            self.s[arm] += reward
            if self.i == self.m * self.K:
                noisy = [self.s[a] + self.noise(a, self.ep) for a in range(self.K)]
                self.win = int(np.argmax(noisy))
        if self.win is not None and self.i >= self.m * self.K + 2:
            self.ep += 1
            self.i, self.win = 0, None
            self.s[:] = 0
