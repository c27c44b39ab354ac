"""HARMLESS: LUCB with a radius of the arm's own count, as an object of another library.
CLAIMS: names a wrong arm with probability at most delta = 0.1 on every Bernoulli bandit with 3 arms
"""

from math import inf, log, sqrt

import numpy as np

from banditproof.verify.testing.adapters import select_update

DELTA = 0.1
WHERE = 3


class LUCB:  # of another library: one run, no arrays
    def __init__(self, arms):
        self.s, self.n = [0.0] * arms, [0] * arms
        self.done, self.best = False, 0

    def ends(self, a):
        if not self.n[a]:
            return -inf, inf
        # over arms and their own counts: sum of delta / (2 K n^2) times 2, at most 0.83 delta
        r = sqrt(log(4 * len(self.n) * self.n[a] ** 2 / DELTA) / (2 * self.n[a]))
        return self.s[a] / self.n[a] - r, self.s[a] / self.n[a] + r

    def pair(self):
        arms = range(len(self.n))
        best = max(arms, key=lambda a: self.s[a] / self.n[a] if self.n[a] else 1)
        return best, max((a for a in arms if a != best), key=lambda a: self.ends(a)[1])

    def select_arm(self):
        return min(self.pair(), key=lambda a: self.n[a])

    def update(self, arm, reward):
        self.s[arm] += reward
        self.n[arm] += 1
        best, rival = self.pair()
        self.best, self.done = best, self.ends(best)[0] > self.ends(rival)[1]


def make_strategy(arms, generator, replications):
    players = [LUCB(arms) for _ in range(replications)]
    return select_update(players, arms, stopped=lambda p: p.done, recommend=lambda p: p.best)
