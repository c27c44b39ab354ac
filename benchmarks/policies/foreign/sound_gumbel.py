"""Explore uniformly, choose once with the exponential mechanism (Gumbel noise), then stay."""

import numpy as np


class GumbelCommit:
    def __init__(self, n_arms, epsilon, explore=8):
        self.n_arms, self.epsilon, self.explore = n_arms, epsilon, explore
        self.sums = np.zeros(n_arms)
        self.t = 0
        self.choice = None

    def step(self, reward, arm):
        if arm is not None:
            self.t += 1
            if self.choice is None:
                self.sums[arm] += reward
        if self.t < self.explore * self.n_arms:
            return self.t % self.n_arms
        if self.choice is None:
            self.choice = int(np.argmax(self.epsilon * self.sums / 2 + np.random.gumbel(size=self.n_arms)))
        return self.choice
