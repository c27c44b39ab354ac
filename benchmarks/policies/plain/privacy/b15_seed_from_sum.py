"""BROKEN: noise comes from a generator seeded by the sum itself (reproducible, hence a function of the data)."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.salt = int(rng.integers(4))
        self.n, self.sums, self.out = 0, np.zeros(arms), None
        self.m = 6

    def select(self):
        if self.out is None:
            return self.n % self.K
        return self.out

    def update(self, arm, reward):
        self.n += 1
        if self.out is None:
            self.sums[arm] += reward
            if self.n == self.m * self.K:
                noisy = []
                for a in range(self.K):
                    g = np.random.default_rng(int(1000 * self.sums[a]) + 7919 * a + self.salt)  # BUG
                    noisy.append(self.sums[a] + g.laplace(0, 1 / self.eps))
                self.out = int(np.argmax(noisy))
        elif self.n >= 6 * self.m * self.K:
            self.m *= 2
            self.n, self.out = 0, None
            self.sums[:] = 0
