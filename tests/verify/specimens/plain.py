"""A policy in plain Python, whose parts other ones change."""

import numpy as np

from banditproof.verify.testing.adapters import select_update


class Plain:
    """UCB with the logarithm of time."""

    def __init__(self, arms, coins):
        self.arms, self.coins, self.t = range(arms), coins, 0
        self.sums, self.counts = [0.0] * arms, [0] * arms

    def mean(self, arm):
        return self.sums[arm] / self.counts[arm]

    def width(self, arm):
        return (2 * np.log(self.t) / self.counts[arm]) ** 0.5

    def heard(self, arm, reward):
        return reward

    def select_arm(self):
        for arm in self.arms:
            if self.counts[arm] == 0:
                return arm
        return max(self.arms, key=lambda arm: self.mean(arm) + self.width(arm))

    def update(self, arm, reward):
        self.t, self.counts[arm] = self.t + 1, self.counts[arm] + 1
        self.sums[arm] += self.heard(arm, reward)


def players(kind):
    return lambda K, b, T, noise, g, R: select_update([kind(K, g) for _ in range(R)], K)
