"""sound: phases with fresh sums; winner by permute-and-flip (random permutation, factor 2)."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.queue, self.m, self.q, self.explore = [], 3, np.zeros(arms), 0

    def _refill(self):
        if self.explore == 0:
            order = self.rng.permutation(self.K)
            self.queue = [int(a) for a in order for _ in range(self.m)]
            self.explore = len(self.queue)

    def select(self):
        if not self.queue:
            self._refill()
        return self.queue[0]

    def update(self, arm, reward):
        self.queue.pop(0)
        if self.explore:
            self.explore -= 1
            self.q[arm] += reward
            if self.explore == 0:
                top = self.q.max()
                for a in self.rng.permutation(self.K):
                    if self.rng.random() <= math.exp(0.5 * self.eps * (self.q[a] - top)):
                        break
                self.queue = [int(a)] * (2 * self.m * self.K)
                self.m *= 2
                self.q = np.zeros(self.K)
