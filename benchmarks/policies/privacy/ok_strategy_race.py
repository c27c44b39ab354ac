r"""
HARMLESS: a strategy that stops and recommends by releases; an exact total is kept and not read
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget
from banditproof.verify import announced

BUDGET = Budget.pure(1.0)


class Race(Policy):
    # Two arms in turn, ten pulls each; stops when the noisy totals are far apart.

    def __init__(self, noise):
        super().__init__(2)
        self.noise, self.clock, self.turn = noise, 0, 0
        self.totals, self.exact, self.done = np.zeros(2), np.zeros(2), False

    @property
    def stopped(self):
        return np.array([self.done])

    @property
    def recommendation(self):
        return np.array([int(self.totals[1] > self.totals[0])])

    def next_batch(self):
        return np.array([self.turn % 2]), np.array([10])

    def observe(self, total, count, arm=None):
        a = self.turn % 2 if arm is None else int(arm[0])
        where = (self.clock, self.clock + int(count[0]))
        self.totals[a] += self.noise.laplace(total, sensitivity=1.0, budget=BUDGET, records=where)[0]
        self.exact[a] += total[0]
        self.clock, self.turn = where[1], self.turn + 1
        self.done = self.turn % 2 == 0 and abs(self.totals[0] - self.totals[1]) > 3


make = announced(lambda noise, generator: Race(noise))
