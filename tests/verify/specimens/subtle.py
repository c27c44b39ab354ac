"""Harmless although it takes a second look: splits, overlaps, delays, many arms, late or rare releases."""

from __future__ import annotations

import math

import numpy as np

from banditproof.algorithms.policy import Policy
from banditproof.theory import Budget
from specimens.budgets import Tree
from specimens.common import Collecting, Episodes, Single, Threshold, between, harmless


@harmless("tree counter", "A reward is in one node of each of six levels, each of which spends epsilon / 6.")
class RightTree(Tree): ...


@harmless(
    "tree counter over 512 pulls", "Ten levels with shares that grow with the height and sum to epsilon.", pulls=1200
)
class UnevenTree(Tree):
    height = 9

    def share(self, h):
        return (h + 1) / 55


@harmless("geometric split from one half", "Prefix release k spends epsilon / 2^(k + 1): the series sums to epsilon.")
class GeometricFromHalf(Single):
    def setup(self):
        self.total, self.k, self.level = 0.0, 0, 0.5

    def choose(self):
        return int(self.level < 0.5), 8

    def hear(self, total, count, arm):
        self.total += total
        if self.k < 12:
            end = self.clock + count
            self.level = self.laplace(self.total, 1.0, 1 / 2 ** (self.k + 1), 0, end) / end
            self.k += 1


@harmless("halves for two", "A sum and a success count with epsilon / 2 each.")
class HalvesForTwo(Collecting):
    def release(self, arm, start, stop):
        bag = self.bag[arm]
        first = self.laplace(sum(bag), 1.0, 0.5, start, stop, arm)
        return 0.9 * first + 0.1 * self.laplace(sum(x > 0 for x in bag), 1.0, 0.5, start, stop, arm)


@harmless(
    "ten releases of a tenth with the whole delta",
    "Each is (1/10, 1e-5); by composition of Gaussians the ten together are mu = sqrt(10) * 0.0325 = 0.103, and "
    "(1, 1e-5) allows 0.268: delta need not be split.",
    budget=Budget.approximate(1.0, 1e-5),
)
class WholeDelta(Threshold):
    def release(self, total, start, stop):
        share = Budget.approximate(0.1, 1e-5)
        return sum(self.gaussian(total, 1.0, share, start, stop) for _ in range(10)) / 10


@harmless("mu split by the root", "Four releases of mu / 2 are mu together, as squares add.", budget=Budget.gdp(1.0))
class MuByRoot(Threshold):
    def release(self, total, start, stop):
        return sum(self.gaussian(total, 1.0, Budget.gdp(0.5), start, stop) for _ in range(4)) / 4


@harmless(
    "Laplace under concentrated privacy",
    "Laplace of epsilon = sqrt(2 rho) is epsilon-DP, hence epsilon^2 / 2 = rho-zCDP.",
    budget=Budget.zcdp(0.5),
)
class LaplaceUnderZCDP(Threshold):
    def release(self, total, start, stop):
        return self.laplace(total, 1.0, 1.0, start, stop)


@harmless("Gaussian at a Renyi order", "The variance is order / (2 epsilon) = 4.", budget=Budget.rdp(8, 1.0))
class GaussianRenyi(Threshold):
    budget = Budget.rdp(8, 1.0)


@harmless(
    "Gaussian of a concentrated budget", "Deviation 1 / sqrt(2 rho), one release a reward.", budget=Budget.zcdp(0.125)
)
class GaussianZCDP(Threshold):
    budget = Budget.zcdp(0.125)


@harmless(
    "Gaussian of an approximate budget",
    "The calibrated deviation, one release a reward.",
    budget=Budget.approximate(1.0, 1e-5),
)
class GaussianApproximate(Threshold):
    budget = Budget.approximate(1.0, 1e-5)


@harmless("rho split in three uneven parts", "rho/2 + rho/3 + rho/6 = rho on the same sum.", budget=Budget.zcdp(0.5))
class UnevenRho(Threshold):
    def release(self, total, start, stop):
        parts = [self.gaussian(total, 1.0, Budget.zcdp(0.5 / k), start, stop) for k in (2, 3, 6)]
        return parts[0] / 2 + parts[1] / 3 + parts[2] / 6


@harmless("vector with its l2 norm", "(s, s, s, s) moves by 2 in l2, and 2 is declared.", budget=Budget.zcdp(0.5))
class VectorNorm(Threshold):
    def release(self, total, start, stop):
        return self.gaussian(np.full(4, total), 2.0, Budget.zcdp(0.5), start, stop).mean()


@harmless("histogram with sensitivity two", "A changed reward leaves one bin and enters another: 2 in l1, declared.")
class HistogramTwo(Collecting):
    size = 20

    def release(self, arm, start, stop):
        counts, edges = np.histogram(self.bag[arm], bins=4, range=(0, 1))
        noisy = self.laplace(counts, 2.0, 1.0, start, stop, arm)
        return float(noisy @ ((edges[1:] + edges[:-1]) / 2))


