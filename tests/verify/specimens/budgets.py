"""Bugs: the releases together spend more on one reward than the budget, or their declaration depends on rewards."""

from __future__ import annotations

import math

import numpy as np

from banditproof.theory import Budget
from specimens.common import Collecting, Episodes, Single, Threshold, bug

SPENT, DECLARED = "budget", "declaration"


@bug(
    "prefix sums at full budget",
    SPENT,
    "Every pull releases the sum of all rewards of the arm with all of epsilon: the first reward is in every release.",
    "self.laplace(self.sums[arm], 1.0, 1.0, 0, self.clock + count, arm)",
)
class PrefixSums(Single):
    def setup(self):
        self.sums, self.pulls, self.mean = np.zeros(2), np.zeros(2), np.ones(2)

    def choose(self):
        return int(np.argmax(self.mean)), 1

    def hear(self, total, count, arm):
        self.sums[arm] += total
        self.pulls[arm] += count
        noisy = self.laplace(self.sums[arm], 1.0, 1.0, 0, self.clock + count, arm)
        self.mean[arm] = noisy / self.pulls[arm]


@bug(
    "doubling without forgetting",
    SPENT,
    "Episodes double but sums go on from the start of the run: log T releases of epsilon each contain the first "
    "reward.",
    "self.everything[arm] += total",
)
class DoublingKeepsAll(Episodes):
    def setup(self):
        super().setup()
        self.everything, self.pulls = np.zeros(self.K), np.zeros(self.K)

    def release(self, total, count, arm):
        self.everything[arm] += total
        self.pulls[arm] += count
        noisy = self.laplace(self.everything[arm], 1.0, 1.0, 0, self.clock + count, arm)
        return noisy * count / self.pulls[arm]


@bug(
    "halves for three",
    SPENT,
    "Sum, square sum and success count get epsilon / 2 each: 3/2 epsilon for a reward that goes from 0 to 1.",
    "half = self.epsilon / 2",
)
class HalvesForThree(Collecting):
    def release(self, arm, start, stop):
        half = self.epsilon / 2
        bag = self.bag[arm]
        first = self.laplace(sum(bag), 1.0, half, start, stop, arm)
        second = self.laplace(sum(x * x for x in bag), 1.0, half, start, stop, arm)
        third = self.laplace(sum(x > 0 for x in bag), 1.0, half, start, stop, arm)
        return (first + second + third) / 3


@bug(
    "geometric split from one",
    SPENT,
    "Prefix release k spends epsilon / 2^k with k counted from 0: the series sums to 2 epsilon.",
    "self.epsilon / 2**self.k",
)
class GeometricFromOne(Single):
    epsilon = 1.0

    def setup(self):
        self.total, self.k, self.level = 0.0, 0, 0.5

    def choose(self):
        return (0 if self.level > 0.5 else 1), 8

    def hear(self, total, count, arm):
        self.total += total
        if self.k < 12:
            end = self.clock + count
            self.level = self.laplace(self.total, 1.0, self.epsilon / 2**self.k, 0, end) / end
            self.k += 1


@bug(
    "harmonic split",
    SPENT,
    "Prefix release k spends epsilon / k: the harmonic series passes epsilon at the second release and diverges.",
    "1.0 / self.k",
)
class HarmonicSplit(Single):
    def setup(self):
        self.total, self.k, self.level = 0.0, 0, 0.5

    def choose(self):
        return int(self.level < 0.5), 8

    def hear(self, total, count, arm):
        self.total, self.k = self.total + total, self.k + 1
        end = self.clock + count
        self.level = self.laplace(self.total, 1.0, 1.0 / self.k, 0, end) / end


class Tree(Single):
    """Binary counter: node [i 2^h, (i+1) 2^h) is released when it is full; `share` is what a level may spend."""

    height = 5  # a forest of trees over 32 pulls

    def setup(self):
        self.open = [0.0] * (self.height + 1)
        self.known = []  # (start, stop, noisy) of the maximal full nodes of this tree
        self.level = 0.5

    def share(self, h):
        return 1.0 / (self.height + 1)

    def choose(self):
        return int(self.level < 0.5), 1

    def hear(self, total, count, arm):
        for _ in range(count):
            self.step(total)
            total = 0.0
            self.clock += 1
        self.clock -= count

    def step(self, reward):
        end = self.clock + 1
        for h in range(self.height + 1):
            self.open[h] += reward
            if end % 2**h == 0:
                noisy = self.laplace(self.open[h], 1.0, self.share(h), end - 2**h, end)
                self.known = [node for node in self.known if node[0] < end - 2**h] + [(end - 2**h, end, noisy)]
                self.open[h] = 0.0
        begin = (end - 1) // 2**self.height * 2**self.height
        self.known = [node for node in self.known if node[0] >= begin]
        self.level = sum(noisy for *_, noisy in self.known) / (end - begin)


