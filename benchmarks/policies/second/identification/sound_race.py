"""HARMLESS: racing in batches of ten with the same intervals, one run at a time, in lists
CLAIMS: error probability at most DELTA
"""

import numpy as np

from banditproof.algorithms import Policy, Replicated

WHERE, DELTA = 3, 0.1


class Race(Policy):
    def __init__(self, arms, delta):
        super().__init__(arms)
        self.delta = delta
        self.alive, self.turn = list(range(arms)), 0
        self.book = {a: [0.0, 0] for a in range(arms)}

    @property
    def stopped(self):
        return np.array([len(self.alive) == 1])

    @property
    def recommendation(self):
        return np.array([self.alive[0]])

    def next_batch(self):
        return np.array([self.alive[self.turn % len(self.alive)]]), np.array([10])

    def observe(self, total, count, arm=None):
        a = self.alive[self.turn % len(self.alive)] if arm is None else int(arm[0])
        self.book[a][0] += float(total[0])
        self.book[a][1] += int(count[0])
        self.turn += 1
        if self.turn >= len(self.alive):
            self.turn = 0
            ends = {}
            for b in self.alive:
                total, n = self.book[b]
                r = np.sqrt(np.log(4 * self.arms * n**2 / self.delta) / (2 * n)) if n else np.inf
                ends[b] = (total / max(n, 1) - r, total / max(n, 1) + r)
            floor = max(low for low, _ in ends.values())
            self.alive = [b for b in self.alive if ends[b][1] >= floor]


def make_strategy(arms, generator, replications):
    return Replicated([Race(arms, DELTA) for _ in range(replications)])
