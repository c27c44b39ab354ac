"""Actions and batch lengths that follow rewards which no release has passed."""

from __future__ import annotations

from collections import deque

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.algorithms.finite.episodic import AdaPUCB
from banditproof.theory.privacy.budget import Budget
from strangers.common import ONE, Singles, WinStay, leak

RAW = "raw rewards"


@leak(RAW, "if total == 0:", "A block of zeros moves on for certain; with one reward 1 in it, it stays with P > 0.")
class EmptyBlockSkipped(WinStay):
    """Nothing was earned, so there is nothing to pay privacy for."""

    def hear(self, total, count):
        if total == 0:
            self.move()
            return
        super().hear(total, count)


@leak(RAW, "if total < count:", "Rewards 1, 1, 1, 1 stay for certain; with one 0 among them, P(move) > 0.")
class PerfectBlockKept(WinStay):
    """A perfect block cannot be improved upon."""

    def hear(self, total, count):
        if total < count:
            super().hear(total, count)


@leak(
    RAW,
    "self.dead[played] |= total < 0.05 * count",
    "First rewards 0, 1, 1 and 1 for ever after: arm 0 is never played again; after 1, 1, 1 it is, with P > 0.",
)
class DeadArmsBlacklisted(AdaPUCB):
    """Circuit breaker: an arm that pays nothing at all is taken out of rotation."""

    def __init__(self, noise, generator):
        super().__init__(3, ONE, noise)
        self.dead = np.zeros(3, dtype=bool)

    def observe(self, total, count, arm=None):
        played = self.recommended if arm is None else arm
        super().observe(total, count, arm)
        self.dead[played] |= total < 0.05 * count

    def score(self, means, samples):
        return np.where(self.dead & ~self.dead.all(), -np.inf, super().score(means, samples))


@leak(
    RAW,
    "tied, self.raw, -np.inf",
    "Three arms heard once, r1 = r2 = 1/2, r0 = 0 or 1: clipped means tie at 0 or 1 most of the time, and the tie goes "
    "to arm 0 only for r0 = 1. P(arm 0 is next) is about 0.16 and 0.59: a factor of 3.6 > e^0.5.",
    Budget.pure(0.5),
)
class TiesByExactMean(DPIMED):
    """Ties are rare, so it does not matter how they are broken, does it."""

    def __init__(self, noise, generator):
        super().__init__(3, Budget.pure(0.5), GeometricBatches(2), noise)
        self.raw = np.zeros((1, 3))

    def observe(self, total, count, arm=None):
        self.raw[0, self.recommended if arm is None else arm] += total
        super().observe(total, count, arm)

    def _best(self, score):
        tied = score == score.max(axis=1, keepdims=True)
        return np.where(tied, self.raw, -np.inf).argmax(axis=1)


@leak(
    RAW,
    "self.current = int(np.argmax(self.earned))",
    "From pull 2000 on the arm with the most exact reward is played. All rewards 0: arm 0 for ever; a single 1 while "
    "arm 2 was played: arm 2.",
    pulls=2100,
)
class ExploitsAtLast(WinStay):
    """Exploration is over after the warm-up of two thousand pulls; the dashboard's totals say who has won."""

    length = 10

    def start(self):
        self.earned = np.zeros(3)

    def hear(self, total, count):
        self.earned[self.current] += total
        super().hear(total, count)
        if self.clock + count > 2000:
            self.current = int(np.argmax(self.earned))


@leak(
    RAW,
    "self.length = 7 if np.std(self.first) < 0.1 else 3",
    "40 zeros have deviation 0 and lead to blocks of 7; one 1 among them makes it 0.156 and the blocks 3 long. An arm "
    "change after pull 40, when 4 rewards have been collected, has P = 0 or P > 0.",
)
class TunedOnTheFirstForty(Singles):
    """The block length is a hyper-parameter, and hyper-parameters are tuned on a pilot."""

    def start(self):
        self.first = []

    def hear(self, total, count):
        self.first.append(total)
        if len(self.first) == 40:
            self.length = 7 if np.std(self.first) < 0.1 else 3
        super().hear(total, count)


@leak(
    RAW,
    "self.current = 0",
    "20 zeros in a row sound the alarm, which plays arm 0 for certain; 19 zeros and a 1 (mean 0.05) do not.",
)
class AlarmOnLowRevenue(Singles):
    """On-call runbook: fall back to the default arm while revenue is down."""

    def start(self):
        self.window = deque(maxlen=20)

    def hear(self, total, count):
        super().hear(total, count)
        self.window.append(total)
        if len(self.window) == 20 and np.mean(self.window) < 0.04:
            self.current = 0


@leak(
    RAW,
    "self.shadow()",
    "Every 10th block goes to the arm with the largest exact mean. All rewards 0: arm 0; a 1 on arm 1: arm 1.",
)
class ShadowTraffic(WinStay):
    """The non-private reference gets ten per cent of the traffic, to compare."""

    flags = {"shadow": True, "verbose": False}

    def start(self):
        self.earned, self.played, self.blocks = np.zeros(3), np.full(3, 1e-9), 0

    def hear(self, total, count):
        self.earned[self.current] += total
        self.played[self.current] += count
        self.blocks += 1
        super().hear(total, count)
        if self.flags["shadow"] and self.blocks % 10 == 0:
            self.shadow()

    def shadow(self):
        self.current = int(np.argmax(self.earned / self.played))


