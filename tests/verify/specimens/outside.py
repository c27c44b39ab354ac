"""Bugs: noise or coins from global, class-level, seeded or clock-driven state, not from the source or the generator."""

from __future__ import annotations

import os
import random
import time
from typing import ClassVar

import numpy as np

from banditproof.theory import Budget
from specimens.common import Collecting, Episodes, Threshold, bug

OUTSIDE = "outside randomness"

TABLE = np.random.default_rng(7).laplace(size=1000)
"""Noise made once per process."""


@bug(
    "global numpy noise with a seed in the constructor",
    OUTSIDE,
    "The constructor seeds numpy's global state with 42, so the noise is the same in every run and known to all.",
    "np.random.seed(42)",
)
class SeededGlobal(Episodes):
    def setup(self):
        super().setup()
        np.random.seed(42)  # noqa: NPY002

    def release(self, total, count, arm):
        return total + np.random.laplace(scale=1.0)  # noqa: NPY002


@bug(
    "global numpy noise of the right scale",
    OUTSIDE,
    "The law is right, but nothing is released: the draws come from numpy's global state, which anybody in the process "
    "seeds, reads and shares.",
    "np.random.laplace(0.0, 1.0 / self.epsilon)",
)
class GlobalNoise(Collecting):
    def release(self, arm, start, stop):
        return sum(self.bag[arm]) + np.random.laplace(0.0, 1.0 / self.epsilon)  # noqa: NPY002


@bug(
    "module-level table of noise",
    OUTSIDE,
    "Noise is read from a table of fixed seed, from its beginning in every run: the same noise, and known to all.",
    "TABLE[self.cursor % 1000]",
)
class TableOfNoise(Episodes):
    cursor = 0

    def release(self, total, count, arm):
        self.cursor += 1
        return total + TABLE[self.cursor % 1000]


@bug(
    "random.Random seeded by the arm",
    OUTSIDE,
    "Each arm has a generator of its own, seeded by its number: the same noise in every run.",
    "random.Random(a)",
)
class RandomPerArm(Episodes):
    def setup(self):
        super().setup()
        self.own = [random.Random(a) for a in range(self.K)]

    def release(self, total, count, arm):
        return total + self.own[arm].gauss(0.0, 1.5)


@bug(
    "noise from the clock",
    OUTSIDE,
    "Thousandths of the clock give noise in [-1, 1): sums of 3 and 6 never share an output, and the clock is public.",
    "time.time_ns() // 1000 % 1000 / 500 - 1",
)
class ClockNoise(Episodes):
    def release(self, total, count, arm):
        return total + time.time_ns() // 1000 % 1000 / 500 - 1


@bug(
    "noise from os.urandom",
    OUTSIDE,
    "One byte gives uniform noise of 256 values in [-2, 2): a released value excludes all sums further than 2.",
    "os.urandom(1)[0] / 64 - 2",
)
class ByteNoise(Episodes):
    def release(self, total, count, arm):
        return total + os.urandom(1)[0] / 64 - 2


@bug(
    "coins seeded by the data",
    OUTSIDE,
    "The exploration generator is seeded again from the raw total after each batch, so the next coins show the total.",
    "np.random.default_rng(int(1000 * total))",
)
class CoinsFromData(Episodes):
    def setup(self):
        super().setup()
        self.coins = self.generator

    def choose(self):
        if self.coins.random() < 0.2:
            return int(self.coins.integers(self.K)), 2
        return super().choose()

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        self.coins = np.random.default_rng(int(1000 * total))


@bug(
    "global seed from the rewards for reproducible runs",
    OUTSIDE,
    "random.seed is called with the raw total so that a run can be replayed: the coin after a batch is a "
    "function of it.",
    "random.seed(total)",
)
class GlobalSeedFromRewards(Collecting):
    def choose(self):
        if random.random() < 0.5:
            return int(np.argmax(self.mean)), 1
        return random.randrange(self.K), 1

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        random.seed(total)


@bug(
    "class-level memory of raw means",
    OUTSIDE,
    "Raw means are kept in a dictionary of the class, as a prior for arms: it survives the run and orders the "
    "next one's arms.",
    "PriorOfTheClass.memory[arm] = total / count",
)
class PriorOfTheClass(Episodes):
    memory: ClassVar[dict[int, float]] = {}

    def index(self):
        return super().index() + np.array([0.2 * PriorOfTheClass.memory.get(a, 0.5) for a in range(self.K)])

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        PriorOfTheClass.memory[arm] = total / count


def policy_with_shared_history(noise, generator, history=[]):  # noqa: B006
    """The default list is made once: all policies of the process write into it and read from it."""

    class SharedHistory(Episodes):
        def length(self, arm):
            return 2 + sum(x > 0.5 for x in history[-4:])

        def hear(self, total, count, arm):
            super().hear(total, count, arm)
            history.append(total / count)

    return SharedHistory(noise, generator)


bug(
    "mutable default argument as history",
    OUTSIDE,
    "Raw means of all runs of the process end in one default list, and batch lengths count the last four above 1/2.",
    "history[-4:]",
)(policy_with_shared_history)


@bug(
    "hash as noise",
    OUTSIDE,
    "A multiplicative hash of arm and batch number serves as noise in [-2, 2]: it is a constant that anybody computes.",
    "2654435761 * (31 * arm + self.batches[arm])",
)
class HashNoise(Episodes):
    def release(self, total, count, arm):
        scrambled = 2654435761 * (31 * arm + self.batches[arm]) % 2**32
        return total + 4 * scrambled / 2**32 - 2


@bug(
    "standard normal noise from the global state",
    OUTSIDE,
    "np.random.randn for a promise of rho = 1/8, which needs deviation 2: global state, and four times the budget.",
    "np.random.randn()",
    budget=Budget.zcdp(0.125),
)
class GlobalNormal(Threshold):
    def release(self, total, start, stop):
        return total + np.random.randn()  # noqa: NPY002
