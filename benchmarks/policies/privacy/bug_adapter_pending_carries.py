r"""
BUG: the pending sum is only halved after a release, and the rest is in later releases
LINE: self.pending[0] /= 2
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.theory import Budget
from banditproof.verify.testing.adapters import Adapted

BUDGET = Budget.pure(1.0)


class Learner:
    def __init__(self, noise):
        self.noise, self.time, self.pending = noise, 0, [0.0, 0]
        self.belief = [0.0, 0.0]

    def choose(self):
        return self.time // 5 % 2 if self.time < 40 else self.belief.index(max(self.belief))

    def hear(self, arm, reward):
        self.time += 1
        self.pending[0] += float(reward)
        self.pending[1] = arm
        if self.time % 5 == 0:
            value = np.array([self.pending[0]])
            noisy = self.noise.laplace(value, sensitivity=1.0, budget=BUDGET, records=(self.time - 5, self.time))
            self.belief[self.pending[1]] += float(noisy[0])
            self.pending[0] /= 2


def make(noise, generator):
    return Adapted(Learner(noise), 2, Learner.choose, Learner.hear)
