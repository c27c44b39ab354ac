"""BROKEN: noise is skipped as negligible once a phase has more than 1500 pulls per arm."""
import numpy as np

NEGLIGIBLE = 1500


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.m = 500
        self._phase()

    def _phase(self):
        self.sums, self.i, self.win = np.zeros(self.K), 0, None

    def select(self):
        return self.i % self.K if self.win is None else self.win

    def _scale(self, n):
        return 1.0 / self.eps if n <= NEGLIGIBLE else 0.0  # BUG

    def update(self, arm, reward):
        self.i += 1
        if self.win is None:
            self.sums[arm] += reward
            if self.i == self.m * self.K:
                noisy = self.sums + self.rng.laplace(0, 1, self.K) * self._scale(self.m)
                self.win = int(np.argmax(noisy))
        elif self.i == self.m * (self.K + 1):
            self.m *= 2
            self._phase()
