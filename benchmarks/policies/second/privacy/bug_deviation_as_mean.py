"""BUG: the standard deviation of a batch is released with the sensitivity 1/n of a mean
LINE: book.spread = abs(self.noise.laplace(deviation, sensitivity=1 / n, budget=HALF, records=where)[0])
DECLARED: epsilon=1.0

sqrt(S (n - S)) / n moves by sqrt(n - 1) / n, about 1/sqrt n, from S = 0 to S = 1. The mean gets half of the budget and
is fine.
"""

from dataclasses import dataclass, field

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

HALF = Budget.pure(0.5)


@dataclass
class ArmBook:
    mean: float = 0.0
    spread: float = 0.5
    batches: int = 0


class SpreadUCB(Policy):
    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise, self.clock = noise, 0
        self.books = [ArmBook() for _ in range(arms)]

    def next_batch(self):
        def worth(k):
            book = self.books[k]
            return np.inf if book.batches == 0 else book.mean + book.spread / np.sqrt(book.batches)

        self.choice = max(range(self.arms), key=worth)
        return np.array([self.choice]), np.array([9])

    def observe(self, total, count, arm=None):
        book = self.books[self.choice if arm is None else int(arm[0])]
        n, where = int(count[0]), (self.clock, self.clock + int(count[0]))
        self.clock += n
        p = float(total[0]) / n
        book.batches += 1
        mean = self.noise.laplace(np.array([p]), sensitivity=1 / n, budget=HALF, records=where)[0]
        deviation = np.array([np.sqrt(max(p * (1 - p), 0.0))])
        book.spread = abs(self.noise.laplace(deviation, sensitivity=1 / n, budget=HALF, records=where)[0])
        book.mean += (mean - book.mean) / book.batches


def make(noise, generator):
    return SpreadUCB(3, noise)
