"""BUG: the accountant refunds the budget of a release that is not used, and the same batch is released again
LINE: book.refund(1.0)
DECLARED: epsilon=1.0

An estimate above 1 or below 0 is "not used"; it was seen all the same.
"""

from dataclasses import dataclass

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


@dataclass
class Accountant:
    limit: float
    spent: float = 0.0

    def pay(self, epsilon):
        if self.spent + epsilon > self.limit:
            raise RuntimeError("over budget")
        self.spent += epsilon
        return Budget.pure(epsilon)

    def refund(self, epsilon):
        self.spent -= epsilon


class Accounted(Policy):
    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise, self.clock, self.means = noise, 0, [None] * arms

    def next_batch(self):
        unknown = [a for a, mean in enumerate(self.means) if mean is None]
        self.arm = unknown[0] if unknown else int(np.argmax(self.means))
        return np.array([self.arm]), np.array([5])

    def observe(self, total, count, arm=None):
        a, n, start = self.arm if arm is None else int(arm[0]), int(count[0]), self.clock
        self.clock += n
        book = Accountant(1.0)
        for _ in range(5):
            noisy = self.noise.laplace(total, sensitivity=1.0, budget=book.pay(1.0), records=(start, self.clock))
            mean = float(noisy[0]) / n
            if 0 <= mean <= 1:
                break
            book.refund(1.0)
        self.means[a] = mean if self.means[a] is None else (self.means[a] + mean) / 2


def make(noise, generator):
    return Accounted(3, noise)