@leak(
    RAW,
    "if abs(total - self.previous) < 1:",
    "Blocks 0000, 0000: the second is not released and stays for certain. 0000, 1000: it is released, P(move) > 0.",
)
class ReleasesOnChangeOnly(WinStay):
    """Saves budget: what has not changed need not be released again."""

    def start(self):
        self.previous = -np.inf

    def hear(self, total, count):
        if abs(total - self.previous) < 1:
            return
        self.previous = total
        super().hear(total, count)


@leak(
    RAW,
    "mean = total / count",
    "Block sums 1 and 2 of 4: P(stay) = (e^-1 - e^-3)/2 = 0.159 and (1 - e^-2)/2 + e^-2 = 0.568, a factor 3.57 > e.",
)
class ImpossibleMeansReplaced(WinStay):
    """Sanity check: a mean outside [0, 1] cannot be right."""

    def hear(self, total, count):
        mean = self.release(total, count) / count
        if not 0 <= mean <= 1:
            mean = total / count
        self.decide(mean)


@leak(
    RAW,
    "np.clip(noisy / len(self.buffer), self.low, self.high)",
    "All rewards 0: the clipped mean is 0 < 1/2 and moves for certain; with a single 1 the mean may be up to 1.",
)
class ClippedToWhatWasSeen(Singles):
    """Clipping is post-processing."""

    def start(self):
        self.low, self.high = 1.0, 0.0

    def full(self):
        self.low, self.high = min(self.low, *self.buffer), max(self.high, *self.buffer)
        noisy = self.release(sum(self.buffer), len(self.buffer))
        self.decide(np.clip(noisy / len(self.buffer), self.low, self.high))


@leak(
    RAW,
    "self.pending = self.means = np.zeros(3)",
    "From pull 120 on the two arrays are one: the means are exact sums. After zeros the best arm is 0, after a 1 that "
    "arm 1 brought on its odd visit it is 1, for certain.",
)
class ResetToOneArray(WinStay):
    """Greedy on released means, each over two visits of an arm; forgets everything after 120 pulls."""

    def start(self):
        self.means, self.pending = np.full(3, 2.0), np.zeros(3)
        self.since, self.visits = np.zeros(3, dtype=int), np.zeros(3, dtype=int)

    def hear(self, total, count):
        at = self.current
        if self.clock == 120:
            self.pending = self.means = np.zeros(3)
            self.visits[:] = 0
        if self.visits[at] % 2 == 0:
            self.since[at] = self.clock
        self.pending[at] += total
        self.visits[at] += 1
        if self.visits[at] % 2 == 0:
            self.renew(at, 2 * count)
        self.current = int(np.argmax(self.means)) if self.clock % 3 else int(np.argmin(self.visits))

    def renew(self, at, count):
        records = (self.since[at : at + 1], np.array([self.clock + self.length]), np.array([at]))
        noisy = self.noise.laplace(self.pending[at : at + 1], sensitivity=1.0, budget=ONE, records=records)
        self.means[at] = noisy[0] / count
        self.pending[at] = 0.0


@leak(
    RAW,
    "round(noisy) + total % 1",
    "Block sums 2 and 2.9 (one reward moves by 0.9): P(move) = 1 - e^-0.5 / 2 = 0.697 and e^-1.4 / 2 = 0.123, a factor "
    "5.6 > e. With rewards 0 and 1 nothing leaks.",
)
class CentsKept(WinStay):
    """Privacy is about whole units; the cents are kept as they are."""

    bar = 0.55

    def hear(self, total, count):
        noisy = self.release(total, count)
        self.decide((round(noisy) + total % 1) / count)


@leak(
    RAW,
    "self.length = len(self.buffer) + 1",
    "Rewards 1, 1 end the block after two pulls, so P(arm change at pull 2) > 0; after 1, 0 it is 0.",
)
class EnoughEvidence(Singles):
    """Stops sampling early when an arm is clearly good. The sum is released, so all is well."""

    def hear(self, total, count):
        self.length = 8
        if sum(self.buffer) + total >= 2:
            self.length = len(self.buffer) + 1
        super().hear(total, count)


@leak(
    RAW,
    "released = total if count[0] >= 32 else None",
    "Two arms, both with an exact episode of 32. All rewards 0: the indices tie and arm 0 is played. A 1 in that of "
    "arm 1: arm 1 is, for certain.",
)
class NegligibleNoise(AdaPUCB):
    """By the central limit theorem the noise on a mean of thirty rewards or more may be neglected."""

    def __init__(self, noise, generator):
        super().__init__(2, ONE, noise)

    def observe(self, total, count, arm=None):
        released = total if count[0] >= 32 else None
        super().observe(total, count, arm)
        if released is not None:
            self.sums[np.arange(1), self.recommended if arm is None else arm] = released
