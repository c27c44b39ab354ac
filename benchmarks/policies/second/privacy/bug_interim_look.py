"""BUG: a batch of twelve is abandoned after six pulls if it has at most one success
LINE: if total > 1:
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


def with_interim_looks(arms, noise, generator):
    value, clock = {a: 1.0 for a in range(arms)}, 0
    while True:
        wish = max(value, key=value.get) if generator.random() < 0.8 else int(generator.integers(arms))
        start = clock
        arm, total, n = yield wish, 6
        clock += n
        if total > 1:
            again, more, m = yield arm, 6
            clock += m
            total, n = (total + more, n + m) if again == arm else (total, n)
        where = (start, clock, np.array([arm]))
        noisy = noise.laplace(np.array([total]), sensitivity=1, budget=Budget.pure(1.0), records=where)
        value[arm] = 0.5 * value[arm] + 0.5 * float(noisy[0]) / n


class Script(Policy):
    """A policy told as a story: it yields (arm, pulls) and is sent (arm, sum, pulls)."""

    def __init__(self, arms, story):
        super().__init__(arms)
        self.story, self.wish = story, next(story)

    def next_batch(self):
        return np.array([self.wish[0]]), np.array([self.wish[1]])

    def observe(self, total, count, arm=None):
        played = self.wish[0] if arm is None else int(arm[0])
        self.wish = self.story.send((played, float(total[0]), int(count[0])))


def make(noise, generator):
    return Script(3, with_interim_looks(3, noise, generator))
