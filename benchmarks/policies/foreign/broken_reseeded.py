"""Gaussian perturbed leader with a fixed seed "for reproducibility"."""

import random

SEED = 1234


class PerturbedLeader:
    def __init__(self, arms, sigma):
        self.sums = [0.0] * arms
        self.noisy = [0.0] * arms
        self.sigma = sigma
        self.rounds = 0

    def step(self, reward, arm):
        if arm is not None:
            self.sums[arm] += reward
            self.rounds += 1
        if self.rounds % 10 == 0 and self.rounds:
            for a in range(len(self.sums)):
                random.seed(SEED)  # broken
                self.noisy[a] += self.sums[a] + random.gauss(0, self.sigma)  # broken
                self.sums[a] = 0.0
        if self.rounds < 10:
            return self.rounds % len(self.sums)
        return max(range(len(self.sums)), key=lambda a: self.noisy[a])
