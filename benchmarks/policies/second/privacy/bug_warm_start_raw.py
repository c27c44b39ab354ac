"""BUG: the first reward of each arm starts its estimate as it is, without noise
LINE: self.guess[k] = reward
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.n, self.guess = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.n, 1))
        self.arm = int(np.argmax(np.where(self.n == 0, np.inf, self.guess + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.n[k] += int(count[0])
        self.t += int(count[0])
        self.absorb(k, float(total[0]), self.t - int(count[0]))


class WarmStart(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.open, self.size = {}, 4

    def absorb(self, k, reward, t):
        if self.n[k] == 1:
            self.guess[k] = reward
            return
        first, total, n = self.open.pop(k, (t, 0.0, 0))
        if n + 1 < self.size:
            self.open[k] = (first, total + reward, n + 1)
            return
        where = (first, t + 1, np.array([k]))
        noisy = self.noise.laplace(np.array([total + reward]), sensitivity=1.0, budget=Budget.pure(1.0), records=where)
        self.guess[k] += self.size / self.n[k] * (noisy[0] / self.size - self.guess[k])


def make(noise, generator):
    return WarmStart(3, noise, generator)
