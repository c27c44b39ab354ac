"""UCB on sums from a binary tree per arm (Chan, Shi and Song), budget split over the levels."""

import numpy as np


class Tree:
    def __init__(self, horizon, epsilon, rng):
        self.levels = int(np.ceil(np.log2(horizon))) + 1
        self.scale = self.levels / epsilon
        self.rng = rng
        self.alpha = [0.0] * self.levels
        self.noisy = [0.0] * self.levels
        self.t = 0

    def add(self, x):
        self.t += 1
        i = 0
        while not (self.t >> i) & 1:
            i += 1
        self.alpha[i] = sum(self.alpha[:i]) + x
        for j in range(i):
            self.alpha[j] = 0.0
            self.noisy[j] = 0.0
        self.noisy[i] = self.alpha[i] + self.rng.laplace(0, self.scale)
        return sum(self.noisy[j] for j in range(self.levels) if (self.t >> j) & 1)


class TreeUCB:
    def __init__(self, n_arms, epsilon, horizon, rng):
        self.trees = [Tree(horizon, epsilon, rng) for _ in range(n_arms)]
        self.sums = np.zeros(n_arms)
        self.counts = np.zeros(n_arms)

    def select_arm(self):
        if self.counts.min() == 0:
            return int(np.argmin(self.counts))
        bonus = np.sqrt(2 * np.log(self.counts.sum()) / self.counts)
        return int(np.argmax(self.sums / self.counts + bonus))

    def update(self, arm, reward):
        self.counts[arm] += 1
        self.sums[arm] = self.trees[arm].add(reward)
