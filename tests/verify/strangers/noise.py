"""Noise that is not the declared one, serves twice, comes from elsewhere, follows the rewards or is of a wrong kind."""

from __future__ import annotations

from math import sqrt

import numpy as np

from banditproof.algorithms.finite.episodic import printed_multiplier
from banditproof.theory.privacy.budget import ApproximateDP, Budget
from strangers.common import Singles, WinStay, leak

TABLE = np.random.default_rng(2024).laplace(size=4096)
"""Drawn once, as drawing is slow."""


@leak(
    "noise",
    "total + sum(draws) / 8",
    "The average of eight draws of scale 1 has deviation 0.5 instead of 1.41 and lighter tails: far out, sums 0 and 1 "
    "differ by e^8, and at the bar of 3.6 by about e^6.",
)
class VarianceReduced(WinStay):
    """Averages the noise over eight draws. They carry no reward, so they cost nothing."""

    bar = 0.9

    def hear(self, total, count):
        draws = [self.release(0.0, count, sensitivity=1.0) for _ in range(8)]
        self.decide((total + sum(draws) / 8) / count)


@leak(
    "noise",
    "np.clip(noisy - total, -1.5, 1.5)",
    "Sum 0 of 4 never reaches the bar of 2, as the noise ends at 1.5; sum 1 does with P > 0.",
)
class WinsorisedNoise(WinStay):
    """Outliers of the noise only hurt."""

    def hear(self, total, count):
        noisy = self.release(total, count)
        self.decide((total + np.clip(noisy - total, -1.5, 1.5)) / count)


@leak("noise", "abs(noisy - total)", "Sum 2 of 4 is always at the bar or above, sum 1 is below it with P = 1 - e^-1.")
class NeverPessimistic(WinStay):
    """Optimism in the face of uncertainty: noise may only add."""

    def hear(self, total, count):
        noisy = self.release(total, count)
        self.decide((total + abs(noisy - total)) / count)


@leak(
    "noise reused",
    "self.memo[key] = self.release(total, count)",
    "Blocks 1100, 1100 get one value: (stay, move on the same arm) has P = 0. Blocks 1100, 1000 get two: P > 0.",
)
class Memoised(WinStay):
    """The same question gets the same answer, so that nobody can average the noise away."""

    def start(self):
        self.memo = {}

    def hear(self, total, count):
        key = (self.current, round(total, 6))
        if key not in self.memo:
            self.memo[key] = self.release(total, count)
        self.decide(self.memo[key] / count)


@leak(
    "noise reused",
    "total + self.jitter",
    "One draw for all blocks: sums 1, 1 cannot lead to (stay, move); sums 2, 1 can.",
)
class OneDrawForAll(WinStay):
    """The noise is drawn once, in the constructor: the run is what is private, not the block."""

    def start(self):
        one = Budget.pure(self.epsilon)
        self.jitter = float(self.noise.laplace(np.zeros(1), sensitivity=1.0, budget=one)[0])

    def hear(self, total, count):
        self.decide((total + self.jitter) / count)


@leak(
    "outside randomness",
    "np.random.default_rng(0)",
    "The noise is the same in every run, so it hides nothing: actions are a function of the exact sums.",
)
class SeededInside(WinStay):
    """Reproducible runs were a requirement."""

    def start(self):
        self.rng = np.random.default_rng(0)

    def hear(self, total, count):
        self.decide((total + self.rng.laplace(scale=1 / self.epsilon)) / count)


@leak(
    "outside randomness",
    "np.random.default_rng(int(1000 * total))",
    "The noise is a function of the sum, so the action is: two sums either agree or differ for certain.",
)
class SeededByRewards(WinStay):
    """Deterministic noise, seeded by the query as in some query engines."""

    def hear(self, total, count):
        own = np.random.default_rng(int(1000 * total))
        self.decide((total + own.laplace(scale=1 / self.epsilon)) / count)


@leak(
    "outside randomness",
    "TABLE[self.clock % TABLE.size]",
    "After pull 240 the noise is read from a constant of the module: actions are a function of exact sums.",
)
class NoiseTable(WinStay):
    """Takes noise from the source while it warms up, and from a precomputed table in the hot loop."""

    def hear(self, total, count):
        if self.clock < 240:
            super().hear(total, count)
        else:
            self.decide((total + TABLE[self.clock % TABLE.size]) / count)


@leak(
    "declaration",
    "sensitivity=max(self.buffer)",
    "Rewards 0, 0, 0, 0: sensitivity 0, no noise, moves for certain. 1, 0, 0, 0: noise of scale 1, stays with P > 0.",
)
class LargestReward(Singles):
    """No reward of this block was larger than that."""

    def full(self):
        self.decide(self.release(sum(self.buffer), len(self.buffer), sensitivity=max(self.buffer)) / len(self.buffer))


@leak(
    "declaration",
    "np.inf if total == 0 else self.epsilon",
    "A block of zeros is released without noise and moves for certain; with one 1 in it P(stay) > 0.",
)
class NothingToHide(WinStay):
    """Zeros are the default and reveal nothing."""

    def hear(self, total, count):
        self.decide(self.release(total, count, epsilon=np.inf if total == 0 else self.epsilon) / count)


