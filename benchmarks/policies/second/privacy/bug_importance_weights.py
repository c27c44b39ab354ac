"""BUG: rewards are divided by their probability before the noise, which keeps sensitivity 1
LINE: gain = self.noise.laplace(weighted, sensitivity=1.0, budget=Budget.pure(1.0), records=(self.clock - 1, self.clock))
DECLARED: epsilon=1.0

With a probability of 0.1 one reward moves the weighted one by 10.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class PrivateExp3(Policy):
    RATE = 0.1

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.logits, self.clock = np.zeros(arms), 0

    def next_batch(self):
        w = np.exp(self.logits - self.logits.max())
        self.p = 0.7 * w / w.sum() + 0.3 / self.arms
        self.arm = int(self.generator.choice(self.arms, p=self.p))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        weighted = total / self.p[a]
        self.clock += 1
        gain = self.noise.laplace(weighted, sensitivity=1.0, budget=Budget.pure(1.0), records=(self.clock - 1, self.clock))
        self.logits[a] += self.RATE * float(gain[0])


def make(noise, generator):
    return PrivateExp3(3, noise, generator)
