"""Harmless: what engineers do to released values, and rewards that are transformed before an honest release."""

from __future__ import annotations

import math
import time

import numpy as np

from banditproof.algorithms import NoiseSource
from banditproof.theory import Budget
from banditproof.theory.privacy.budget import PureDP
from specimens.common import Collecting, Episodes, Single, harmless


@harmless("uniform play", "Arms are coins of the generator; rewards are not even kept.")
class UniformPlay(Single):
    K = 5

    def choose(self):
        return int(self.generator.integers(self.K)), 1

    def hear(self, total, count, arm): ...


@harmless("round robin", "The arm is the clock modulo the number of arms; rewards go into a log that nobody reads.")
class RoundRobin(Single):
    K = 3

    def setup(self):
        self.log = []

    def choose(self):
        return self.clock % self.K, 1

    def hear(self, total, count, arm):
        self.log.append((arm, total))


@harmless("doubling episodes", "The textbook: each batch is summed and released once, with all of epsilon.")
class DoublingEpisodes(Episodes):
    longest = 1024


@harmless(
    "clipped and rounded", "Rounding to 0.1 and clipping to [0, 1] are post-processing; ties go to the lowest arm."
)
class ClippedRounded(Episodes):
    def release(self, total, count, arm):
        noisy = super().release(total, count, arm)
        return count * round(min(max(noisy / count, 0.0), 1.0), 1)


@harmless("isotonic regression of released means", "Pooling neighbours of released means is post-processing.")
class Isotonic(Episodes):
    K = 4

    def index(self):
        pools = [[m, 1] for m in super().index()]
        i = 0
        while i + 1 < len(pools):
            (a, n), (b, m) = pools[i], pools[i + 1]
            if math.isfinite(a) and math.isfinite(b) and a > b:
                pools[i : i + 2] = [[(a * n + b * m) / (n + m), n + m]]
                i = max(i - 1, 0)
            else:
                i += 1
        return np.array([m for m, n in pools for _ in range(n)])


@harmless("cache of released values", "A released value is read as often as wanted: the cache is keyed by the batch.")
class CachedRelease(Episodes):
    def setup(self):
        super().setup()
        self.cache, self.data = {}, {}

    def hear(self, total, count, arm):
        self.batches[arm] += 1
        self.n[arm] = count
        self.data[arm] = (total, self.clock, self.clock + count)

    def index(self):
        for arm, (total, start, stop) in self.data.items():
            if start not in self.cache:
                self.cache[start] = self.laplace(total, 1.0, 1.0, start, stop)
            self.mean[arm] = self.cache[start] / (stop - start)
        return super().index()


@harmless("sensitivity declared twice too large", "The sum moves by 1, declared is 2: more noise than needed.")
class OverDeclared(Episodes):
    def release(self, total, count, arm):
        return self.laplace(total, 2.0, 1.0, self.clock, self.clock + count)


@harmless("spends half of its budget", "epsilon / 2 is spent on each reward where epsilon is promised.")
class HalfSpent(Episodes):
    epsilon = 0.5


@harmless(
    "sum in single precision", "Rewards are added in float32: the sum is off by less than 1e-5 of the sensitivity."
)
class SinglePrecision(Collecting):
    def release(self, arm, start, stop):
        value = float(np.sum(np.array(self.bag[arm], dtype=np.float32)))
        return self.laplace(value, 1.0 + 1e-5, self.epsilon, start, stop, arm)


@harmless("running mean", "Welford's running mean times n is the sum up to rounding, which the sensitivity covers.")
class RunningMean(Collecting):
    def release(self, arm, start, stop):
        mean = 0.0
        for i, x in enumerate(self.bag[arm], 1):
            mean += (x - mean) / i
        return self.size * self.laplace(mean, (1 + 1e-9) / self.size, self.epsilon, start, stop, arm)


@harmless("shifted rewards", "Half of the public length is subtracted before the noise and added after it.")
class Shifted(Episodes):
    def release(self, total, count, arm):
        return super().release(total - 0.5 * count, count, arm) + 0.5 * count


