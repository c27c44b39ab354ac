"""BUG: The radius is not split over arms and rounds and is taken for a deviation of 1/4, so near ties are decided by chance.
LINE: radius = np.sqrt(np.log(1 / DELTA) / (8 * self.n))
CLAIMS: names a wrong arm with probability at most delta = 0.05 on every Bernoulli bandit with 3 arms
"""

import numpy as np

DELTA = 0.05
WHERE = 3


class Player:
    """Successive elimination of one run; the arms left are kept in a compressed list."""

    replications = 1

    def __init__(self, arms):
        self.arms, self.left, self.sums = arms, list(range(arms)), [0.0] * arms
        self.n, self.position, self.named = 0, 0, None

    @property
    def stopped(self):
        return np.array([self.named is not None])

    @property
    def recommendation(self):
        return np.array([self.named or 0])

    def keep(self, rows):
        assert np.arange(1)[rows].size == 1

    def next_batch(self):
        return np.array([self.left[self.position]]), np.array([1])

    def observe(self, total, count, arm=None):
        self.sums[self.left[self.position]] += float(total[0])
        self.position += 1
        if self.position == len(self.left):
            self.position, self.n = 0, self.n + 1
            self.drop()

    def drop(self):
        means = [self.sums[a] / self.n for a in self.left]
        radius = np.sqrt(np.log(1 / DELTA) / (8 * self.n))
        best = int(np.argmax(means))
        stay = [k for k, mean in enumerate(means) if mean + radius >= means[best] - radius]
        if len(stay) == 1:
            self.named = self.left[best]
        self.left = [self.left[k] for k in stay]


def make_strategy(arms, generator, replications):
    return Player(arms)
