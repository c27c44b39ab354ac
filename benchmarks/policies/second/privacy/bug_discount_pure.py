"""BUG: a discounted sum is released at every pull for (1 - g^2) of epsilon; in pure DP the shares that a reward pays add up to 1 + g
LINE: share = 1 - self.G**2
DECLARED: epsilon=1.0

A reward of age j moves the released sum by g^j, so it pays (1 - g^2)(1 + g + g^2 + ...) = 1 + g = 1.8 in units of epsilon.
(The share is that of zCDP, where squares add up.)
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.n, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.n, 1))
        self.arm = int(np.argmax(np.where(self.n == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.n[k] += int(count[0])
        self.t += int(count[0])
        self.learn(k, float(total[0]), self.t - int(count[0]))


class Discounted(Agent):
    """Every arm has a discounted sum; all are released after each pull."""

    G = 0.8

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.fading, self.weight = np.zeros(arms), np.zeros(arms)

    def learn(self, k, reward, t):
        self.fading *= self.G
        self.weight *= self.G
        self.fading[k] += reward
        self.weight[k] += 1
        share = 1 - self.G**2
        noisy = self.noise.laplace(
            self.fading[np.newaxis], sensitivity=1.0, budget=Budget.pure(share), records=(0, t + 1)
        )[0]
        self.estimate = noisy / np.maximum(self.weight, 0.1)


def make(noise, generator):
    return Discounted(3, noise, generator)
