r"""
BUG: the deviation is given as 1 / (2 rho) to the power of 1/4: the root was taken twice
LINE: private = self.noise.gaussian(total, sensitivity=1.0, budget=BUDGET, records=(start, self.clock), multiplier=(0.5 / RHO) ** 0.25)
DECLARED: rho=0.1
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

RHO = 0.1
BUDGET = Budget.zcdp(RHO)
STEP = 0.3


def softmax(x):
    w = np.exp(x - x.max())
    return w / w.sum()


class GradientBandit(Policy):
    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator = noise, generator
        self.preferences = np.zeros(arms)
        self.baseline, self.batches = 0.0, 0
        self.clock = 0
        self.last = 0

    def next_batch(self):
        self.last = int(np.argmax(self.preferences + self.generator.gumbel(size=self.arms)))
        return np.array([self.last], dtype=np.int64), np.array([6], dtype=np.int64)

    def observe(self, total, count, arm=None):
        played = self.last if arm is None else int(arm[0])
        n = int(count[0])
        start, self.clock = self.clock, self.clock + n
        private = self.noise.gaussian(total, sensitivity=1.0, budget=BUDGET, records=(start, self.clock), multiplier=(0.5 / RHO) ** 0.25)
        mean = float(np.clip(private[0] / n, -1, 2))
        self.step(played, mean)

    def step(self, played, mean):
        self.batches += 1
        gradient = -softmax(self.preferences)
        gradient[played] += 1
        self.preferences += STEP * (mean - self.baseline) * gradient
        self.baseline += (mean - self.baseline) / self.batches


def make(noise, generator):
    return GradientBandit(2, noise, generator)
