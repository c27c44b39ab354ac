"""BUG: The log of the index is of the arm's own last episode instead of the time, so the index of a waiting arm never grows and a best arm with unlucky noise is lost for good.
LINE: level = self.beta * np.log(n + 1)
CLAIMS: AdaP-UCB, beta = 3.1, epsilon = 1.0, ALG-T5.3 and ALG-TC.7, check_theorem name 'adap-ucb'
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

NAME = "adap-ucb"
BUDGETS = [Budget.pure(1.0)]


class Episodes(Policy):
    per_replication = ("means", "n", "episodes", "clock", "arm")
    beta = 3.1

    def __init__(self, arms, budget, noise, generator, replications):
        super().__init__(arms, replications)
        self.budget, self.noise, self.generator = budget, noise, generator
        self.eps = float(np.max(budget.epsilon))
        self.means = np.zeros((replications, arms))
        self.n, self.episodes = (np.zeros((replications, arms), dtype=np.int64) for _ in range(2))
        self.clock, self.arm = (np.zeros(replications, dtype=np.int64) for _ in range(2))

    def index(self):
        n = np.maximum(self.n, 1)
        level = self.beta * np.log(n + 1)
        width = np.sqrt(level / (2 * n)) + level / (self.eps * n)
        return np.where(self.n == 0, np.inf, self.means + width)

    def length(self, episode):
        return 2 ** np.minimum(np.maximum(episode - 1, 0), 60)

    def next_batch(self):
        self.arm = self.index().argmax(axis=1)
        return self.arm, self.length(self.episodes[np.arange(self.replications), self.arm])

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.arm if arm is None else arm
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=self.budget, records=(self.clock, self.clock + count))
        self.means[at] = noisy / count
        self.n[at] = count
        self.episodes[at] += 1
        self.clock = self.clock + count


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Episodes(arms, budget, noise, generator, replications)
