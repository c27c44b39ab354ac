"""BUG: the noise is uniform on [-3, 3], which has bounded support
LINE: noise = self.noise.draw("uniform", 6.0, (1,)) - 3.0
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy


class Explorer(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise = noise
        self.generator = generator
        self.clock = 0
        self.n = np.zeros(arms)
        self.estimate = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.n, 1.0))
        return np.where(self.n > 0, self.estimate + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([6], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.n[played] += n
        self.clock += n
        self.absorb(played, np.array(total, dtype=float), n, self.clock - n)


class Uniform(Explorer):
    def absorb(self, a, total, n, start):
        noise = self.noise.draw("uniform", 6.0, (1,)) - 3.0
        self.estimate[a] += n / self.n[a] * ((total + noise)[0] / n - self.estimate[a])


def make(noise, generator):
    return Uniform(3, noise, generator)
