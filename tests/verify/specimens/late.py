"""Bugs that sleep: nothing is wrong for the first hundreds or thousands of pulls."""

from __future__ import annotations

import numpy as np

from specimens.budgets import Tree
from specimens.common import Collecting, Episodes, Single, bug


@bug(
    "raw greedy in the stable phase",
    "raw rewards",
    "After 1,000 pulls estimates count as stable and the argmax of raw sums is played.",
    "return int(np.argmax(self.raw)), 1",
    pulls=1200,
)
class StablePhase(Collecting):
    def setup(self):
        super().setup()
        self.raw = np.zeros(self.K)

    def choose(self):
        if self.clock >= 1000:
            return int(np.argmax(self.raw)), 1
        return self.clock // 10 % self.K, 1

    def hear(self, total, count, arm):
        self.raw[arm] += total
        super().hear(total, count, arm)


@bug(
    "one late release with the sensitivity of a mean squared",
    "sensitivity",
    "The only release comes after 2,000 pulls: the mean of 1,000 rewards moves by 1/1000, declared is 1/1000^2.",
    "1 / self.pulled[a] ** 2",
    pulls=2500,
)
class OneLateRelease(Single):
    def setup(self):
        self.sums, self.pulled, self.best = np.zeros(2), np.zeros(2), None

    def choose(self):
        if self.clock < 2000:
            return self.clock // 20 % 2, 20
        if self.best is None:
            means = [
                self.laplace(self.sums[a] / self.pulled[a], 1 / self.pulled[a] ** 2, 1.0, 0, self.clock, a)
                for a in range(2)
                if self.pulled[a]
            ]
            self.best = int(np.argmax(means))
        return self.best, 20

    def hear(self, total, count, arm):
        if self.best is None:
            self.sums[arm] += total
            self.pulled[arm] += count


@bug(
    "sum in eight bits",
    "sensitivity",
    "The sum is stored in a uint8 and wraps: batches of 256 with 255 or 256 successes release 255 or 0. Shorter "
    "ones never wrap.",
    "int(total) % 256",
    pulls=3000,
)
class EightBits(Episodes):
    longest = 256

    def release(self, total, count, arm):
        stored = int(total) % 256
        return super().release(stored, count, arm)


@bug(
    "buffer of 64 draws wraps",
    "noise reused",
    "Noise is drawn in advance for 64 releases and read modulo 64: release 65 repeats the noise of the first.",
    "self.draws[self.releases % 64]",
    pulls=900,
)
class BufferWraps(Collecting):
    def setup(self):
        super().setup()
        self.draws = self.laplace(np.zeros(64), 1.0, 1.0, 0, 0)

    def release(self, arm, start, stop):
        return sum(self.bag[arm]) + self.draws[self.releases % 64]


@bug(
    "daily budget",
    "budget",
    "The accountant starts anew every 500 pulls, the sum does not: each period releases the whole past with epsilon.",
    "if end % 500 == 0:",
    pulls=1600,
)
class DailyBudget(Single):
    def setup(self):
        self.total, self.level = 0.0, 0.5

    def choose(self):
        return int(self.level < 0.5), 10

    def hear(self, total, count, arm):
        self.total += total
        end = self.clock + count
        if end % 500 == 0:
            self.level = self.laplace(self.total, 1.0, 1.0, 0, end) / end


@bug(
    "commits after 5,000 pulls to the raw best",
    "raw rewards",
    "Exploration is uniform and public until pull 5,000; the arm played ever after is the argmax of raw sums.",
    "self.winner = int(np.argmax(self.sums))",
    pulls=5200,
)
class CommitsToRawBest(Single):
    K = 3
    winner = None

    def setup(self):
        self.sums = np.zeros(3)
        self.reported = np.zeros(3)

    def choose(self):
        if self.clock < 5000:
            return self.clock // 50 % 3, 50
        if self.winner is None:
            self.winner = int(np.argmax(self.sums))
        return self.winner, 50

    def hear(self, total, count, arm):
        self.sums[arm] += total
        self.reported[arm] += self.laplace(total, 1.0, 1.0, self.clock, self.clock + count)


