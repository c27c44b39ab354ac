"""BROKEN: one scalar Laplace draw is broadcast over all the arms, so it cancels in the argmax."""
import numpy as np


class Policy:
    def __init__(self, arms: int, epsilon: float, horizon: int, rng):
        self.K, self.eps, self.T, self.rng = arms, epsilon, horizon, rng
        self.block = 5
        self.sums = np.zeros(arms)
        self.plan = [a for a in range(arms) for _ in range(self.block)]
        self.pos = 0

    def select(self):
        return self.plan[self.pos]

    def update(self, arm, reward):
        if self.pos < self.K * self.block:
            self.sums[arm] += reward
        self.pos += 1
        if self.pos == self.K * self.block:
            noisy = self.sums + self.rng.laplace(0.0, 1.0 / self.eps)  # BUG
            win = int(np.argmax(noisy))
            self.plan += [win] * (4 * self.K * self.block)
        if self.pos == len(self.plan):
            self.block *= 2
            self.sums[:] = 0
            self.plan = [a for a in range(self.K) for _ in range(self.block)]
            self.pos = 0
