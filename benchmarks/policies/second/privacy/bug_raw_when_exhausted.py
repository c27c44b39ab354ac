"""BUG: when the budget of the running sum is used up the policy goes on with the raw mean
LINE: self.guess[a] = self.running[a] / self.pulls[a]
DECLARED: epsilon=1.0

After eight releases of an arm, "as nothing is released any more".
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise = noise
        self.generator = generator
        self.clock = 0
        self.pulls = np.zeros(arms)
        self.guess = np.zeros(arms)

    def _index(self):
        bonus = np.sqrt(1.5 * np.log(self.clock + 1) / np.maximum(self.pulls, 1.0))
        return np.where(self.pulls > 0, self.guess + bonus, np.inf)

    def next_batch(self):
        index = self._index()
        tied = np.flatnonzero(index == index.max())
        self.arm = int(self.generator.choice(tied))
        return np.array([self.arm], dtype=np.int64), np.array([4], dtype=np.int64)

    def observe(self, total, count, arm=None):
        n = int(count[0])
        played = int(arm[0]) if arm is not None else self.arm
        self.pulls[played] += n
        self.clock += n
        self.learn(played, np.array(total, dtype=float), n, self.clock - n)


class Exhausted(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.running, self.releases = np.zeros(arms), np.zeros(arms, dtype=int)

    def learn(self, a, total, n, start):
        self.running[a] += total[0]
        if self.releases[a] < 8:
            self.releases[a] += 1
            where = (0, self.clock, np.array([a]))
            noisy = self.noise.laplace(self.running[a : a + 1], sensitivity=1, budget=Budget.pure(0.125), records=where)
            self.guess[a] = noisy[0] / self.pulls[a]
        else:
            self.guess[a] = self.running[a] / self.pulls[a]


def make(noise, generator):
    return Exhausted(3, noise, generator)
