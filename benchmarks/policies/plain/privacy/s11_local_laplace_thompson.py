"""sound: each reward gets local Laplace(1/eps) noise, is clipped after that (post-processing) and feeds Beta-Thompson sampling."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.rng = rng
        self.b = 1.0 / epsilon
        self.ab = np.ones((2, arms))

    def select(self):
        return int(self.rng.beta(self.ab[0], self.ab[1]).argmax())

    def update(self, arm, reward):
        y = reward + self.rng.laplace(0.0, self.b)
        y = min(1.0, max(0.0, y))
        self.ab[0, arm] += y
        self.ab[1, arm] += 1.0 - y