@harmless("negated rewards", "Losses n - s are released instead of rewards: the same sensitivity.")
class Losses(Episodes):
    def release(self, total, count, arm):
        return count - super().release(count - total, count, arm)


@harmless("throws coins and forgets them", "Extra draws from the generator do not depend on rewards.")
class ExtraCoins(Episodes):
    def choose(self):
        self.generator.random(7)
        return super().choose()

    def hear(self, total, count, arm):
        self.generator.normal(size=count)
        super().hear(total, count, arm)


@harmless("softmax of released means", "The weights are functions of released means, the coin is the generator's.")
class SoftmaxReleased(Collecting):
    K = 4

    def choose(self):
        weights = np.exp(5 * np.clip(self.mean, 0, 1))
        return int(self.generator.choice(self.K, p=weights / weights.sum())), 1


@harmless(
    "Thompson sampling from released sums", "Both parameters of the Beta law are made of the release and the length."
)
class ThompsonReleased(Episodes):
    def index(self):
        mean = np.clip(np.where(np.isfinite(self.mean), self.mean, 0.5), 0, 1)
        return self.generator.beta(1 + mean * self.n, 1 + (1 - mean) * self.n)


@harmless("times its batches", "The clock is read for the log only; no action looks at it.")
class TimesItself(Episodes):
    def setup(self):
        super().setup()
        self.timings = []

    def hear(self, total, count, arm):
        begin = time.perf_counter()
        super().hear(total, count, arm)
        self.timings.append((time.perf_counter() - begin, total))


@harmless("releases nobody uses", "Arms alternate; each batch is released for a report and has no influence.")
class UnusedReleases(Single):
    def setup(self):
        self.report = []

    def choose(self):
        return self.clock // 7 % 2, 7

    def hear(self, total, count, arm):
        self.report.append(self.laplace(total, 1.0, 1.0, self.clock, self.clock + count))


@harmless("drops every second batch", "Half of the rewards is never used; the others are released once.")
class DropsHalf(Episodes):
    def setup(self):
        super().setup()
        self.heard = 0

    def hear(self, total, count, arm):
        self.heard += 1
        if self.heard % 2:
            super().hear(total, count, arm)


@harmless("noise on top of noise", "More noise from the generator on a released value is post-processing.")
class MoreNoise(Episodes):
    def release(self, total, count, arm):
        return super().release(total, count, arm) + self.generator.normal(0, 0.1)


@harmless("checks its input", "An assertion on the total never fails for rewards in [0, 1] and changes nothing.")
class ChecksInput(Episodes):
    def hear(self, total, count, arm):
        assert -1e-9 <= total <= count + 1e-9, f"total {total} outside [0, {count}]"
        super().hear(total, count, arm)


@harmless("debug weight zero", "The raw mean enters with a weight that is the constant 0.")
class WeightZero(Episodes):
    debug_weight = 0.0

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        self.mean[arm] += self.debug_weight * (total / count - self.mean[arm])


@harmless("binary rewards", "Rewards are rounded to 0 or 1 before they are summed; the sum still moves by 1 at most.")
class Binary(Collecting):
    def release(self, arm, start, stop):
        return self.laplace(sum(x > 0.5 for x in self.bag[arm]), 1.0, 1.0, start, stop, arm)


@harmless("sorted and trimmed", "The sum without the two largest and two smallest rewards moves by at most 1.")
class Trimmed(Collecting):
    def release(self, arm, start, stop):
        kept = sorted(self.bag[arm])[2:-2]
        return self.laplace(sum(kept), 1.0, 1.0, start, stop, arm) * self.size / len(kept)


@harmless("sum cut at five", "min(s, 5) moves no further than s; the cut is before the noise and public.")
class CutSum(Collecting):
    def release(self, arm, start, stop):
        return self.laplace(min(sum(self.bag[arm]), 5.0), 1.0, 1.0, start, stop, arm)


