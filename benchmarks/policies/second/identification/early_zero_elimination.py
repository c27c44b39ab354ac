"""BUG: an arm without success in its first three pulls is never pulled or named again
LINE: seen = [a for a in self.alive if self.sums[a] > 0]
CLAIMS: error probability at most DELTA
"""

import numpy as np

from banditproof.algorithms import Policy, Replicated

WHERE, DELTA = 3, 0.05


class Race(Policy):
    """Racing: all remaining arms are pulled in turn; an arm whose upper end is below another's lower end leaves."""

    def __init__(self, arms, delta):
        super().__init__(arms)
        self.delta = delta
        self.alive = list(range(arms))
        self.sums, self.n, self.turn = [0.0] * arms, [0] * arms, 0

    @property
    def stopped(self):
        return np.array([len(self.alive) == 1])

    @property
    def recommendation(self):
        return np.array([self.alive[0]])

    def next_batch(self):
        return np.array([self.alive[self.turn % len(self.alive)]]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.alive[self.turn % len(self.alive)] if arm is None else int(arm[0])
        self.sums[a] += float(total[0])
        self.n[a] += int(count[0])
        self.turn += 1
        if self.turn % len(self.alive) == 0:
            self.turn = 0
            self.eliminate()

    def eliminate(self):
        n = self.n[self.alive[0]]
        if n == 3:
            seen = [a for a in self.alive if self.sums[a] > 0]
            self.alive = seen or self.alive
        r = np.sqrt(np.log(4 * self.arms * n**2 / self.delta) / (2 * n))
        top = max(self.sums[a] / n for a in self.alive)
        self.alive = [a for a in self.alive if self.sums[a] / n + r >= top - r]


def make_strategy(arms, generator, replications):
    return Replicated([Race(arms, DELTA) for _ in range(replications)])
