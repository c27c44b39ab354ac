"""HARMLESS: Thompson sampling with Beta draws as quotients of Gamma draws, one object for every run
CLAIMS: the regret of thompson-sampling
"""

import numpy as np

from banditproof.algorithms import Policy, Replicated


class OneRun(Policy):
    def __init__(self, arms, generator):
        super().__init__(arms)
        self.generator = generator
        self.table = np.ones((2, arms))

    def next_batch(self):
        wins, losses = self.generator.standard_gamma(self.table)
        self.arm = int(np.argmax(wins / (wins + losses)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        self.table[:, a] += float(total[0]), float(count[0] - total[0])


NAME, BUDGETS = "thompson-sampling", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Replicated([OneRun(arms, generator) for _ in range(replications)])
