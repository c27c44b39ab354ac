"""sound: doubling arm-dependent episodes with forgetting; each reward enters exactly one Laplace mean."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.index_mean = np.zeros(arms)
        self.index_n = np.zeros(arms, int)
        self.episode = self._episodes()
        self.arm = next(self.episode)

    def _episodes(self):
        t = 0
        for a in range(self.K):
            total = yield a
            t += 1
            self.index_mean[a] = total + self.rng.laplace(0, 1 / self.eps)
            self.index_n[a] = 1
        while True:
            lg = math.log(t + 1)
            a = int(np.argmax(self.index_mean + np.sqrt(1.5 * lg / self.index_n) + 3 * lg / (self.eps * self.index_n)))
            length = 2 * int(self.index_n[a])
            total = 0.0
            for _ in range(length):
                total += yield a
                t += 1
            self.index_mean[a] = total / length + self.rng.laplace(0, 1 / (self.eps * length))
            self.index_n[a] = length

    def select(self):
        return self.arm

    def update(self, arm, reward):
        self.arm = self.episode.send(float(reward))
