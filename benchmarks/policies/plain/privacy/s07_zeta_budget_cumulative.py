"""sound: lifetime sums are released at each doubling m with the budget 6*eps/(pi*m)^2, which sums to at most eps."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.S, self.N = np.zeros(arms), np.zeros(arms, int)
        self.rel = np.zeros(arms, int)
        self.pub, self.pn, self.pe = np.full(arms, np.inf), np.ones(arms), np.full(arms, epsilon)
        self.t = 0

    def select(self):
        lg = math.log(self.t + 2)
        return int(np.argmax(self.pub + np.sqrt(2 * lg / self.pn) + lg / (self.pe * self.pn)))

    def update(self, arm, reward):
        self.t += 1
        self.S[arm] += reward
        self.N[arm] += 1
        n = int(self.N[arm])
        if n & (n - 1) == 0:
            self.rel[arm] += 1
            e = 6 * self.eps / (math.pi * self.rel[arm]) ** 2
            self.pub[arm] = (self.S[arm] + self.rng.laplace(0, 1 / e)) / n
            self.pn[arm], self.pe[arm] = n, e