@harmless("all arms of a round in one vector", "A reward is in one coordinate only, so the vector of sums moves by 1.")
class RoundVector(Single):
    K = 4

    def setup(self):
        self.sums, self.place, self.begun, self.best = np.zeros(4), 0, 0, 0

    def choose(self):
        return (self.place, 5) if self.place < 4 else (self.best, 20)

    def hear(self, total, count, arm):
        end = self.clock + count
        if self.place < 4:
            self.sums[arm] += total
        if self.place == 3:
            self.best = int(np.argmax(self.laplace(self.sums, 1.0, 1.0, self.begun, end)))
        if self.place == 4:
            self.sums, self.begun = np.zeros(4), end
        self.place = (self.place + 1) % 5


@harmless(
    "difference of two arms", "The difference of two sums moves by 1 with a reward of either, and is released once."
)
class Difference(Single):
    def setup(self):
        self.pair, self.score, self.round = [0.0, 0.0], 0.0, 0

    def choose(self):
        return (self.round % 3, 10) if self.round % 3 < 2 else (int(self.score > 0), 10)

    def hear(self, total, count, arm):
        place, end = self.round % 3, self.clock + count
        if place < 2:
            self.pair[place] = total
        if place == 0:
            self.begun = self.clock
        if place == 1:
            self.score = self.laplace(self.pair[1] - self.pair[0], 1.0, 1.0, self.begun, end)
        self.round += 1


@harmless(
    "overlapping windows at half price", "Each reward is in two windows of 20, and each window spends epsilon / 2."
)
class PaidOverlap(Single):
    def setup(self):
        self.recent, self.level = [], 0.5

    def choose(self):
        return (0, 10) if self.level > 0.5 else (1, 10)

    def hear(self, total, count, arm):
        end = self.clock + count
        self.recent = [*self.recent[-1:], (total, self.clock)]
        value = sum(x for x, _ in self.recent)
        self.level = self.laplace(value, 1.0, 0.5, self.recent[0][1], end) / 20


@harmless("sliding window over released blocks", "Blocks of ten are released once; the window adds up released blocks.")
class WindowOfReleases(Collecting):
    def setup(self):
        super().setup()
        self.blocks = [[] for _ in range(self.K)]

    def release(self, arm, start, stop):
        self.blocks[arm] = [*self.blocks[arm][-4:], super().release(arm, start, stop)]
        return sum(self.blocks[arm]) / len(self.blocks[arm])


@harmless("release one batch late", "What a batch brought is released after the next one, with the records of its own.")
class DelayedRelease(Episodes):
    waiting = None

    def hear(self, total, count, arm):
        if self.waiting is not None:
            before, pulls, start, which = self.waiting
            self.n[which] = pulls
            self.mean[which] = self.laplace(before, 1.0, 1.0, start, start + pulls) / pulls
        self.batches[arm] += 1
        self.mean[arm] = 0.5 if np.isinf(self.mean[arm]) else self.mean[arm]
        self.waiting = (total, count, self.clock, arm)


@harmless(
    "records name the arm", "Open bags of two arms interleave in time; each release names its arm's rewards only."
)
class RecordsWithArm(Collecting):
    K = 3
    size = 7

    def choose(self):
        return int(self.generator.integers(self.K)) if self.releases < 3 else int(np.argmax(self.mean)), 1


@harmless("fifty arms", "Every arm's batches are disjoint from all others.")
class FiftyArms(Episodes):
    K = 50


@harmless("twenty arms with eliminations", "Arms are dropped by released means; the last one stays.")
class TwentyArms(Single):
    K = 20

    def setup(self):
        self.alive, self.queue, self.mean, self.length = list(range(20)), list(range(20)), {}, 2

    def choose(self):
        return self.queue[0], self.length

    def hear(self, total, count, arm):
        self.mean[arm] = self.laplace(total, 1.0, 1.0, self.clock, self.clock + count) / count
        self.queue.pop(0)
        if not self.queue:
            self.length *= 2
            best = max(self.mean.get(a, 0.0) for a in self.alive)
            self.alive = [a for a in self.alive if self.mean.get(a, 0.0) >= best - 3 / math.sqrt(self.length)] or [0]
            self.queue = list(self.alive)


@harmless("one arm", "There is nothing to choose; lengths follow released sums.")
class OneArm(Episodes):
    K = 1

    def length(self, arm):
        return 1 + int(np.clip(np.nan_to_num(self.mean[0], posinf=0.0) * 4, 0, 8))


@harmless("a release per pull", "Batches of one pull, each reward released once with all of epsilon.")
class ReleasePerPull(Single):
    def setup(self):
        self.sums, self.pulls = np.zeros(2), np.zeros(2)

    def choose(self):
        return int(np.argmax(self.sums / np.maximum(self.pulls, 1) + np.sqrt(2 / np.maximum(self.pulls, 0.5)))), 1

    def hear(self, total, count, arm):
        self.sums[arm] += self.laplace(total, 1.0, 1.0, self.clock, self.clock + count)
        self.pulls[arm] += count


