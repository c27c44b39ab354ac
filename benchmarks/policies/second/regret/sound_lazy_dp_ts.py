"""HARMLESS: Lazy-DP-TS, one run at a time in dictionaries
CLAIMS: the regret of lazy-dp-ts
"""

import math

import numpy as np

from banditproof.algorithms import Policy, Replicated
from banditproof.theory import Budget


class OneRun(Policy):
    def __init__(self, arms, epsilon, noise, generator):
        super().__init__(arms)
        self.epsilon, self.noise, self.generator, self.clock = epsilon, noise, generator, 0
        self.known = {}
        self.waiting = {a: {"sum": 0.0, "n": 0, "goal": 1, "since": 0} for a in range(arms)}

    def next_batch(self):
        unknown = [a for a in range(self.arms) if a not in self.known]
        if unknown:
            self.arm = unknown[0]
        else:
            draws = []
            for a in range(self.arms):
                mean, n = self.known[a]
                m = min(max(mean + 3 * math.log(self.clock + 1) / (self.epsilon * n), 0.0), 1.0)
                draws.append(self.generator.beta(m * n + 1, (1 - m) * n + 1))
            self.arm = int(np.argmax(draws))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        box = self.waiting[a]
        box["since"] = box["since"] if box["n"] else self.clock
        box["sum"] += float(total[0])
        box["n"] += 1
        self.clock += 1
        if box["n"] == box["goal"]:
            told = self.noise.laplace(
                np.array([box["sum"]]),
                sensitivity=1.0,
                budget=Budget.pure(self.epsilon),
                records=(box["since"], self.clock, np.array([a])),
            )
            self.known[a] = float(told[0]) / box["n"], box["n"]
            self.waiting[a] = {"sum": 0.0, "n": 0, "goal": 2 * box["goal"], "since": 0}


NAME, BUDGETS = "lazy-dp-ts", [Budget.pure(1.0)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    epsilon = float(np.max(budget.epsilon))
    return Replicated([OneRun(arms, epsilon, noise, generator) for _ in range(replications)])