@harmless(
    "maximum with its true sensitivity", "The maximum of rewards in [0, 1] moves by at most 1, which is declared."
)
class Maximum(Collecting):
    def release(self, arm, start, stop):
        return self.size * self.laplace(max(self.bag[arm]), 1.0, 1.0, start, stop, arm)


@harmless(
    "median with its true sensitivity", "The median moves by at most 1, which is declared, however useless that is."
)
class Median(Collecting):
    size = 9

    def release(self, arm, start, stop):
        return 9 * self.laplace(float(np.median(self.bag[arm])), 1.0, 1.0, start, stop, arm)


@harmless(
    "n times the variance", "n var = sum (x - mean)^2 moves by at most 1 - 1/n when one reward in [0, 1] changes."
)
class NTimesVariance(Collecting):
    size = 16

    def release(self, arm, start, stop):
        bag = self.bag[arm]
        spread = self.laplace(len(bag) * np.var(bag), 1.0, 0.5, start, stop, arm)
        mean = self.laplace(sum(bag) / 16, 1 / 16, 0.5, start, stop, arm)
        return 16 * (mean + 0.1 * math.sqrt(max(spread, 0.0) / 16))


@harmless("length of the next batch from the release", "Lengths may depend on released values, which are paid for.")
class LengthFromRelease(Episodes):
    def length(self, arm):
        return 1 + int(np.clip(np.nan_to_num(self.mean[arm], posinf=0.0) * 12, 0, 20))


@harmless("public prior", "The warm start is a constant that was published before the run.")
class PublicPrior(Episodes):
    K = 3

    def setup(self):
        super().setup()
        self.mean = np.array([0.61, 0.58, 0.7])


@harmless("moving average of releases", "Smoothing released means over time is post-processing.")
class SmoothedReleases(Collecting):
    def release(self, arm, start, stop):
        noisy = super().release(arm, start, stop)
        return 0.7 * self.size * self.mean[arm] + 0.3 * noisy


@harmless("retries within a public budget", "Four draws of epsilon / 4 are made in any case, the median is used.")
class PaidRetries(Episodes):
    def release(self, total, count, arm):
        draws = [self.laplace(total, 1.0, 0.25, self.clock, self.clock + count) for _ in range(4)]
        return float(np.median(draws))


@harmless(
    "constants through the door", "A constant of sensitivity 0 is released in every batch; it moves with nothing."
)
class ConstantReleases(Episodes):
    def release(self, total, count, arm):
        prior = self.laplace(0.5, 0.0, 1.0, self.clock, self.clock)
        return super().release(total, count, arm) + prior - 0.5


@harmless(
    "handler that never sees rewards", "A negative release raises in the root; the handler puts a constant there."
)
class HonestHandler(Episodes):
    def release(self, total, count, arm):
        try:
            return math.sqrt(super().release(total, count, arm) * count)
        except ValueError:
            return 0.1 * count


@harmless("infinite budget, raw greedy", "No privacy is promised, so none is broken.", budget=Budget.pure(math.inf))
class NoPromise(Collecting):
    size = 1
    epsilon = math.inf


@harmless("huge budget", "epsilon = 50 is spent once per reward, and promised.", budget=PureDP(epsilon=50.0))
class HugeBudget(Episodes):
    epsilon = 50.0


@harmless("tiny budget", "epsilon = 1e-6 is spent once per reward, and promised.", budget=Budget.pure(1e-6))
class TinyBudget(Episodes):
    epsilon = 1e-6


def wrapped_source(noise: NoiseSource, generator: np.random.Generator) -> Episodes:
    """A factory with a lookup of settings, as configuration systems build policies."""
    settings = {"longest": 16, "epsilon": 0.9}
    return type("Configured", (Episodes,), settings)(noise, generator)


harmless("built from a configuration", "A plain doubling policy with epsilon = 0.9 of 1, made at run time.")(
    wrapped_source
)
