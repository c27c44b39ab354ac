"""BROKEN: sparse vector technique with a noisy threshold but no noise on the queries (block sums)."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.B = 6
        self.thr = 0.5 * self.B + rng.laplace(0, 1 / epsilon)
        self.cur, self.k, self.s = 0, 0, 0.0

    def select(self):
        return self.cur

    def update(self, arm, reward):
        self.k += 1
        self.s += reward
        if self.k == self.B:
            if self.s < self.thr:  # BUG
                self.cur = (self.cur + 1) % self.K
            self.k, self.s = 0, 0.0
