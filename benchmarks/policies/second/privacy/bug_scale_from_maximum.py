"""BUG: the sensitivity of a batch sum is the largest reward that was seen in it
LINE: span = max(self.block)
DECLARED: epsilon=1.0

If all rewards are 0 but one may become 1, there is no noise at all; the scale itself tells the largest reward.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Explorer(Policy):
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
        self.learn(k, float(total[0]), self.t - int(count[0]))


class Tight(Explorer):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.block, self.of = [], None
        self.total, self.used = np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        if self.of is None:
            super().next_batch()
            self.of = self.arm
        self.arm = self.of
        return np.array([self.arm]), np.array([1])

    def learn(self, k, reward, t):
        self.block.append(reward)
        if len(self.block) == 6:
            span = max(self.block)
            self.total[k] += self.noise.laplace(
                np.array([sum(self.block)]), sensitivity=span, budget=Budget.pure(1.0), records=(t - 5, t + 1)
            )[0]
            self.used[k] += 6
            self.guess[k] = self.total[k] / self.used[k]
            self.block, self.of = [], None


def make(noise, generator):
    return Tight(3, noise, generator)