@bug(
    "tree with natural logarithm",
    SPENT,
    "A reward is in 6 nodes, but the share is epsilon over int(log 32) + 1 = 4 levels: 6/4 epsilon.",
    "int(math.log(2**self.height)) + 1",
)
class NaturalLogTree(Tree):
    def share(self, h):
        levels = int(math.log(2**self.height)) + 1
        return 1.0 / levels


@bug(
    "tree without the root's share",
    SPENT,
    "The share is epsilon / height, but there are height + 1 levels: 6/5 epsilon.",
    "1.0 / self.height",
)
class TreeOneShort(Tree):
    def share(self, h):
        return 1.0 / self.height


@bug(
    "tree at full budget per node",
    SPENT,
    "Each node is thought to be disjoint from the others; every reward lies in one node of each of the four levels.",
    "return 1.0  # nodes",
)
class FullBudgetTree(Tree):
    height = 3

    def share(self, h):
        return 1.0  # nodes of a level are disjoint


@bug(
    "rho taken for epsilon",
    SPENT,
    "Promised is rho = 1/8, the zCDP of epsilon = 1/2; the noise is drawn for rho = 1/2: four times the budget.",
    "Budget.zcdp(EPSILON)",
    budget=Budget.zcdp(0.125),
)
class RhoForEpsilon(Threshold):
    def release(self, total, start, stop):
        EPSILON = 0.5
        return self.gaussian(total, 1.0, Budget.zcdp(EPSILON), start, stop)


@bug(
    "epsilon from rho without the two",
    SPENT,
    "rho = 1/2 allows mu = 1; the code takes mu = 2 rho^(1/2) = 1.41: rho is spent twice.",
    "Budget.gdp(2 * math.sqrt(0.5))",
    budget=Budget.zcdp(0.5),
)
class MuFromRho(Threshold):
    def release(self, total, start, stop):
        return self.gaussian(total, 1.0, Budget.gdp(2 * math.sqrt(0.5)), start, stop)


@bug(
    "mu split by the root of half the releases",
    SPENT,
    "The budget is split over two releases, but the sum is released four times: mu / sqrt 2 four times is mu sqrt 2.",
    "Budget.gdp(1 / math.sqrt(2))",
    budget=Budget.gdp(1.0),
)
class MuSplitWrongly(Threshold):
    def release(self, total, start, stop):
        share = Budget.gdp(1 / math.sqrt(2))
        return sum(self.gaussian(total, 1.0, share, start, stop) for _ in range(4)) / 4


@bug(
    "twice the approximate budget",
    SPENT,
    "The sum is released for the index and again for the width, each (1, 1e-5): mu is sqrt 2 times what that allows.",
    "for purpose in",
    budget=Budget.approximate(1.0, 1e-5),
)
class TwiceApproximate(Threshold):
    budget = Budget.approximate(1.0, 1e-5)

    def release(self, total, start, stop):
        noisy = {}
        for purpose in ("index", "width"):
            noisy[purpose] = self.gaussian(total, 1.0, self.budget, start, stop)
        return (noisy["index"] + noisy["width"]) / 2


@bug(
    "fresh release on every cache miss",
    SPENT,
    "The cache is keyed by the clock, so every look at the same old sum draws fresh noise with all of epsilon.",
    "if (arm, self.clock) not in self.cache:",
)
class CacheMiss(Episodes):
    def setup(self):
        super().setup()
        self.cache, self.data = {}, {}

    def hear(self, total, count, arm):
        self.batches[arm] += 1
        self.n[arm] = count
        self.data[arm] = (total, self.clock, self.clock + count)

    def index(self):
        return np.array([self.look(a) if a in self.data else np.inf for a in range(self.K)])

    def look(self, arm):
        total, start, stop = self.data[arm]
        if (arm, self.clock) not in self.cache:
            self.cache[arm, self.clock] = self.laplace(total, 1.0, 1.0, start, stop)
        return self.cache[arm, self.clock] / (stop - start)


