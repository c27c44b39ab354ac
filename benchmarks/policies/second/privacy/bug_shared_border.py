"""BUG: successive windows of an arm share one reward, which pays twice
LINE: self.log[k] = self.log[k][-1:]
DECLARED: epsilon=1.0

The buffer keeps its last reward (`[-1:]`) when it is released.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.n, self.mean = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.n, 1))
        self.arm = int(np.argmax(np.where(self.n == 0, np.inf, self.mean + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.n[k] += int(count[0])
        self.t += int(count[0])
        self.update(k, float(total[0]), self.t - int(count[0]))


class Windows(Agent):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.log = [[] for _ in range(arms)]

    def update(self, k, reward, t):
        self.log[k].append((t, reward))
        if len(self.log[k]) < 6:
            return
        value = np.array([sum(r for _, r in self.log[k])])
        where = (self.log[k][0][0], t + 1, np.array([k]))
        noisy = self.noise.laplace(value, sensitivity=1.0, budget=Budget.pure(1.0), records=where)
        self.mean[k] = 0.5 * self.mean[k] + 0.5 * noisy[0] / 6
        self.log[k] = self.log[k][-1:]


def make(noise, generator):
    return Windows(3, noise, generator)
