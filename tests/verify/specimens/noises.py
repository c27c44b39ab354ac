"""Bugs: the noise that is added is not the noise that is declared, serves twice, or cannot keep the budget."""

from __future__ import annotations

import math

import numpy as np

from banditproof.algorithms import NoiseSource
from banditproof.theory import Budget
from banditproof.theory.privacy.budget import ApproximateDP
from specimens.common import Collecting, Episodes, Single, Threshold, bug

NOISE, REUSED, WRONG = "noise", "noise reused", "mechanism"


@bug(
    "half of the noise",
    NOISE,
    "The average of the release and the raw sum is the raw sum with half of the noise: 2 epsilon.",
    "(noisy + total) / 2",
)
class HalfNoise(Episodes):
    def release(self, total, count, arm):
        noisy = super().release(total, count, arm)
        return (noisy + total) / 2


@bug(
    "noise cut at two",
    NOISE,
    "Noise outside [-2, 2] is cut: a value of 5 is never reported as 2.9, a value of 4 is.",
    "np.clip(noisy - total, -2, 2)",
)
class CutNoise(Episodes):
    def release(self, total, count, arm):
        noisy = super().release(total, count, arm)
        return total + float(np.clip(noisy - total, -2, 2))


@bug(
    "average of sixteen draws of noise",
    NOISE,
    "Sixteen releases of the constant 0 cost nothing; their average is noise of a quarter of the deviation.",
    "self.laplace(np.zeros(16), 1.0",
)
class AveragedNoise(Collecting):
    def release(self, arm, start, stop):
        jitter = self.laplace(np.zeros(16), 1.0, self.epsilon, start, stop, arm)
        return sum(self.bag[arm]) + jitter.mean()


@bug(
    "noise rounded away",
    NOISE,
    "The noise is rounded to multiples of 10 and is 0 with probability 1 - e^-5: the sum is released as it is.",
    "10 * round((noisy - total) / 10)",
)
class RoundedAway(Episodes):
    def release(self, total, count, arm):
        noisy = super().release(total, count, arm)
        return total + 10 * round((noisy - total) / 10)


@bug(
    "noise that only adds",
    NOISE,
    "|Laplace| is exponential noise: a released 4.5 is impossible for a sum of 5 and likely for one of 4.",
    "total + abs(self.laplace(0.0",
)
class OneSided(Episodes):
    def release(self, total, count, arm):
        return total + abs(self.laplace(0.0, 1.0, 1.0, self.clock, self.clock + count))


@bug(
    "noise divided twice",
    NOISE,
    "Noise for a mean (scale 1/n) is divided by n once more before it meets the mean: n times too small.",
    "mean + noise / count",
)
class DividedTwice(Episodes):
    def release(self, total, count, arm):
        mean = total / count
        noise = self.laplace(0.0, 1 / count, 1.0, self.clock, self.clock + count)
        return count * (mean + noise / count)


@bug(
    "uniform noise of the same variance",
    NOISE,
    "Uniform noise on [-2.45, 2.45] from the generator has bounded support: some outputs exclude one of two sums.",
    "self.generator.uniform(-1, 1) * math.sqrt(6)",
)
class UniformNoise(Episodes):
    def release(self, total, count, arm):
        return total + self.generator.uniform(-1, 1) * math.sqrt(6)


@bug(
    "no noise while burning in",
    NOISE,
    "The first two batches of an arm are thought too small to matter and go without noise.",
    "if self.batches[arm] <= 2:",
)
class NoNoiseAtFirst(Episodes):
    def release(self, total, count, arm):
        if self.batches[arm] <= 2:
            return total
        return super().release(total, count, arm)


@bug(
    "noise that fades",
    NOISE,
    "The noise is multiplied by 0.9 per batch so that the policy converges: batch k spends epsilon / 0.9^k.",
    "0.9 ** self.batches[arm]",
)
class FadingNoise(Episodes):
    def release(self, total, count, arm):
        noise = self.laplace(0.0, 1.0, 1.0, self.clock, self.clock + count)
        return total + noise * 0.9 ** self.batches[arm]


@bug(
    "the better of two draws",
    NOISE,
    "Two draws of noise are made and the smaller one is used: |noise| has half the scale, so the density doubles "
    "near the sum.",
    "min(draws, key=abs)",
)
class BetterOfTwo(Collecting):
    def release(self, arm, start, stop):
        draws = self.laplace([0.0, 0.0], 1.0, 1.0, start, stop, arm)
        return sum(self.bag[arm]) + min(draws, key=abs)


@bug(
    "draws past the door with half the scale",
    NOISE,
    "`draw` is called with scale 1/2 where 1 is needed, and nothing is declared: 2 epsilon and no record of it.",
    "np.array([0.5])",
)
class PastTheDoor(Episodes):
    def release(self, total, count, arm):
        return total + float(self.noise.draw("laplace", np.array([0.5]), (1,))[0])


@bug(
    "smoothed towards the truth",
    NOISE,
    "A filter corrects the released mean by a tenth of its error, which is known from the raw mean only.",
    "gain * (total - noisy)",
)
class CorrectsItself(Episodes):
    def release(self, total, count, arm):
        noisy, gain = super().release(total, count, arm), 0.1
        return noisy + gain * (total - noisy)


