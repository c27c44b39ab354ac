"""Greedy with private means (standard library only)."""

import random


def laplace(scale):
    return random.expovariate(1 / scale) - random.expovariate(1 / scale)


class Agent:
    def __init__(self, arms, epsilon):
        self.noise = [laplace(1 / epsilon) for _ in range(arms)]  # broken
        self.total = [0.0] * arms
        self.pulls = [0] * arms
        self.means = [float("inf")] * arms

    def select_action(self):
        return max(range(len(self.means)), key=lambda a: self.means[a])

    def update(self, arm, reward):
        self.total[arm] += reward
        self.pulls[arm] += 1
        n = self.pulls[arm]
        if n & (n - 1) == 0:
            self.means[arm] = (self.total[arm] + self.noise[arm]) / n  # broken
