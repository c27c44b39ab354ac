"""HARMLESS: an era starts with half of the released means of the era before, and no raw reward outlives its batch
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


def eras(arms, noise):
    prior, clock = np.full(arms, 0.5), 0
    while True:
        sums, pulls = 2 * prior, np.full(arms, 2.0)
        for step in range(8):
            wish = step % arms if step < arms else int(np.argmax(sums / pulls))
            arm, total, n = yield wish, 4
            said = noise.laplace(np.array([total]), sensitivity=1, budget=Budget.pure(1.0), records=(clock, clock + n))
            clock += n
            sums[arm] += said[0]
            pulls[arm] += n
        prior = np.clip(sums / pulls, 0, 1) / 2 + 0.25


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
    return Script(3, eras(3, noise))
