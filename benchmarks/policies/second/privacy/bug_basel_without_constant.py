"""BUG: shares epsilon / m^2 of a cumulative sum lack the factor 6 / pi^2: they add up to 1.64 epsilon
LINE: budget = Budget.pure(1.0 / releases[arm] ** 2)
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


def cumulative_ucb(arms, noise):
    sums, pulls, releases, means, clock = [0.0] * arms, [0] * arms, [0] * arms, [0.0] * arms, 0
    while True:
        scores = [float("inf") if not pulls[a] else means[a] + 2.0 / pulls[a] ** 0.5 for a in range(arms)]
        asked = max(range(arms), key=scores.__getitem__)
        arm, total, n = yield asked, 5
        clock += n
        sums[arm] += total
        pulls[arm] += n
        releases[arm] += 1
        budget = Budget.pure(1.0 / releases[arm] ** 2)
        where = (0, clock, np.array([arm]))
        means[arm] = float(noise.laplace(np.array([sums[arm]]), sensitivity=1, budget=budget, records=where)[0]) / pulls[arm]


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
    return Script(3, cumulative_ucb(3, noise))
