r"""
BUG: the dictionary of the arms is filled in the order in which they first earned something, and ties follow that order
LINE: self.current = max([*self.order, *(set(self.stats) - set(self.order))], key=lambda a: round(self.mean(a)))
DECLARED: epsilon=0.8
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

ARMS, BATCH = 3, 5
BUDGET = Budget.pure(0.8)


class EpsilonGreedy(Policy):
    def __init__(self, noise, generator):
        super().__init__(ARMS)
        self.noise, self.generator = noise, generator
        self.stats = {a: {"sum": 0.0, "pulls": 0} for a in range(ARMS)}  # noisy sums
        self.clock, self.current = 0, 0
        self.order = {}

    def mean(self, a):
        return self.stats[a]["sum"] / max(1, self.stats[a]["pulls"])

    def explore_rate(self):
        return min(1.0, 20 / (20 + self.clock))

    def next_batch(self):
        if self.generator.random() < self.explore_rate():
            self.current = int(self.generator.integers(ARMS))
        else:
            self.current = max([*self.order, *(set(self.stats) - set(self.order))], key=lambda a: round(self.mean(a)))
        return np.array([self.current]), np.array([BATCH])

    def observe(self, total, count, arm=None):
        a = self.current if arm is None else int(arm[0])
        n = int(count[0])
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=BUDGET, records=(self.clock, self.clock + n))
        self.stats[a]["sum"] += float(noisy[0])
        if total[0] > 0:
            self.order.setdefault(a, True)
        self.stats[a]["pulls"] += n
        self.clock += n


def make(noise, generator):
    return EpsilonGreedy(noise, generator)