@leak(
    "declaration",
    "self.high - self.low",
    "As long as all rewards were 0 the range is 0 and so is the noise; one reward 1/2 gives noise of scale 1/2.",
)
class RangeSoFar(Singles):
    """The range of the rewards is not known beforehand, so it is learned."""

    def start(self):
        self.low, self.high = np.inf, -np.inf

    def full(self):
        self.low, self.high = min(self.low, *self.buffer), max(self.high, *self.buffer)
        noisy = self.release(sum(self.buffer), len(self.buffer), sensitivity=self.high - self.low)
        self.decide(noisy / len(self.buffer))


@leak(
    "mechanism",
    "Budget.pure(self.mu)",
    "Laplace noise of scale 1 is not 1-GDP. Block of one pull, bar 1/2: P(stay | 0) + P(move | 1) = e^-0.5 = 0.6065; "
    "1-GDP asks for at least 2 Phi(-1/2) = 0.6171.",
    Budget.gdp(1.0),
)
class LaplaceForGaussianDP(WinStay):
    """mu plays the role of epsilon."""

    length, mu = 1, 1.0

    def hear(self, total, count):
        share = Budget.pure(self.mu)
        noisy = self.noise.laplace(np.array([total]), sensitivity=1.0, budget=share, records=self.records(count))
        self.decide(noisy[0])


@leak(
    "mechanism",
    "Budget.zcdp(self.epsilon**2 / 2)",
    "epsilon-DP gives epsilon^2/2-zCDP and not the other way round. Noise N(0, 1), block of one pull, bar 3: P(stay) = "
    "0.00135 for reward 0 and 0.0228 for 1, a factor 16.9 > e.",
)
class GaussianForPure(WinStay):
    """zCDP and pure DP convert into each other, with epsilon^2 / 2 = rho."""

    length, bar = 1, 3.0

    def hear(self, total, count):
        share = Budget.zcdp(self.epsilon**2 / 2)
        noisy = self.noise.gaussian(np.array([total]), sensitivity=1.0, budget=share, records=self.records(count))
        self.decide(noisy[0])


@leak(
    "noise",
    "0.25 * noisy + 0.75 * total",
    "A quarter of the noise is left, of scale 1/4: sums 1 and 0 of 4 reach the bar of 2 with a factor e^4.",
)
class Tempered(WinStay):
    """Shrinks the noisy sum towards the sum it belongs to, as ridge regression does."""

    def hear(self, total, count):
        noisy = self.release(total, count)
        self.decide((0.25 * noisy + 0.75 * total) / count)


@leak(
    "noise reused",
    "noisy = total - self.residual",
    "Noise Z and then -Z, bar 1.8. Block sums 1, 2: (stay, stay) needs Z >= 0.8 and Z <= 0.2. Block sums 2, 2: "
    "|Z| <= 0.2 is enough.",
)
class Antithetic(WinStay):
    """Antithetic pairs: every second block takes the negative of the noise before."""

    bar = 0.45

    def start(self):
        self.residual = None

    def hear(self, total, count):
        if self.residual is None:
            noisy = self.release(total, count)
            self.residual = noisy - total
        else:
            noisy = total - self.residual
            self.residual = None
        self.decide(noisy / count)


class GaussianStay(WinStay):
    """Single pulls, Gaussian noise of a `multiplier` worked out by hand."""

    length, promise, multiplier = 1, Budget.zcdp(2.0), 0.5

    def hear(self, total, count):
        noisy = self.noise.gaussian(
            np.array([total]),
            sensitivity=1.0,
            budget=self.promise,
            records=self.records(count),
            multiplier=self.multiplier,
        )
        self.decide(noisy[0])


@leak(
    "mechanism",
    "printed_multiplier(40.0, 1e-5)",
    "sqrt(2 log(1.25 / delta)) / epsilon = 0.121 is meant for epsilon <= 1. Bar 1.1: P(stay | 1) = 0.20, and e^40 "
    "P(stay | 0) = 0.013: delta is 0.19 at least.",
    ApproximateDP(epsilon=40.0, delta=1e-5),
)
class TextbookGaussian(GaussianStay):
    """The formula of the textbook."""

    bar, promise, multiplier = 1.1, ApproximateDP(epsilon=40.0, delta=1e-5), float(printed_multiplier(40.0, 1e-5))


@leak(
    "mechanism",
    "1 / (2 * 2.0)",
    "1 / (2 rho) = 1/4 is the variance, the deviation is 1/2. Bar 1.5: P(stay) = 0.0228 for reward 1 and 1e-9 for 0, a "
    "divergence of order 2 of at least 13 > 2 rho.",
    Budget.zcdp(2.0),
)
class VarianceForDeviation(GaussianStay):
    """b = 1 / (2 rho), says the paper."""

    bar, promise, multiplier = 1.5, Budget.zcdp(2.0), 1 / (2 * 2.0)


@leak(
    "mechanism",
    "sqrt(2 / (2 * 1.0))",
    "At order 8 the deviation has to be sqrt(8 / 2) = 2; 1 is that of order 2. Bar 2: P(stay) = 0.159 and 0.0228, a "
    "divergence of order 8 of at least 1.68 > 1.",
    Budget.rdp(8.0, 1.0),
)
class OrderOfAnotherPaper(GaussianStay):
    """The noise was calibrated when the promise was made at order 2."""

    bar, promise, multiplier = 2.0, Budget.rdp(8.0, 1.0), sqrt(2 / (2 * 1.0))
