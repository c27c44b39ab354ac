"""BUG: arms that survive an elimination keep their sums, which are released again at the full epsilon
LINE: np.array([book["sum"]]), sensitivity=1, budget=Budget.pure(1.0), records=(book["first"] or 0, self.clock, np.array([a]))
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Tournament(Policy):
    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise = noise
        self.state = {a: dict(sum=0.0, n=0, first=None) for a in range(arms)}
        self.alive, self.i, self.clock = sorted(self.state), 0, 0

    def next_batch(self):
        return np.array([self.alive[self.i]]), np.array([6])

    def observe(self, total, count, arm=None):
        played = self.state[self.alive[self.i] if arm is None else int(arm[0])]
        if played["first"] is None:
            played["first"] = self.clock
        played["sum"] += float(total[0])
        played["n"] += int(count[0])
        self.clock += int(count[0])
        self.i += 1
        if self.i == len(self.alive):
            self.judge()
            self.i = 0

    def judge(self):
        means = {}
        for a in self.alive:
            book = self.state[a]
            noisy = self.noise.laplace(
                np.array([book["sum"]]), sensitivity=1, budget=Budget.pure(1.0), records=(book["first"] or 0, self.clock, np.array([a]))
            )
            means[a] = float(noisy[0]) / max(book["n"], 1)
        top = max(means.values())
        n = max(self.state[a]["n"] for a in self.alive)
        self.alive = [a for a in self.alive if top - means[a] <= 2 / np.sqrt(n) + 4 / n]


def make(noise, generator):
    return Tournament(4, noise)
