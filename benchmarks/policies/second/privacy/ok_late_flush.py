"""HARMLESS: rewards wait in buffers of different lengths and are released when their buffer is full, once each
DECLARED: epsilon=1.0
"""

from dataclasses import dataclass, field

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


@dataclass
class Buffer:
    size: int
    pairs: list = field(default_factory=list)

    def add(self, time, reward):
        self.pairs.append((time, reward))
        if len(self.pairs) < self.size:
            return None
        full, self.pairs = self.pairs, []
        return full


class Buffers(Policy):
    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.buffers = [Buffer(4 + 2 * a) for a in range(arms)]
        self.means = np.full(arms, 0.5)

    def next_batch(self):
        w = np.exp(3 * self.means)
        self.arm = int(self.generator.choice(self.arms, p=w / w.sum()))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        a = self.arm if arm is None else int(arm[0])
        full = self.buffers[a].add(self.clock, float(total[0]))
        self.clock += 1
        if full:
            value = np.array([sum(reward for _, reward in full)])
            where = (full[0][0], full[-1][0] + 1, np.array([a]))
            told = self.noise.laplace(value, sensitivity=1.0, budget=Budget.pure(1.0), records=where)
            self.means[a] = 0.5 * self.means[a] + 0.5 * np.clip(told[0] / len(full), 0, 1)


def make(noise, generator):
    return Buffers(3, noise, generator)
