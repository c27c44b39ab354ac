"""BUG: Thompson sampling without noise, on the ground that its decisions are random
LINE: draws = [self.generator.beta(g, b) for g, b in zip(self.good, self.bad)]
DECLARED: epsilon=1.0

The law of every later decision depends on every reward, and the losses add up without bound over the run.
"""

import numpy as np

from banditproof.algorithms import Policy


class PosteriorSampling(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.good, self.bad = [1.0] * arms, [1.0] * arms

    def next_batch(self):
        draws = [self.generator.beta(g, b) for g, b in zip(self.good, self.bad)]
        self.arm = draws.index(max(draws))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        self.good[a] += float(total[0])
        self.bad[a] += float(count[0] - total[0])


def make(noise, generator):
    return PosteriorSampling(3, noise, generator)
