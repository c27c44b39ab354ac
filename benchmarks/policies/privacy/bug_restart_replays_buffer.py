r"""
BUG: after a restart the last block is released once more as the first one of the new run
LINE: block = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(self.epsilon), records=where)[0]
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BLOCK = 10


class Restarting(Policy):
    """UCB on noisy blocks that starts again if an arm's last block disagrees with its past."""

    def __init__(self, arms, budget, noise):
        super().__init__(arms)
        self.budget, self.noise, self.clock, self.restarts = budget, noise, 0, 0
        self.epsilon = float(budget.epsilon)
        self.forget()

    def forget(self):
        self.sum, self.blocks = np.zeros(self.arms), np.zeros(self.arms, dtype=int)

    def next_batch(self):
        n = np.maximum(self.blocks, 1) * BLOCK
        self.target = int(np.argmax(np.where(self.blocks > 0, self.sum / n + np.sqrt(np.log(self.clock + 1) / n), 9)))
        return np.array([self.target]), np.array([BLOCK])

    def observe(self, total, count, arm=None):
        a = self.target if arm is None else int(arm[0])
        n = int(count[0])
        block = self.noise.laplace(
            total, sensitivity=1.0, budget=Budget.pure(self.epsilon), records=(self.clock, self.clock + n)
        )[0]
        self.clock += n
        if self.changed(a, block / n):
            self.restarts += 1
            self.forget()
            where = (self.clock - n, self.clock)
            block = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(self.epsilon), records=where)[0]
        self.sum[a] += block
        self.blocks[a] += 1

    def changed(self, a, mean):
        return self.blocks[a] >= 2 and abs(mean - self.sum[a] / (self.blocks[a] * BLOCK)) > 0.3


BUDGET = Budget.pure(1.0)


def make(noise, generator):
    return Restarting(3, BUDGET, noise)
