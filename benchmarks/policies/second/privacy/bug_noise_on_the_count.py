"""BUG: the noise goes to the number of pulls, and the sum stays exact
LINE: self.rounds[a] += self.noise.laplace(plays, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))[0]
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 8


class Agent(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.pulls, self.mean = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
        self.first = list(range(arms))

    def next_batch(self):
        if self.first:
            self.arm = self.first[0]
        else:
            w = np.exp(np.clip((self.mean - np.max(self.mean)) / self.heat, -4, 0))
            self.arm = int(self.generator.choice(self.arms, p=w / w.sum()))
        return np.full(1, self.arm), np.full(1, BATCH)

    def observe(self, total, count, arm=None):
        if self.first:
            self.first = self.first[1:]
        k = self.arm if arm is None else int(arm[0])
        begin, self.clock = self.clock, self.clock + int(count[0])
        self.pulls[k] += float(count[0])
        self.learn(k, np.asarray(total, dtype=float), int(count[0]), begin)


class NoisyCounts(Agent):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.wins, self.rounds = np.zeros(arms), np.zeros(arms)

    def learn(self, a, total, n, start):
        self.wins[a] += total[0]
        plays = np.array([float(n)])
        self.rounds[a] += self.noise.laplace(plays, sensitivity=1.0, budget=Budget.pure(1.0), records=(start, self.clock))[0]
        self.mean[a] = self.wins[a] / max(self.rounds[a], 1.0)


def make(noise, generator):
    return NoisyCounts(3, noise, generator)
