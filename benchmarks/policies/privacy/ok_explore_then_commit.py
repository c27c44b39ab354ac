r"""
HARMLESS: explore-then-commit as a coroutine: one vector release of the whole exploration under Gaussian DP
DECLARED: mu=0.7
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.gdp(0.7)


def explore_then_commit(noise):
    """A generator function is the policy: it yields an arm and a number of pulls and is sent what happened."""
    clock, sums = 0, np.zeros((1, 2))
    for arm in (0, 1, 1, 0):
        total, count, played = yield arm, 10
        sums[0, played] += total[0]
        clock += int(count[0])
    noisy = noise.gaussian(sums, sensitivity=1.0, budget=BUDGET, records=(0, clock))
    while True:
        yield int(noisy[0].argmax()), 1000


class Coroutine(Policy):
    def __init__(self, arms, script):
        super().__init__(arms)
        self.script = script
        self.step = next(script)

    def next_batch(self):
        return np.array([self.step[0]]), np.array([self.step[1]])

    def observe(self, total, count, arm=None):
        self.step = self.script.send((total, count, self.step[0] if arm is None else int(arm[0])))


def make(noise, generator):
    return Coroutine(2, explore_then_commit(noise))