@bug(
    "one release for the index, one for the length",
    SPENT,
    "The next length is made of a second release of the same sum, with all of epsilon again: 2 epsilon.",
    "again = self.laplace(total, 1.0, self.epsilon",
)
class IndexAndLength(Episodes):
    extra = 0

    def length(self, arm):
        return 4 + self.extra

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        again = self.laplace(total, 1.0, self.epsilon, self.clock, self.clock + count)
        self.extra = int(np.clip(again, 0, 12))


@bug(
    "retries until the release is plausible",
    SPENT,
    "Outside [0, n] it draws again, at most three times: at sum 0 one half is rejected, at sum 1 0.18, so an output "
    "just above 0 has odds e * 1.875 / 1.222 = e^1.43.",
    "while not 0 <= noisy <= count and tries < 3:",
)
class Retries(Episodes):
    def release(self, total, count, arm):
        noisy, tries = super().release(total, count, arm), 0
        while not 0 <= noisy <= count and tries < 3:
            noisy, tries = super().release(total, count, arm), tries + 1
        return noisy


@bug(
    "amplified by a sample that is public",
    SPENT,
    "Every tenth reward is released alone with 10 epsilon, as if the sample were secret; it is the multiples of ten.",
    "10 * self.epsilon",
)
class PublicSample(Single):
    epsilon = 1.0

    def setup(self):
        self.mean = np.full(2, 1.0)

    def choose(self):
        return int(np.argmax(self.mean)), 1

    def hear(self, total, count, arm):
        if self.clock % 10 == 0:
            noisy = self.laplace(total, 1.0, 10 * self.epsilon, self.clock, self.clock + count)
            self.mean[arm] += 0.3 * (noisy - self.mean[arm])


@bug(
    "other Renyi order",
    SPENT,
    "Promised is epsilon = 1 at order 8; noise is drawn for order 2, whose variance is four times smaller.",
    "Budget.rdp(2, 1.0)",
    budget=Budget.rdp(8, 1.0),
)
class OtherOrder(Threshold):
    def release(self, total, start, stop):
        return self.gaussian(total, 1.0, Budget.rdp(2, 1.0), start, stop)


@bug(
    "from the third release on nothing is forgotten",
    SPENT,
    "From the third release on the arm's sum is no longer emptied: later releases repeat its rewards, each with "
    "epsilon.",
    "if self.batches[arm] < 3:",
)
class ForgetsThreeTimes(Episodes):
    def setup(self):
        super().setup()
        self.sums, self.since = [0.0] * self.K, [0] * self.K

    def release(self, total, count, arm):
        if self.batches[arm] < 3:
            self.sums[arm], self.since[arm] = 0.0, self.clock
        self.sums[arm] += total
        return self.laplace(self.sums[arm], 1.0, 1.0, self.since[arm], self.clock + count, arm)


@bug(
    "pairs of arms released together again",
    SPENT,
    "Each arm's sum is released, then the difference of both sums: every reward pays epsilon twice.",
    "self.pair[0] - self.pair[1], 1.0, 1.0",
)
class PairsAgain(Single):
    def setup(self):
        self.pair, self.score, self.round = [0.0, 0.0], 0.0, 0

    def choose(self):
        place = self.round % 3
        return (place, 10) if place < 2 else (int(self.score > 0), 10)

    def hear(self, total, count, arm):
        end, place = self.clock + count, self.round % 3
        if place < 2:
            self.pair[place] = total
            own = self.laplace(total, 1.0, 1.0, self.clock, end)
            self.score += own if place else -own
        if place == 1:
            self.score -= self.laplace(self.pair[0] - self.pair[1], 1.0, 1.0, end - 20, end)
        if place == 2:
            self.score = 0.0
        self.round += 1


