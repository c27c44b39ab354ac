"""BUG: the deviation of (epsilon, delta)-DP noise is sqrt(log(1.25 / delta)) / epsilon without the 2 under the root
LINE: sigma = float(np.sqrt(np.log(1.25 / 1e-5)) / 1.0)
DECLARED: epsilon=1.0, delta=1e-5

3.43 instead of 4.84; the smallest deviation that is (1, 1e-5)-DP is about 3.73.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 10


class Learner(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.n, self.estimate = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
        self.first = list(range(arms))

    def next_batch(self):
        if self.first:
            self.arm = self.first[0]
        else:
            w = np.exp(np.clip((self.estimate - np.max(self.estimate)) / self.heat, -4, 0))
            self.arm = int(self.generator.choice(self.arms, p=w / w.sum()))
        return np.full(1, self.arm), np.full(1, BATCH)

    def observe(self, total, count, arm=None):
        if self.first:
            self.first = self.first[1:]
        k = self.arm if arm is None else int(arm[0])
        begin, self.clock = self.clock, self.clock + int(count[0])
        self.n[k] += float(count[0])
        self.hear(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Classic(Learner):
    def hear(self, a, total, n, start):
        sigma = float(np.sqrt(np.log(1.25 / 1e-5)) / 1.0)
        noisy = self.noise.gaussian(
            total, sensitivity=1.0, budget=Budget.approximate(1.0, 1e-5), multiplier=sigma, records=(start, self.clock)
        )
        self.estimate[a] += n / self.n[a] * (noisy[0] / n - self.estimate[a])


def make(noise, generator):
    return Classic(3, noise, generator)
