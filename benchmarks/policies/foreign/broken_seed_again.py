"""Explore in blocks, then eliminate; reproducible because it is seeded."""

import numpy as np


def noisy(total, scale, seed):
    rng = np.random.default_rng(seed)  # broken
    return total + rng.laplace(scale=scale)  # broken


class BlockElimination:
    def __init__(self, k, eps, seed=7):
        self.k, self.eps, self.seed = k, eps, seed
        self.active = list(range(k))
        self.block = 4
        self.reset()

    def reset(self):
        self.sums = {a: 0.0 for a in self.active}
        self.queue = [a for a in self.active for _ in range(self.block)]

    def pull(self):
        if not self.queue:
            self.eliminate()
        return self.queue[0]

    def eliminate(self):
        means = {a: noisy(self.sums[a], 1.0 / self.eps, self.seed) / self.block for a in self.active}  # broken
        best = max(means.values())
        radius = 1.2 / self.block**0.5
        self.active = [a for a in self.active if means[a] >= best - radius]
        self.block *= 2
        self.reset()

    def update(self, arm, reward):
        self.queue.pop(0)
        self.sums[arm] += reward
