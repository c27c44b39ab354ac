"""HARMLESS: AdaC-UCB that starts from the last arm and gives ties to the last.
CLAIMS: AdaC-UCB, beta = 3.1, rho = 0.01, ALG-T5.6, check_theorem name 'adac-ucb'
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

NAME = "adac-ucb"
BUDGETS = [Budget.zcdp(0.01)]


class GaussianEpisodes(Policy):
    """Sums of doubling episodes with Gaussian noise of variance 1 / (2 * budget.rho)."""

    per_replication = ("means", "n", "clock", "arm")

    def __init__(self, arms, budget, noise, replications):
        super().__init__(arms, replications)
        self.beta, self.budget, self.noise = 3.1, budget, noise
        self.variance = float(np.max(1 / (2 * budget.rho)))
        self.means, self.n = np.zeros((replications, arms)), np.zeros((replications, arms))
        self.clock = np.zeros(replications, dtype=np.int64)

    def next_batch(self):
        n = np.maximum(self.n, 1)
        level = self.beta * np.log(self.clock + 1)[:, np.newaxis]
        width = np.sqrt((1 / (2 * n) + 2 * self.variance / n**2) * level)
        index = np.where(self.n == 0, np.inf, self.means + width)
        self.arm = self.arms - 1 - index[:, ::-1].argmax(axis=1)
        done = self.n[np.arange(self.replications), self.arm]
        return self.arm, np.maximum(self.lengths(done), 1)

    def lengths(self, done):
        return np.minimum(2 * done, 2.0**60).astype(np.int64)

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.arm if arm is None else arm
        records = self.clock, self.clock + count
        deviation = np.sqrt(self.variance)
        noisy = self.noise.gaussian(total, sensitivity=1.0, budget=self.budget, multiplier=deviation, records=records)
        self.means[at], self.n[at] = noisy / count, count
        self.clock = self.clock + count


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return GaussianEpisodes(arms, budget, noise, replications)
