"""Perturbed leader in blocks of ten rounds, fresh Gaussian noise for each block and arm (zero-concentrated privacy)."""

import random


class PerturbedLeader:
    def __init__(self, arms, rho):
        self.sums = [0.0] * arms
        self.noisy = [0.0] * arms
        self.sigma = (1 / (2 * rho)) ** 0.5
        self.rounds = 0

    def step(self, reward, arm):
        if arm is not None:
            self.sums[arm] += reward
            self.rounds += 1
        if self.rounds % 10 == 0 and self.rounds:
            for a in range(len(self.sums)):
                self.noisy[a] += self.sums[a] + random.gauss(0, self.sigma)
                self.sums[a] = 0.0
        if self.rounds < 10:
            return self.rounds % len(self.sums)
        return max(range(len(self.sums)), key=lambda a: self.noisy[a])
