"""HARMLESS: every reward is rounded to a bit at random and answers once by randomised response
DECLARED: epsilon=1.0

Between rewards 0 and 1 the bit differs, which costs epsilon; a mixture costs no more.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Base(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.counts, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.counts, 1))
        self.arm = int(np.argmax(np.where(self.counts == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.counts[k] += int(count[0])
        self.t += int(count[0])
        self.hear(k, float(total[0]), self.t - int(count[0]))


class Surveys(Base):
    TRUTH = np.e / (1 + np.e)

    def hear(self, k, reward, t):
        bit = np.array([int(self.generator.random() < reward)])
        said = self.noise.randomised_response(bit, categories=2, budget=Budget.pure(1.0), records=(t, t + 1))[0]
        unbiased = (said - (1 - self.TRUTH)) / (2 * self.TRUTH - 1)
        self.estimate[k] += (unbiased - self.estimate[k]) / self.counts[k]


def make(noise, generator):
    return Surveys(3, noise, generator)
