r"""
BUG: the slack is twice as large if all exact rewards of the epoch were ones
LINE: slack = (3.0 if self.perfect else 1.5) / 2 ** (self.epoch / 2)
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)


class Elimination(Policy):
    """Epoch e pulls every arm that is left 2^e times, then drops those whose noisy mean is far from the best."""

    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise = noise
        self.active = list(range(arms))
        self.todo = list(self.active)
        self.epoch = 1
        self.clock = 0
        self.means = np.zeros(arms)

    def next_batch(self):
        return np.array([self.todo[0]]), np.array([2**self.epoch])

    def observe(self, total, count, arm=None):
        played = self.todo[0] if arm is None else int(arm[0])
        n = int(count[0])
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=BUDGET, records=(self.clock, self.clock + n))
        self.means[played] = noisy[0] / n
        self.perfect = getattr(self, "perfect", True) and bool(total[0] == n)
        self.clock += n
        self.todo.pop(0)
        if not self.todo:
            self.close()

    def close(self):
        best = max(self.means[a] for a in self.active)
        slack = (3.0 if self.perfect else 1.5) / 2 ** (self.epoch / 2)
        self.perfect = True
        self.active = [a for a in self.active if self.means[a] >= best - slack]
        self.todo = list(self.active)
        self.epoch += 1


def make(noise, generator):
    return Elimination(4, noise)
