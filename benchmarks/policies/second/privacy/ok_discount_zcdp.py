"""HARMLESS: a discounted sum is released at every pull for (1 - g^2) rho: a reward of age j moves it by g^j, and the squares add up to 1 / (1 - g^2)
DECLARED: rho=0.5
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Learner(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.pulls, self.guess = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.pulls, 1))
        self.arm = int(np.argmax(np.where(self.pulls == 0, np.inf, self.guess + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.pulls[k] += int(count[0])
        self.t += int(count[0])
        self.update(k, float(total[0]), self.t - int(count[0]))


class Fading(Learner):
    G = 0.9

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.fading, self.weight = np.zeros(arms), np.zeros(arms)

    def update(self, k, reward, t):
        self.fading, self.weight = self.G * self.fading, self.G * self.weight
        self.fading[k] += reward
        self.weight[k] += 1
        share = Budget.zcdp(0.4999 * (1 - self.G**2))
        noisy = self.noise.gaussian(self.fading[np.newaxis], sensitivity=1.0, budget=share, records=(0, t + 1))[0]
        self.guess = noisy / np.maximum(self.weight, 0.1)


def make(noise, generator):
    return Fading(3, noise, generator)
