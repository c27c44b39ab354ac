r"""
BUG: the budget doubles after 10 pulls of an arm
LINE: answer = self.noise.randomised_response(coin, categories=2, budget=budget, records=(self.clock, self.clock + 1))
DECLARED: epsilon=1.0
"""
import math

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)
TRUTH = math.e / (1 + math.e)


class LocalUCB(Policy):
    """Every reward becomes a coin with its mean, and the coin goes through randomised response."""

    def __init__(self, noise, generator):
        super().__init__(3)
        self.noise, self.generator = noise, generator
        self.heads, self.pulls, self.clock, self.at = [0] * 3, [0] * 3, 0, 0

    def score(self, a):
        if not self.pulls[a]:
            return math.inf
        mean = (self.heads[a] / self.pulls[a] - (1 - TRUTH)) / (2 * TRUTH - 1)
        return mean + 2 * math.sqrt(math.log(1 + self.clock) / self.pulls[a])

    def next_batch(self):
        self.at = max(range(3), key=self.score)
        return np.array([self.at]), np.array([1])

    def observe(self, total, count, arm=None):
        played = self.at if arm is None else int(arm[0])
        reward = float(total[0])
        bit = self.respond(reward)
        self.heads[played] += bit
        self.pulls[played] += 1
        self.clock += int(count[0])

    def respond(self, reward):
        coin = np.array([int(self.generator.random() < reward)])
        budget = Budget.pure(2.0) if self.pulls[self.at] > 10 else BUDGET
        answer = self.noise.randomised_response(coin, categories=2, budget=budget, records=(self.clock, self.clock + 1))
        return int(answer[0])


def make(noise, generator):
    return LocalUCB(noise, generator)
