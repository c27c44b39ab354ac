"""BUG: the tree is budgeted for 8 rewards per arm, but goes on growing levels beyond them
LINE: self.share = Budget.pure(1.0 / self.EXPECTED.bit_length())
DECLARED: epsilon=1.0

After the 16th reward of an arm its first rewards are in more nodes than the four that were paid for.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class GrowingTree(Policy):
    EXPECTED = 8

    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise, self.clock = noise, 0
        self.share = Budget.pure(1.0 / self.EXPECTED.bit_length())
        self.n = np.zeros(arms, dtype=int)
        self.exact, self.noisy, self.since = [{} for _ in range(arms)], [{} for _ in range(arms)], [{} for _ in range(arms)]

    def estimate(self, a):
        n = int(self.n[a])
        return sum(v for level, v in self.noisy[a].items() if n >> level & 1) / n

    def next_batch(self):
        if not self.n.all():
            self.arm = int(self.n.argmin())
        else:
            self.arm = int(np.argmax([self.estimate(a) + 1.5 / np.sqrt(self.n[a]) for a in range(self.arms)]))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        self.n[a] += 1
        level, value, first = 0, float(total[0]), self.clock
        while not self.n[a] >> level & 1:
            value += self.exact[a].pop(level)
            first = min(first, self.since[a].pop(level))
            level += 1
        self.clock += 1
        self.exact[a][level], self.since[a][level] = value, first
        where = (first, self.clock, np.array([a]))
        self.noisy[a][level] = self.noise.laplace(np.array([value]), sensitivity=1, budget=self.share, records=where)[0]


def make(noise, generator):
    return GrowingTree(3, noise)
