"""Every reward is flipped before anything else sees it."""

import math
import random


def flip(reward, epsilon):
    bit = int(random.random() < reward)  # a reward that is no bit would show itself
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return bit if random.random() < keep else 1 - bit


class LocalUCB:
    def __init__(self, arms, epsilon):
        self.epsilon = epsilon
        self.n = [0] * arms
        self.s = [0.0] * arms

    def select_action(self):
        for a, n in enumerate(self.n):
            if n == 0:
                return a
        t = sum(self.n)
        return max(range(len(self.n)), key=lambda a: self.s[a] / self.n[a] + math.sqrt(math.log(t) / self.n[a]))

    def update(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += flip(reward, self.epsilon)
