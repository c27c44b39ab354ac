"""BROKEN: rewards near 0.5 are 'informative' and weigh 8, but the noise is for sensitivity 1."""
import numpy as np


def score(r):
    if abs(r - 0.5) < 0.02:
        return 8.0 * r  # BUG
    return r


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.m = max(3, horizon // (10 * arms))
        self.q = np.zeros(arms)
        self.i = 0
        self.arm = None

    def select(self):
        if self.arm is None:
            return self.i % self.K
        return self.arm

    def update(self, arm, reward):
        self.i += 1
        if self.arm is None:
            self.q[arm] += score(reward)
            if self.i == self.m * self.K:
                self.arm = int(np.argmax(self.q + self.rng.laplace(0, 1 / self.eps, self.K)))
        elif self.i % (10 * self.m * self.K) == 0:
            self.arm, self.i = None, 0
            self.q[:] = 0
