r"""
BUG: one draw of noise per epoch is shared by all arms, so differences of sums are exact
LINE: noisy = total + self.shift
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
        if self.todo[0] == self.active[0]:
            first = self.noise.laplace(total, sensitivity=1.0, budget=BUDGET, records=(self.clock, self.clock + n))
            self.shift = first - total
        noisy = total + self.shift
        self.means[played] = noisy[0] / n
        self.clock += n
        self.todo.pop(0)
        if not self.todo:
            self.close()

    def close(self):
        best = max(self.means[a] for a in self.active)
        slack = 3.0 / 2 ** (self.epoch / 2)
        self.active = [a for a in self.active if self.means[a] >= best - slack]
        self.todo = list(self.active)
        self.epoch += 1


def make(noise, generator):
    return Elimination(4, noise)
