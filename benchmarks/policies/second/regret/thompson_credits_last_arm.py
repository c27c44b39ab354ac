"""BUG: a reward is credited to the arm of the round before
LINE: credited = self.previous if arm is None else int(arm[0])
CLAIMS: the regret of thompson-sampling
"""

import numpy as np

from banditproof.algorithms import Policy, Replicated


class OneRun(Policy):
    def __init__(self, arms, generator):
        super().__init__(arms)
        self.generator = generator
        self.wins, self.losses = [1.0] * arms, [1.0] * arms
        self.arm = self.previous = 0

    def next_batch(self):
        self.previous = self.arm
        draws = [self.generator.beta(w, l) for w, l in zip(self.wins, self.losses)]
        self.arm = int(np.argmax(draws))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        credited = self.previous if arm is None else int(arm[0])
        self.wins[credited] += float(total[0])
        self.losses[credited] += float(count[0] - total[0])


NAME, BUDGETS = "thompson-sampling", [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Replicated([OneRun(arms, generator) for _ in range(replications)])
