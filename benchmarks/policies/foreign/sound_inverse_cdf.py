"""Lazy Thompson sampling on private sums; Laplace noise by the inverse of its distribution function."""

import math
import random


class LazyThompson:
    def __init__(self, n_arms, epsilon, seed=None):
        self.random = random.Random(seed)
        self.epsilon = epsilon
        self.alpha = [1.0] * n_arms
        self.beta = [1.0] * n_arms
        self.size = [1] * n_arms
        self.arm, self.todo, self.total = 0, 1, 0

    def laplace(self, scale):
        u = self.random.random() - 0.5
        return -scale * math.copysign(1.0, u) * math.log(1 - 2 * abs(u))

    def pull(self):
        return self.arm

    def update(self, arm, reward):
        self.total += reward
        self.todo -= 1
        if self.todo == 0:
            n = self.size[arm]
            ones = min(max(self.total + self.laplace(1 / self.epsilon), 0.0), n)
            self.alpha[arm] += ones
            self.beta[arm] += n - ones
            self.size[arm] *= 2
            draws = [self.random.betavariate(a, b) for a, b in zip(self.alpha, self.beta)]
            self.arm = draws.index(max(draws))
            self.todo, self.total = self.size[self.arm], 0