@bug(
    "sensitivity is the largest reward seen",
    DECLARED,
    "The scale is the maximum of the bag: rewards of at most 0.1 get noise 0.1, one reward of 1 gets ten times "
    "as much.",
    "largest = max(self.bag[arm])",
)
class LargestSeen(Collecting):
    def release(self, arm, start, stop):
        largest = max(self.bag[arm])
        return self.laplace(sum(self.bag[arm]), largest, self.epsilon, start, stop, arm)


@bug(
    "more budget for rich batches",
    DECLARED,
    "epsilon is 1 when the raw sum exceeds half of the batch and 1/4 below: the scale of the noise tells which.",
    "1.0 if total > count / 2 else 0.25",
)
class RichBatches(Episodes):
    def release(self, total, count, arm):
        epsilon = 1.0 if total > count / 2 else 0.25
        return self.laplace(total, 1.0, epsilon, self.clock, self.clock + count)


@bug(
    "nothing to release, nothing released",
    DECLARED,
    "An empty batch is not released but set to 0 exactly: a 0 without noise says that all rewards were 0.",
    "if total == 0:",
)
class NothingToRelease(Episodes):
    def release(self, total, count, arm):
        if total == 0:
            return 0.0
        return super().release(total, count, arm)


@bug(
    "records begin at the first success",
    DECLARED,
    "The records, and from them the length n of the mean, begin at the first reward above 0 in the bag.",
    "skipped = next(",
)
class RecordsFromSuccess(Collecting):
    def release(self, arm, start, stop):
        skipped = next((i for i, x in enumerate(self.bag[arm]) if x > 0), 0)
        noisy = self.laplace(sum(self.bag[arm]), 1.0, 1.0, start + skipped, stop, arm)
        return noisy * self.size / (self.size - skipped)


@bug(
    "sensitivity from the empirical mean",
    DECLARED,
    "The scale of the noise is the raw mean (at least 0.01): all 0 has noise 0.01 and is told from one 1 at once.",
    "max(total / count, 0.01)",
)
class SensitivityFromMean(Episodes):
    def release(self, total, count, arm):
        return self.laplace(total, max(total / count, 0.01), 1.0, self.clock, self.clock + count)


@bug(
    "local sensitivity of the median",
    DECLARED,
    "The gap between the neighbours of the median is the local sensitivity; it is 0 when they agree and 1 after "
    "a change or two.",
    "local = max(ordered[5] - ordered[4], ordered[4] - ordered[3])",
)
class LocalSensitivity(Collecting):
    size = 9

    def release(self, arm, start, stop):
        ordered = sorted(self.bag[arm])
        local = max(ordered[5] - ordered[4], ordered[4] - ordered[3])
        return 9 * self.laplace(ordered[4], local, 1.0, start, stop, arm)


@bug(
    "released only when it changed",
    DECLARED,
    "A batch whose raw sum equals the arm's last one is not released again: equal sums keep the old noise, "
    "others do not.",
    "if self.before.get(arm) == (total, count):",
)
class OnlyWhenChanged(Episodes):
    longest = 2

    def setup(self):
        super().setup()
        self.before, self.noisy = {}, {}

    def release(self, total, count, arm):
        if self.before.get(arm) == (total, count):
            return self.noisy[arm]
        self.before[arm] = (total, count)
        self.noisy[arm] = super().release(total, count, arm)
        return self.noisy[arm]


@bug(
    "one coordinate per distinct reward",
    DECLARED,
    "The histogram has a coordinate per distinct reward: a new value changes the shape of the release, and is "
    "its weight.",
    "sorted(set(self.bag[arm]))",
)
class DistinctRewards(Collecting):
    def release(self, arm, start, stop):
        values = sorted(set(self.bag[arm]))
        counts = [self.bag[arm].count(v) for v in values]
        noisy = self.laplace(counts, 2.0, 1.0, start, stop, arm)
        return float(noisy @ np.array(values))


@bug(
    "stops spending when the mean looks clear",
    DECLARED,
    "Arms whose raw mean is far from 1/2 get half of epsilon, since less precision is needed there: the scale is data.",
    "abs(mean - 0.5) > 0.4",
)
class ClearMeans(Collecting):
    def release(self, arm, start, stop):
        mean = sum(self.bag[arm]) / len(self.bag[arm])
        epsilon = 0.5 if abs(mean - 0.5) > 0.4 else 1.0
        return self.laplace(sum(self.bag[arm]), 1.0, epsilon, start, stop, arm)
