"""HARMLESS: AdaP-UCB as printed, with lists and dataclasses, one replication.
CLAIMS: AdaP-UCB, beta = 3.1, epsilon = 1, ALG-T5.3, check_theorem name 'adap-ucb'
"""

from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

NAME = "adap-ucb"
BUDGETS = [Budget.pure(1.0)]


@dataclass
class Arm:
    mean: float = inf
    last: int = 0
    pulled: int = 0

    def promise(self, loud, eps):
        return inf if not self.last else self.mean + sqrt(loud / (2 * self.last)) + loud / (eps * self.last)


class Lists(Policy):
    def __init__(self, arms, budget, noise, beta=3.1):
        super().__init__(arms, 1)
        self.budget, self.noise, self.beta, self.t = budget, noise, beta, 0
        self.table = [Arm() for _ in range(arms)]

    def next_batch(self):
        loud, eps = self.beta * log(self.t + 1), float(np.max(self.budget.epsilon))
        promises = [arm.promise(loud, eps) for arm in self.table]
        self.choice = promises.index(max(promises))
        return np.array([self.choice]), np.array([max(1, self.table[self.choice].pulled)])

    def observe(self, total, count, arm=None):
        n = int(count[0])
        out = self.noise.laplace(total, sensitivity=1.0, budget=self.budget, records=(self.t, self.t + n))
        chosen = self.table[self.choice if arm is None else int(arm[0])]
        chosen.mean, chosen.last = float(out[0]) / n, n
        chosen.pulled += n
        self.t += n


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Lists(arms, budget, noise)
