"""sound: UCB1 (Auer, Cesa-Bianchi, Fischer 2002), non-private, incremental means."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.n = np.zeros(arms, int)
        self.mu = np.zeros(arms)

    def select(self):
        if (self.n == 0).any():
            return int(np.argmin(self.n))
        return int(np.argmax(self.mu + np.sqrt(2 * np.log(self.n.sum()) / self.n)))

    def update(self, arm, reward):
        self.n[arm] += 1
        self.mu[arm] += (reward - self.mu[arm]) / self.n[arm]
