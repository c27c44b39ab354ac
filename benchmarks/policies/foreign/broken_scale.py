"""UCB whose sums are released at powers of two of the count."""

import numpy as np


class DPUCB(object):
    def __init__(self, K, epsilon, horizon):
        self.K = K
        self.eps = epsilon
        self.T = horizon
        self.S = np.zeros(K)
        self.N = np.zeros(K, dtype=int)
        self.at = np.ones(K, dtype=int)
        self.index = np.full(K, np.inf)

    def add_noise(self, s):
        return s + np.random.laplace(loc=0.0, scale=self.eps)  # broken

    def pull(self):
        return int(np.argmax(self.index))

    def update(self, arm, r):
        self.S[arm] += r
        self.N[arm] += 1
        if self.N[arm] == self.at[arm]:
            m = self.add_noise(self.S[arm]) / self.N[arm]
            self.index[arm] = m + np.sqrt(2 * np.log(self.T) / self.N[arm])
            self.at[arm] = 2 * self.at[arm]
            self.S[arm] = 0.0
            self.N[arm] = 0
