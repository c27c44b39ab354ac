"""sound: epsilon-greedy inside fixed episodes; the greedy arm comes from the last episode's noisy sums only."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.len = 8 * arms
        self.greedy = int(rng.integers(arms))
        self.box = [[] for _ in range(arms)]
        self.k = 0

    def select(self):
        if self.rng.random() < 0.3:
            return int(self.rng.integers(self.K))
        return self.greedy

    def update(self, arm, reward):
        self.box[arm].append(min(1.0, max(0.0, reward)))
        self.k += 1
        if self.k == self.len:
            est = [(sum(b) + self.rng.laplace(0, 1 / self.eps)) / len(b) if b else 0.5 for b in self.box]
            self.greedy = int(np.argmax(est))
            self.box = [[] for _ in range(self.K)]
            self.k = 0
            self.len = int(self.len * 1.5)