@bug(
    "median of five draws",
    NOISE,
    "The median of five draws exceeds x only if three of them do: its tail falls like e^(-3x), so 3 epsilon are spent.",
    "np.median(self.laplace([0.0] * 5",
)
class MedianOfFive(Episodes):
    def release(self, total, count, arm):
        return total + float(np.median(self.laplace([0.0] * 5, 1.0, 1.0, self.clock, self.clock + count)))


@bug(
    "noise wrapped into the unit interval",
    NOISE,
    "Noise modulo 1 lies in [0, 1): released sums of 4.3 and 5.3 tell 4 from 5 without doubt.",
    "self.laplace(0.0, 1.0, 1.0, self.clock, self.clock + count) % 1",
)
class WrappedNoise(Episodes):
    longest = 16

    def release(self, total, count, arm):
        return total + self.laplace(0.0, 1.0, 1.0, self.clock, self.clock + count) % 1


@bug(
    "noise drawn once at the start",
    REUSED,
    "The same draw is added to every sum of an arm, so the difference of two of them carries no noise.",
    "self.offset = [self.laplace(0.0, 1.0, 1.0, 0, 0) for _ in range(self.K)]",
)
class NoiseAtStart(Episodes):
    def setup(self):
        super().setup()
        self.offset = [self.laplace(0.0, 1.0, 1.0, 0, 0) for _ in range(self.K)]

    def release(self, total, count, arm):
        return total + self.offset[arm]


@bug(
    "common noise for both arms",
    REUSED,
    "One draw is added to both sums of a round; the argmax of the round depends on their difference, which has none.",
    "noisy = np.array(self.sums) + common",
)
class CommonNoise(Single):
    def setup(self):
        self.sums, self.best, self.round = [0.0, 0.0], 0, 0

    def choose(self):
        place = self.round % 3
        return (place, 6) if place < 2 else (self.best, 12)

    def hear(self, total, count, arm):
        place = self.round % 3
        if place < 2:
            self.sums[place] = total
        if place == 1:
            end = self.clock + count
            common = self.laplace(0.0, 1.0, 1.0, end - 12, end)
            noisy = np.array(self.sums) + common
            self.best = int(np.argmax(noisy))
        self.round += 1


@bug(
    "generator with seed 0 for reproducible noise",
    REUSED,
    "All noise comes from a generator of fixed seed, so anybody can draw and subtract it.",
    "NoiseSource(np.random.default_rng(0))",
)
class FixedSeed(Episodes):
    def setup(self):
        super().setup()
        self.noise = NoiseSource(np.random.default_rng(0))


@bug(
    "reseeds for every release",
    REUSED,
    "Each release makes a generator seeded by the arm: every release of an arm has the same noise.",
    "np.random.default_rng(1000 + arm)",
)
class Reseeds(Episodes):
    def release(self, total, count, arm):
        fresh = NoiseSource(np.random.default_rng(1000 + arm))
        return float(fresh.laplace(np.array([total]), sensitivity=1.0, budget=Budget.pure(1.0))[0])


@bug(
    "noise cached by length",
    REUSED,
    "Draws are memoised by the length of the batch: all batches of 8 share one draw.",
    "if count not in self.memo:",
)
class MemoisedNoise(Episodes):
    longest = 8

    def setup(self):
        super().setup()
        self.memo = {}

    def release(self, total, count, arm):
        if count not in self.memo:
            self.memo[count] = self.laplace(0.0, 1.0, 1.0, self.clock, self.clock + count)
        return total + self.memo[count]


@bug(
    "antithetic noise",
    REUSED,
    "The second half of a pair of batches uses minus the draw of the first to reduce variance: their average has none.",
    "second - self.draw",
)
class Antithetic(Single):
    def setup(self):
        self.mean, self.first, self.draw, self.place = [1.0, 1.0], 0.0, 0.0, 0

    def choose(self):
        if self.place == 0:
            self.arm = int(np.argmax(self.mean))
        return self.arm, 5

    def hear(self, total, count, arm):
        if self.place == 0:
            self.draw = self.laplace(0.0, 1.0, 1.0, self.clock, self.clock + count)
            self.first = total + self.draw
        else:
            second = total
            self.mean[arm] = (self.first + (second - self.draw)) / 10
        self.place = 1 - self.place


@bug(
    "table of four draws",
    REUSED,
    "Noise is drawn in blocks of four and the block is cycled for ever: draw 5 is draw 1.",
    "self.table[self.used % 4]",
)
class CycledTable(Collecting):
    used = 0

    def setup(self):
        super().setup()
        self.table = self.laplace([0.0] * 4, 1.0, 1.0, 0, 0)

    def release(self, arm, start, stop):
        noise = self.table[self.used % 4]
        self.used += 1
        return sum(self.bag[arm]) + noise