@bug(
    "arm three joins late and raw",
    "raw rewards",
    "Arm 3 is new after pull 200; until its tenth batch its index is the raw mean, the other arms' are released.",
    "self.mean[3] = total / count",
    pulls=400,
)
class JoinsLate(Episodes):
    K = 4
    longest = 8

    def index(self):
        index = super().index()
        if self.clock < 200:
            index[3] = -np.inf
        return index

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        if arm == 3 and self.batches[3] < 10:
            self.mean[3] = total / count


@bug(
    "evicted blocks are released again",
    "budget",
    "A cache holds the last 30 block releases; every block is read by the trend, so older ones are released again.",
    "if block not in self.cache:",
    pulls=500,
)
class EvictedBlocks(Single):
    def setup(self):
        self.blocks, self.cache, self.trend = [], {}, 0.0

    def choose(self):
        return int(self.trend > 0), 10

    def look(self, block):
        if block not in self.cache:
            total, start, stop = self.blocks[block]
            self.cache[block] = self.laplace(total, 1.0, 1.0, start, stop)
            if len(self.cache) > 30:
                del self.cache[next(iter(self.cache))]
        return self.cache[block]

    def hear(self, total, count, arm):
        self.blocks.append((total, self.clock, self.clock + count))
        self.trend = self.look(len(self.blocks) - 1) - self.look(0)


@bug(
    "resumes from a raw checkpoint",
    "raw rewards",
    "At pull 1,500 the state is written and read back, but the checkpoint holds raw means, which then order the arms.",
    "self.mean = state",
    pulls=1700,
)
class Checkpoint(Collecting):
    def setup(self):
        super().setup()
        self.sums, self.pulls = np.zeros(self.K), np.full(self.K, 1e-9)

    def choose(self):
        if self.clock < 1500:
            return self.clock // 10 % self.K, 1
        return super().choose()

    def hear(self, total, count, arm):
        self.sums[arm] += total
        self.pulls[arm] += count
        super().hear(total, count, arm)
        if self.clock + count == 1500:
            state = self.sums / self.pulls
            self.mean = state


@bug(
    "drift test on the last hundred raw rewards",
    "raw rewards",
    "At pull 400 the raw means of the last two hundreds are compared, and a difference above 0.1 restarts the policy.",
    "sum(self.tail[-100:]) - sum(self.tail[-200:-100])",
    pulls=500,
)
class DriftTest(Episodes):
    longest = 10

    def setup(self):
        super().setup()
        self.tail = []

    def length(self, arm):
        return 10

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        self.tail += [total / count] * count
        if self.clock + count == 400 and abs(sum(self.tail[-100:]) - sum(self.tail[-200:-100])) > 10:
            self.mean[:] = np.inf


@bug(
    "tree grows past its plan",
    "budget",
    "Shares are for 512 pulls, ten levels. Then the tree doubles, an eleventh level is released with the same "
    "share: 11/10.",
    "1.0 / 10",
    pulls=1100,
)
class TreeOutgrown(Tree):
    height = 10

    def share(self, h):
        return 1.0 / 10


@bug(
    "long batches are summed twice",
    "records",
    "Sums of 128 rewards and more are added to the arm's next batch again, whose records alone are declared: 2 "
    "epsilon.",
    "if count >= 128:",
    pulls=2500,
)
class LongBatchesKept(Episodes):
    longest = 512

    def setup(self):
        super().setup()
        self.rest = [0.0] * self.K

    def release(self, total, count, arm):
        value, self.rest[arm] = total + self.rest[arm], 0.0
        if count >= 128:
            self.rest[arm] = total
        return super().release(value, count, arm)
