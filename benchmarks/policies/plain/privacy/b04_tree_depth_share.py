"""BROKEN: tree counter depth is computed from T/K, so an arm pulled more often uses levels that were not paid for."""
import math
import numpy as np


class Tree:
    def __init__(self, levels, eps, rng):
        self.scale = levels / eps
        self.rng = rng
        self.n = 0
        self.exact = {}
        self.noisy = {}

    def add(self, x):
        self.n += 1
        low = (self.n & -self.n).bit_length() - 1
        total = x
        for j in range(low):
            total += self.exact.pop(j)
            self.noisy.pop(j)
        self.exact[low] = total
        self.noisy[low] = total + self.rng.laplace(0, self.scale)

    def value(self):
        return sum(self.noisy.values())


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        levels = max(1, int(math.log2(max(2, horizon // arms))))  # BUG
        self.trees = [Tree(levels, epsilon, rng) for _ in range(arms)]
        self.levels, self.eps, self.t = levels, epsilon, 0

    def select(self):
        best, arg = -math.inf, 0
        for a, tr in enumerate(self.trees):
            if tr.n == 0:
                return a
            u = tr.value() / tr.n + math.sqrt(2 * math.log(self.t + 1) / tr.n)
            if u > best:
                best, arg = u, a
        return arg

    def update(self, arm, reward):
        self.t += 1
        self.trees[arm].add(reward)
