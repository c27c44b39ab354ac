r"""
HARMLESS: the leader is cached until the next release; the cache knows only noisy sums
DECLARED: epsilon=1.0
"""
from functools import lru_cache

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

K, B = 4, 4
BUDGET = Budget.pure(1.0)


@lru_cache(maxsize=64)
def leader(sums):
    return max(range(K), key=sums.__getitem__)


class RoundRobinRounds(Policy):
    """Rounds in which every arm is pulled B times; one vector of K sums is released per round; then the leader plays."""

    def __init__(self, noise):
        super().__init__(K)
        self.noise = noise
        self.raw = np.zeros((1, K))
        self.noisy = np.zeros((1, K))
        self.slot, self.rounds, self.clock, self.start = 0, 0, 0, 0

    def next_batch(self):
        if self.slot < K:
            return np.array([self.slot]), np.array([B])
        return np.array([leader(tuple(self.noisy[0].tolist()))]), np.array([B * K * (1 + self.rounds)])

    def observe(self, total, count, arm=None):
        self.clock += int(count[0])
        if self.slot == K:
            self.slot, self.start = 0, self.clock
            self.raw = np.zeros((1, K))
            return
        self.raw[0, self.slot if arm is None else int(arm[0])] += total[0]
        self.slot += 1
        if self.slot == K:
            self.rounds += 1
            released = self.noise.laplace(self.raw, sensitivity=1.0, budget=BUDGET, records=(self.start, self.clock))
            self.noisy = self.noisy + released


def make(noise, generator):
    return RoundRobinRounds(noise)
