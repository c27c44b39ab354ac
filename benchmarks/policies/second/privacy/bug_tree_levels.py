"""BUG: a tree over T = 16 rewards has five levels, but epsilon is divided by log2(T) = 4
LINE: share = Budget.pure(1.0 / np.log2(self.T))
DECLARED: epsilon=1.0

Rewards up to the 16th of an arm are in the root too: five nodes at 1/4 each.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.pulls, self.value = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.pulls, 1))
        self.arm = int(np.argmax(np.where(self.pulls == 0, np.inf, self.value + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.pulls[k] += int(count[0])
        self.t += int(count[0])
        self.hear(k, float(total[0]), self.t - int(count[0]))


class Tree(Agent):
    """A binary tree of noisy sums for each arm; an arm's tree starts anew after `T` rewards."""

    T = 16

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.trees = [self.empty() for _ in range(arms)]
        self.done = np.zeros(arms)

    def empty(self):
        return {"rewards": [], "times": [], "nodes": {}}

    def hear(self, k, reward, t):
        tree = self.trees[k]
        tree["rewards"].append(reward)
        tree["times"].append(t)
        i = len(tree["rewards"])
        share = Budget.pure(1.0 / np.log2(self.T))
        size = 1
        while i % size == 0 and size <= self.T:
            value = np.array([sum(tree["rewards"][i - size : i])])
            where = (tree["times"][i - size], t + 1, np.array([k]))
            tree["nodes"][size, i] = self.noise.laplace(value, sensitivity=1, budget=share, records=where)[0]
            size *= 2
        total, at, size = 0.0, 0, self.T
        while size:
            if i & size:
                at += size
                total += tree["nodes"][size, at]
            size //= 2
        self.value[k] = (self.done[k] + total) / self.pulls[k]
        if i == self.T:
            self.done[k] += total
            self.trees[k] = self.empty()


def make(noise, generator):
    return Tree(3, noise, generator)
