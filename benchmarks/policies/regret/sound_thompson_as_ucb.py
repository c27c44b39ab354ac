"""HARMLESS: Thompson sampling, whose regret on Bernoulli arms is far below the bound of UCB.
CLAIMS: UCB with known horizon, TH-T2.23 (gap-dependent and gap-free), check_theorem name 'ucb' (the bound only)
"""

import numpy as np

from banditproof.algorithms import Policy

NAME = "ucb"
BUDGETS = [None]


class Bayes(Policy):
    per_replication = ("good", "bad", "arm")

    def __init__(self, arms, generator, replications):
        super().__init__(arms, replications)
        self.generator = generator
        self.good, self.bad = np.ones((2, replications, arms))

    def next_batch(self):
        self.arm = self.generator.beta(self.good, self.bad).argmax(axis=1)
        return self.arm, np.ones(self.replications, dtype=np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.arm if arm is None else arm
        self.good[at] += total
        self.bad[at] += count - total


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Bayes(arms, generator, replications)
