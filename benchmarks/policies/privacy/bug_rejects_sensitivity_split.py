r"""
BUG: the sensitivity is divided among the arms, though one reward moves one of the sums by 1
LINE: self.total[a : a + 1], sensitivity=1.0 / len(self.left), budget=share, records=column(0, self.clock, a)
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

EPS = 1.0
BUDGET = Budget.pure(EPS)
PULLS = (4, 6, 10)  # of every arm, per phase


def column(*numbers):
    return tuple(np.array([number]) for number in numbers)


class SuccessiveRejects(Policy):
    """Phases of growing length; after each the worst arm goes, and the last one is played for good."""

    def __init__(self, noise):
        super().__init__(len(PULLS) + 1)
        self.noise = noise
        self.left = list(range(self.arms))
        self.total = np.zeros(self.arms)
        self.seen = np.zeros(self.arms, dtype=int)
        self.clock = 0
        self.phase = 0
        self.position = 0

    @property
    def decided(self):
        return len(self.left) == 1

    def next_batch(self):
        if self.decided:
            return np.array([self.left[0]]), np.array([50])
        return np.array([self.left[self.position]]), np.array([PULLS[self.phase]])

    def observe(self, total, count, arm=None):
        played = self.left[self.position] if arm is None else int(arm[0])
        self.clock += int(count[0])
        if self.decided:
            return
        self.total[played] += total[0]
        self.seen[played] += count[0]
        self.position += 1
        if self.position == len(self.left):
            self.reject()

    def reject(self):
        means = {}
        for a in self.left:
            share = Budget.pure(EPS / len(PULLS))
            noisy = self.noise.laplace(
                self.total[a : a + 1], sensitivity=1.0 / len(self.left), budget=share, records=column(0, self.clock, a)
            )
            means[a] = noisy[0] / max(1, self.seen[a])
        worst = min(self.left, key=lambda a: means[a])
        self.left.remove(worst)
        self.phase, self.position = self.phase + 1, 0


def make(noise, generator):
    return SuccessiveRejects(noise)
