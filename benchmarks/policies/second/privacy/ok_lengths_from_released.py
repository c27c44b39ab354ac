"""HARMLESS: the length of an arm's next batch depends on its released mean
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


def adaptive_lengths(arms, noise):
    noisy, pulls, lengths, clock = np.zeros(arms), np.zeros(arms), [4] * arms, 0
    while True:
        wish = int(np.argmin(pulls)) if not pulls.all() else int(np.argmax(noisy / pulls + 1 / np.sqrt(pulls)))
        arm, total, n = yield wish, lengths[wish]
        where = (clock, clock + n)
        released = noise.laplace(np.array([total]), sensitivity=1, budget=Budget.pure(1.0), records=where)[0]
        clock += n
        noisy[arm] += released
        pulls[arm] += n
        lengths[arm] = 8 if released / n > 0.5 else 4


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
    return Script(3, adaptive_lengths(3, noise))
