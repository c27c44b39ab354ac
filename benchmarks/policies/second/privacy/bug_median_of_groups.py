"""BUG: the median of five group sums is released as if it were their average
LINE: answer = self.noise.laplace(middle, sensitivity=1 / 5, budget=Budget.pure(1.0), records=where)
DECLARED: epsilon=1.0

One reward can move one group sum, and with it the median, by 1; only the average moves by 1/5.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Learner(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.counts, self.guess = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.counts, 1))
        self.arm = int(np.argmax(np.where(self.counts == 0, np.inf, self.guess + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.counts[k] += int(count[0])
        self.t += int(count[0])
        self.absorb(k, float(total[0]), self.t - int(count[0]))


class MedianOfMeans(Learner):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.seen = {k: [] for k in range(arms)}
        self.first = {}

    def absorb(self, k, reward, t):
        box = self.seen[k]
        if not box:
            self.first[k] = t
        box.append(reward)
        if len(box) < 15:
            return
        groups = np.array(box).reshape(5, 3).sum(axis=1)
        box.clear()
        middle = np.array([np.median(groups)])
        where = (self.first[k], t + 1, np.array([k]))
        answer = self.noise.laplace(middle, sensitivity=1 / 5, budget=Budget.pure(1.0), records=where)
        self.guess[k] = answer[0] / 3


def make(noise, generator):
    return MedianOfMeans(3, noise, generator)
