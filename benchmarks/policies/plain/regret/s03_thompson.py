"""sound: Beta-Bernoulli Thompson sampling (Agrawal & Goyal 2012), rewards rounded at random."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.rng = rng
        self.post = np.ones((arms, 2))

    def select(self):
        return int(self.rng.beta(self.post[:, 0], self.post[:, 1]).argmax())

    def update(self, arm, reward):
        self.post[arm, 0 if self.rng.random() < reward else 1] += 1
