"""BUG: EXP3 on raw rewards with the learning rate epsilon, on the ground that exponential weights are an exponential mechanism
LINE: self.gains[a] += float(total[0]) / self.probabilities[a]
DECLARED: epsilon=1.0

One reward moves the weights of all later rounds: the loss of one round is bounded, that of many is not.
"""

from math import exp

import numpy as np

from banditproof.algorithms import Policy


class Exp3(Policy):
    def __init__(self, arms, generator, epsilon=1.0):
        super().__init__(arms)
        self.generator, self.rate = generator, epsilon / arms
        self.gains = [0.0] * arms

    def law(self):
        top = max(self.gains)
        weights = [exp(self.rate * (g - top)) for g in self.gains]
        return [0.9 * w / sum(weights) + 0.1 / self.arms for w in weights]

    def next_batch(self):
        self.probabilities = self.law()
        self.arm = int(self.generator.choice(self.arms, p=self.probabilities))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        self.gains[a] += float(total[0]) / self.probabilities[a]


def make(noise, generator):
    return Exp3(3, generator)