@bug(
    "updates the release by raw increments",
    REUSED,
    "The first release is kept up to date by adding raw sums: its one draw of noise serves all prefixes.",
    "self.kept[arm] += total",
)
class IncrementalRelease(Episodes):
    def setup(self):
        super().setup()
        self.kept, self.pulls = {}, [0] * self.K

    def release(self, total, count, arm):
        self.pulls[arm] += count
        if arm not in self.kept:
            self.kept[arm] = super().release(total, count, arm)
        else:
            self.kept[arm] += total
        return self.kept[arm] * count / self.pulls[arm]


@bug(
    "gaussian with a delta for a pure promise",
    WRONG,
    "Gaussian noise of (1, 1e-3) is no pure DP: its deviation is 2.6, and sums of 0 and 1 pass 13 with odds of e^1.96.",
    "Budget.approximate(1.0, 1e-3)",
)
class GaussianForPure(Threshold):
    budget = Budget.approximate(1.0, 1e-3)


@bug(
    "variance used as deviation",
    WRONG,
    "rho = 2 needs deviation 1/2; the multiplier is the variance 1/(2 rho) = 1/4: four times the budget.",
    "1 / (2 * 2.0)",
    budget=Budget.zcdp(2.0),
)
class VarianceAsDeviation(Threshold):
    def release(self, total, start, stop):
        return self.gaussian(total, 1.0, Budget.zcdp(2.0), start, stop, multiplier=1 / (2 * 2.0))


@bug(
    "classical formula at large epsilon",
    WRONG,
    "sqrt(2 log(1.25/delta))/epsilon is proved for epsilon < 1; at 20 it gives 0.242 where 0.297 is needed.",
    "math.sqrt(2 * math.log(1.25 / 1e-5)) / 20",
    budget=ApproximateDP(epsilon=20.0, delta=1e-5),
)
class ClassicalTooFar(Threshold):
    def release(self, total, start, stop):
        factor = math.sqrt(2 * math.log(1.25 / 1e-5)) / 20
        return self.gaussian(total, 1.0, ApproximateDP(epsilon=20.0, delta=1e-5), start, stop, multiplier=factor)


@bug(
    "decimal logarithm",
    WRONG,
    "log10 for log: deviation 3.19 at (1, 1e-5) where 3.73 is needed.",
    "math.log10(1.25 / 1e-5)",
    budget=Budget.approximate(1.0, 1e-5),
)
class DecimalLogarithm(Threshold):
    def release(self, total, start, stop):
        factor = math.sqrt(2 * math.log10(1.25 / 1e-5)) / 1.0
        return self.gaussian(total, 1.0, Budget.approximate(1.0, 1e-5), start, stop, multiplier=factor)


@bug(
    "delta forgotten",
    WRONG,
    "Deviation 1/epsilon as in Laplace noise: mu = 1 has delta 0.127 at epsilon 1, not 1e-5.",
    "multiplier=1 / self.epsilon",
    budget=Budget.approximate(1.0, 1e-5),
)
class DeltaForgotten(Threshold):
    epsilon = 1.0

    def release(self, total, start, stop):
        return self.gaussian(total, 1.0, Budget.approximate(1.0, 1e-5), start, stop, multiplier=1 / self.epsilon)


@bug(
    "Laplace for Gaussian DP",
    WRONG,
    "Laplace noise of scale 1 is not 1-GDP: its total variation 1 - e^(-1/2) = 0.393 exceeds 2 Phi(1/2) - 1 = 0.383.",
    "return self.laplace(total, 1.0, 1.0, start, stop)",
    budget=Budget.gdp(1.0),
)
class LaplaceForGaussian(Threshold):
    def release(self, total, start, stop):
        return self.laplace(total, 1.0, 1.0, start, stop)


@bug(
    "Laplace with twice the root of rho",
    WRONG,
    "epsilon = 2 sqrt(rho) = 0.2 has a Kullback-Leibler divergence of 0.0187, more than rho = 0.01.",
    "2 * math.sqrt(RHO)",
    budget=Budget.zcdp(0.01),
)
class LaplaceForZCDP(Threshold):
    def release(self, total, start, stop):
        RHO = 0.01
        return self.laplace(total, 1.0, 2 * math.sqrt(RHO), start, stop)


@bug(
    "Renyi order forgotten",
    WRONG,
    "The variance of (order 10, 1)-RDP is order/(2 epsilon) = 5; without the order it is 1/2, ten times too small.",
    "math.sqrt(1 / (2 * 1.0))",
    budget=Budget.rdp(10, 1.0),
)
class OrderForgotten(Threshold):
    def release(self, total, start, stop):
        return self.gaussian(total, 1.0, Budget.rdp(10, 1.0), start, stop, multiplier=math.sqrt(1 / (2 * 1.0)))


@bug(
    "randomised response with the odds for a probability",
    WRONG,
    "The bit is kept with probability 0.9 by a coin of the generator: odds 9 = e^2.2, more than e.",
    "self.generator.random() < 0.9",
)
class RandomisedResponse(Collecting):
    def hear(self, total, count, arm):
        bit = total / count > 0.5
        kept = bit if self.generator.random() < 0.9 else not bit
        self.mean[arm] += 0.1 * (kept - self.mean[arm])
