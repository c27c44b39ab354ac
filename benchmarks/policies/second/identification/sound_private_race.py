"""HARMLESS: private elimination whose slack allows for sampling and Laplace noise at a risk that is divided over epochs and arms
CLAIMS: error probability at most DELTA
"""

from banditproof.algorithms import NoiseSource, Policy
from banditproof.theory import Budget

import numpy as np

WHERE, DELTA, EPSILON = 3, 0.05, 0.5


class PrivateRace(Policy):
    per_replication = ("alive", "means", "epoch", "turn", "clock")

    def __init__(self, arms, noise, replications):
        super().__init__(arms, replications)
        self.noise = noise
        self.alive, self.means = np.ones((replications, arms), dtype=bool), np.zeros((replications, arms))
        self.epoch, self.turn, self.clock = (np.zeros(replications, dtype=np.int64) for _ in range(3))

    @property
    def stopped(self):
        return self.alive.sum(axis=1) == 1

    @property
    def recommendation(self):
        return self.alive.argmax(axis=1)

    def next_batch(self):
        return self.turn, 64 << self.epoch

    def observe(self, total, count, arm=None):
        rows, played = np.arange(self.replications), self.turn if arm is None else arm
        span = self.clock, self.clock + count
        told = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(EPSILON), records=span)
        self.means[rows, played] = told / count
        self.clock = self.clock + count
        later = self.alive & (np.arange(self.arms) > self.turn[:, np.newaxis])
        over = ~later.any(axis=1)
        level = np.log(8 * self.arms * (self.epoch + 1.0) ** 2 / DELTA)
        n = (64 << self.epoch).astype(float)
        slack = 2 * np.sqrt(level / (2 * n)) + 2 * level / (EPSILON * n)
        best = np.where(self.alive, self.means, -np.inf).max(axis=1)
        self.alive &= ~((best[:, np.newaxis] - self.means > slack[:, np.newaxis]) & over[:, np.newaxis])
        self.epoch = self.epoch + over
        self.turn = np.where(over, self.alive.argmax(axis=1), later.argmax(axis=1))


def make_strategy(arms, generator, replications):
    return PrivateRace(arms, NoiseSource(generator), replications)
