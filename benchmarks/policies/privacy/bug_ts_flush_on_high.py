r"""
BUG: a release is brought forward when the exact pending sum reaches 3
LINE: if played.collected >= 2**played.phase or played.pending >= 3:
DECLARED: epsilon=1.0
"""
from dataclasses import dataclass

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)


@dataclass
class Arm:
    mean: float = 0.5  # released
    weight: int = 0
    collected: int = 0
    pending: float = 0.0  # exact, until it is released
    since: int = 0
    phase: int = 0


class LazyThompson(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.state = [Arm() for _ in range(arms)]
        self.clock = 0
        self.choice = 0

    def draw(self, arm):
        return self.generator.normal(arm.mean, 1 / np.sqrt(arm.weight + 1))

    def next_batch(self):
        self.choice = int(np.argmax([self.draw(arm) for arm in self.state]))
        return np.array([self.choice]), np.array([1])

    def observe(self, total, count, arm=None):
        which = self.choice if arm is None else int(arm[0])
        played = self.state[which]
        if played.collected == 0:
            played.since = self.clock
        played.pending += float(total[0])
        played.collected += int(count[0])
        self.clock += int(count[0])
        if played.collected >= 2**played.phase or played.pending >= 3:
            self.release(which, played)

    def release(self, which, played):
        value = np.array([played.pending])
        records = tuple(np.array([x]) for x in (played.since, self.clock, which))
        noisy = self.noise.laplace(value, sensitivity=1.0, budget=BUDGET, records=records)
        played.mean, played.weight = float(noisy[0]) / played.collected, played.collected
        played.collected, played.pending = 0, 0.0
        played.phase += 1


def make(noise, generator):
    return LazyThompson(2, noise, generator)
