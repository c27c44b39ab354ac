"""HARMLESS: the library's TTUCB with another share and, for every second decision, a coin
CLAIMS: error probability at most DELTA
"""

from banditproof.algorithms.identification.sequential import TTUCB

import numpy as np

WHERE, DELTA = 3, 0.05


class Coins(TTUCB):
    def __init__(self, arms, generator, **options):
        super().__init__(arms, **options)
        self.coins = generator

    def next_batch(self):
        arm, count = super().next_batch()
        random = self.coins.integers(self.arms, size=self.replications)
        explore = (self.coins.random(self.replications) < 0.1) & self.pulls.all(axis=1) & ~self.stopped
        self.chosen = np.where(explore, random, arm)
        return self.chosen, count

    def observe(self, total, count, arm=None):
        super().observe(total, count, self.chosen if arm is None else arm)


def make_strategy(arms, generator, replications):
    return Coins(arms, generator, delta=DELTA, share="optimal", replications=replications)
