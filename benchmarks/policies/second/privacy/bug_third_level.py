"""BUG: sums of one, two and four batches are released at epsilon / 2 each: three levels, but two shares
LINE: half = Budget.pure(1.0 / 2)
DECLARED: epsilon=1.0

The third level comes only after four batches of an arm.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


BATCH = 4


class Base(Policy):
    """Boltzmann exploration over estimated means."""

    heat = 0.25

    def __init__(self, arms, noise, generator):
        Policy.__init__(self, arms)
        self.noise, self.generator, self.clock = noise, generator, 0
        self.times, self.value = np.zeros(arms, dtype=float), np.zeros(arms, dtype=float)
        self.first = list(range(arms))

    def next_batch(self):
        if self.first:
            self.arm = self.first[0]
        else:
            w = np.exp(np.clip((self.value - np.max(self.value)) / self.heat, -4, 0))
            self.arm = int(self.generator.choice(self.arms, p=w / w.sum()))
        return np.full(1, self.arm), np.full(1, BATCH)

    def observe(self, total, count, arm=None):
        if self.first:
            self.first = self.first[1:]
        k = self.arm if arm is None else int(arm[0])
        begin, self.clock = self.clock, self.clock + int(count[0])
        self.times[k] += float(count[0])
        self.absorb(k, np.asarray(total, dtype=float), int(count[0]), begin)


class Levels(Base):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.batches = [[] for _ in range(arms)]

    def absorb(self, a, total, n, start):
        book = self.batches[a]
        book.append((start, total[0], n))
        votes = []
        for size in (1, 2, 4):
            if len(book) % size == 0:
                part = book[-size:]
                value, pulls = np.array([sum(p[1] for p in part)]), sum(p[2] for p in part)
                where = (part[0][0], self.clock, np.array([a]))
                half = Budget.pure(1.0 / 2)
                votes.append(self.noise.laplace(value, sensitivity=1, budget=half, records=where)[0] / pulls)
        self.value[a] = 0.5 * self.value[a] + 0.5 * votes[-1]


def make(noise, generator):
    return Levels(3, noise, generator)
