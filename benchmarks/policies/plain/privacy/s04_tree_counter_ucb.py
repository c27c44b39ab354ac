"""sound: one binary tree counter per arm with bit_length(T) levels, Laplace(levels/eps) per node, then UCB."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.rng = arms, rng
        self.L = int(horizon).bit_length()
        self.b = self.L / epsilon
        self.alpha = np.zeros((arms, self.L + 1))
        self.noisy = np.zeros((arms, self.L + 1))
        self.n = np.zeros(arms, int)
        self.t = 0

    def select(self):
        if self.t < self.K:
            return self.t
        s = self.noisy.sum(axis=1)
        lg = math.log(self.t + 1)
        return int(np.argmax(s / self.n + np.sqrt(2 * lg / self.n) + self.b * lg / self.n))

    def update(self, arm, reward):
        self.t += 1
        self.n[arm] += 1
        c = int(self.n[arm])
        i = (c & -c).bit_length() - 1
        self.alpha[arm, i] = self.alpha[arm, :i].sum() + reward
        self.alpha[arm, :i] = 0
        self.noisy[arm, :i] = 0
        self.noisy[arm, i] = self.alpha[arm, i] + self.rng.laplace(0, self.b)
