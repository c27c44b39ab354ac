"""BUG: when the buffers are full all arms are released, but only the fullest buffer and that of the new leader are emptied
LINE: self.waiting[self.leader] = []
DECLARED: epsilon=1.0

The rewards of the other arms are released again later at the full epsilon.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Buffered(Policy):
    """All arms are released when any of them has eight rewards waiting."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.waiting = {a: [] for a in range(arms)}
        self.means, self.clock, self.leader = dict.fromkeys(range(arms), 0.5), 0, 0

    def next_batch(self):
        self.arm = self.leader if self.generator.random() < 0.5 else int(self.generator.integers(self.arms))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        self.waiting[self.arm if arm is None else int(arm[0])].append((self.clock, float(total[0])))
        self.clock += 1
        if max(map(len, self.waiting.values())) >= 8:
            self.flush()

    def flush(self):
        for a, pairs in self.waiting.items():
            if pairs:
                value = np.array([sum(r for _, r in pairs)])
                where = (pairs[0][0], pairs[-1][0] + 1, np.array([a]))
                noisy = self.noise.laplace(value, sensitivity=1, budget=Budget.pure(1.0), records=where)
                self.means[a] = 0.5 * self.means[a] + 0.5 * float(noisy[0]) / len(pairs)
        self.leader = max(self.means, key=self.means.get)
        full = max(self.waiting, key=lambda a: len(self.waiting[a]))
        self.waiting[full] = []
        self.waiting[self.leader] = []


def make(noise, generator):
    return Buffered(3, noise, generator)
