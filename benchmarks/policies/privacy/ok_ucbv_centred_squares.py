r"""
HARMLESS: n times the variance of rewards in [0, 1] moves by at most (n - 1)/n if one is replaced
DECLARED: epsilon=1.0
"""
from types import SimpleNamespace

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)
HALF = Budget.pure(0.5)


class UCBV(Policy):
    """Mean and second moment of doubling episodes, at half the budget each."""

    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise = noise
        self.arm_state = [SimpleNamespace(mean=0.5, var=0.25, n=0, rewards=[], since=0) for _ in range(arms)]
        self.clock = 0
        self.recommended = 0

    def next_batch(self):
        log = np.log(self.clock + 2)
        index = [
            s.mean + np.sqrt(2 * s.var * log / s.n) + 3 * log / s.n if s.n else np.inf for s in self.arm_state
        ]
        self.recommended = int(np.argmax(index))
        return np.array([self.recommended]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.recommended if arm is None else int(arm[0])
        s = self.arm_state[a]
        if not s.rewards:
            s.since = self.clock
        s.rewards.append(float(total[0]))
        self.clock += int(count[0])
        if len(s.rewards) >= max(2, 2 * s.n):
            self.refresh(a, s)

    def refresh(self, a, s):
        x = np.array(s.rewards)
        where = tuple(np.array([v]) for v in (s.since, self.clock, a))
        first = self.noise.laplace(np.array([x.sum()]), sensitivity=1.0, budget=HALF, records=where)[0]
        second = self.noise.laplace(np.array([len(x) * x.var()]), sensitivity=1.0, budget=HALF, records=where)[0]
        s.n, s.mean = len(x), first / len(x)
        s.var = min(max(second / len(x), 0.01), 0.25)
        s.rewards = []


def make(noise, generator):
    return UCBV(3, noise)