@harmless(
    "halves of ln 2", "Shares are log(2)/k of base e and sum below epsilon for four releases: 0.69 * 25/12 / 1.45."
)
class OddShares(Single):
    def setup(self):
        self.total, self.k, self.level = 0.0, 0, 0.5

    def choose(self):
        return int(self.level < 0.5), 16

    def hear(self, total, count, arm):
        self.total, self.k, end = self.total + total, self.k + 1, self.clock + count
        if self.k <= 4:
            self.level = self.laplace(self.total, 1.0, math.log(2) / self.k / 1.45, 0, end) / end


@harmless("first release after 500 pulls", "Silence until pull 500, then one release per arm, then batches.", pulls=700)
class SilentFor500(Collecting):
    size = 250

    def choose(self):
        return (self.clock % 2, 1) if self.clock < 500 else super().choose()


@harmless(
    "first release after 2,000 pulls", "One release per arm over all its rewards, then a fixed choice.", pulls=2500
)
class SilentFor2000(Single):
    def setup(self):
        self.sums, self.best = np.zeros(2), None

    def choose(self):
        if self.clock < 2000:
            return self.clock // 20 % 2, 20
        if self.best is None:
            noisy = [self.laplace(self.sums[a], 1.0, 1.0, 0, self.clock, a) for a in range(2)]
            self.best = int(np.argmax(noisy))
        return self.best, 20

    def hear(self, total, count, arm):
        if self.best is None:
            self.sums[arm] += total


@harmless("explore 3,000 pulls, then commit", "One vector is released at the end of the exploration.", pulls=3300)
class CommitsOnce(Single):
    K = 3
    best = None

    def setup(self):
        self.sums = np.zeros(3)

    def choose(self):
        if self.best is None and self.clock >= 3000:
            self.best = int(np.argmax(self.laplace(self.sums, 1.0, 1.0, 0, self.clock)))
        return (self.clock // 100 % 3 if self.best is None else self.best), 100

    def hear(self, total, count, arm):
        if self.best is None:
            self.sums[arm] += total


@harmless("very long batches", "Batches of 1,024 pulls, one release each.", pulls=6000)
class VeryLongBatches(Episodes):
    def length(self, arm):
        return 1024


@harmless(
    "raw sums kept to the end and never read", "The raw totals serve a report after the run; 5,000 pulls.", pulls=5000
)
class RawReport(Episodes):
    longest = 256

    def setup(self):
        super().setup()
        self.raw = np.zeros(self.K)

    def hear(self, total, count, arm):
        self.raw[arm] += total
        super().hear(total, count, arm)

    def report(self):
        return self.raw / self.clock


@harmless("rewards before pull 1,000 are ignored", "A burn-in of public length; then honest episodes.", pulls=1400)
class BurnIn(Episodes):
    def choose(self):
        return (self.clock // 50 % 2, 50) if self.clock < 1000 else super().choose()

    def hear(self, total, count, arm):
        if self.clock >= 1000:
            super().hear(total, count, arm)


class PlainArrays(Policy):
    """Written against `Policy` itself, in arrays."""

    def __init__(self, noise, generator):
        super().__init__(arms=2)
        self.noise, self.sums, self.pulls = noise, np.zeros(2), np.zeros(2, dtype=int)
        self.clock = np.zeros(1, dtype=int)
        self.next = np.zeros(1, dtype=int)

    def next_batch(self):
        self.next = np.array([np.argmin(self.pulls) if self.clock[0] < 40 else np.argmax(self.sums / self.pulls)])
        return self.next, np.full(1, 4)

    def observe(self, total, count, arm=None):
        arm = self.next if arm is None else arm
        records = (self.clock, self.clock + count)
        noisy = self.noise.laplace(total, sensitivity=np.ones(1), budget=Budget.pure(np.ones(1)), records=records)
        np.add.at(self.sums, arm, noisy)
        np.add.at(self.pulls, arm, count)
        self.clock = self.clock + count


harmless("arrays all the way", "Every batch of four is released once; sums of releases are post-processing.")(
    lambda noise, generator: PlainArrays(noise, generator)
)


@harmless("sum and its negative at half price", "s and n - s are released with epsilon / 2 each and averaged.")
class BothSides(Episodes):
    def release(self, total, count, arm):
        stop = self.clock + count
        rewards = self.laplace(total, 1.0, 0.5, self.clock, stop)
        losses = self.laplace(count - total, 1.0, 0.5, self.clock, stop)
        return (rewards + count - losses) / 2


@harmless("records wider than the data", "A release of the even batches declares the odd ones before them, too.")
class WideRecords(Episodes):
    before, odd = 0, False

    def hear(self, total, count, arm):
        self.odd = not self.odd
        if self.odd:
            self.before = self.clock
        else:
            super().hear(total, count, arm)

    def release(self, total, count, arm):
        records = between(self.before, self.clock + count)
        value = np.array([total])
        return float(self.noise.laplace(value, sensitivity=1.0, budget=Budget.pure(1.0), records=records)[0])
