"""HARMLESS: trees over eight rewards with four levels at epsilon / 4; a tree ends with its root and the next one starts empty
DECLARED: epsilon=1.0
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Loop(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.times, self.guess = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.times, 1))
        self.arm = int(np.argmax(np.where(self.times == 0, np.inf, self.guess + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.times[k] += int(count[0])
        self.t += int(count[0])
        self.hear(k, float(total[0]), self.t - int(count[0]))


class Octets(Loop):
    """Nodes close when their last reward arrives, and are released once."""

    SHARE = Budget.pure(0.25)

    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.open = [[] for _ in range(arms)]  # (first time, sum, size) of closed nodes, the largest first
        self.noisy = [[] for _ in range(arms)]
        self.past = np.zeros(arms)

    def next_batch(self):
        arm, count = super().next_batch()
        if self.times.min() < 8:
            self.arm = int(np.argmin(self.times))
            arm = np.array([self.arm])
        return arm, count

    def release(self, k, node, t):
        where = (node[0], t + 1, np.array([k]))
        return self.noise.laplace(np.array([node[1]]), sensitivity=1, budget=self.SHARE, records=where)[0]

    def hear(self, k, reward, t):
        node = (t, reward, 1)
        answer = self.release(k, node, t)
        while self.open[k] and self.open[k][-1][2] == node[2]:
            first, value, size = self.open[k].pop()
            self.noisy[k].pop()
            node = (first, value + node[1], 2 * size)
            answer = self.release(k, node, t)
        self.open[k].append(node)
        self.noisy[k].append(answer)
        self.guess[k] = (self.past[k] + sum(self.noisy[k])) / self.times[k]
        if node[2] == 8:
            self.past[k] += answer
            self.open[k], self.noisy[k] = [], []


def make(noise, generator):
    return Octets(3, noise, generator)
