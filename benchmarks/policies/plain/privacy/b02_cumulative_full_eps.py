"""BROKEN: lifetime sums are released again at each doubling with the full epsilon every time (no split)."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.s = np.zeros(arms)
        self.n = np.zeros(arms, int)
        self.pub = np.full(arms, np.inf)
        self.pub_n = np.ones(arms)
        self.next_release = np.ones(arms, int)
        self.t = 0

    def select(self):
        bonus = np.sqrt(2 * math.log(self.t + 2) / self.pub_n)
        return int(np.argmax(self.pub + bonus))

    def update(self, arm, reward):
        self.t += 1
        self.s[arm] += reward
        self.n[arm] += 1
        if self.n[arm] == self.next_release[arm]:
            noisy = self.s[arm] + self.rng.laplace(0, 1 / self.eps)  # BUG
            self.pub[arm] = noisy / self.n[arm]
            self.pub_n[arm] = self.n[arm]
            self.next_release[arm] *= 2
