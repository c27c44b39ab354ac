"""Bugs: a release moves further than declared, or contains rewards it does not declare."""

from __future__ import annotations

import math

import numpy as np

from banditproof.theory import Budget
from specimens.common import Collecting, Episodes, Single, Threshold, between, bug

MOVES, RECORDS = "sensitivity", "records"


@bug(
    "sum released with the sensitivity of a mean",
    MOVES,
    "The sum of n rewards moves by 1 and 1/n is declared: the noise is n times too small.",
    "self.laplace(total, 1 / count,",
)
class SumAsMean(Episodes):
    def release(self, total, count, arm):
        return self.laplace(total, 1 / count, self.epsilon, self.clock, self.clock + count)


@bug(
    "mean over the arm declared as mean over the run",
    MOVES,
    "The mean of ten rewards of one arm moves by 1/10; declared is 1/clock, which falls below it after ten pulls.",
    "1 / (stop or 1)",
)
class MeanOverRun(Collecting):
    def release(self, arm, start, stop):
        mean = sum(self.bag[arm]) / self.size
        return self.size * self.laplace(mean, 1 / (stop or 1), 1.0, start, stop, arm)


@bug(
    "min-max normalised sum",
    MOVES,
    "Rewards are stretched to [0, 1] by their own range: 0 and nine times 0.1 become a sum of 9; with one of the 0.1 "
    "replaced by 1 the sum is 1.8.",
    "(x - low) / (high - low)",
)
class MinMaxNormalised(Collecting):
    def release(self, arm, start, stop):
        low, high = min(self.bag[arm]), max(self.bag[arm])
        scaled = [(x - low) / (high - low) if high > low else 0.5 for x in self.bag[arm]]
        return self.laplace(sum(scaled), 1.0, self.epsilon, start, stop, arm)


@bug(
    "square of the sum",
    MOVES,
    "The sum is squared before the noise: from 7 to 8 it moves by 15, with sensitivity 1 declared.",
    "self.laplace(total**2, 1.0",
)
class SquaredSum(Episodes):
    longest = 8

    def release(self, total, count, arm):
        return math.sqrt(max(self.laplace(total**2, 1.0, 1.0, self.clock, self.clock + count), 0.0))


@bug(
    "rewards centred to [-1, 1]",
    MOVES,
    "2x - 1 moves by 2 when x goes from 0 to 1; the declared 1 was right before the rewards were centred.",
    "centred = 2 * total - count",
)
class CentredRewards(Episodes):
    def release(self, total, count, arm):
        centred = 2 * total - count
        return (self.laplace(centred, 1.0, 1.0, self.clock, self.clock + count) + count) / 2


@bug(
    "importance-weighted reward",
    MOVES,
    "A reward of the rare arm is divided by its probability 0.2 and moves by 5; sensitivity 1 is declared for both.",
    "total / self.chance[arm]",
)
class ImportanceWeighted(Single):
    chance = (0.8, 0.2)

    def setup(self):
        self.estimate = np.zeros(2)

    def choose(self):
        explore = int(self.generator.random() < 0.2)
        return (explore, 1) if self.clock < 100 else (int(np.argmax(self.estimate)), 1)

    def hear(self, total, count, arm):
        self.estimate[arm] += self.laplace(total / self.chance[arm], 1.0, 1.0, self.clock, self.clock + count)


@bug(
    "sum and sum of squares in one vector",
    MOVES,
    "The pair (sum x, sum x^2) moves by (1, 1), 2 in l1, when 0 becomes 1; 1 is declared.",
    "[sum(bag), sum(x * x for x in bag)], 1.0",
)
class TwoMoments(Collecting):
    def release(self, arm, start, stop):
        bag = self.bag[arm]
        first, second = self.laplace([sum(bag), sum(x * x for x in bag)], 1.0, 1.0, start, stop, arm)
        return (first + second) / 2


@bug(
    "four copies with the l2 norm of one",
    MOVES,
    "The vector (s, s, s, s) moves by 2 in l2 and 1 is declared; their mean has the noise of rho = 4 times the budget.",
    "np.full(4, total), 1.0",
    budget=Budget.zcdp(0.5),
)
class FourCopies(Threshold):
    budget = Budget.zcdp(0.5)

    def release(self, total, start, stop):
        return self.gaussian(np.full(4, total), 1.0, self.budget, start, stop).mean()


@bug(
    "histogram counted as if a reward were added",
    MOVES,
    "Changing one reward takes it out of one bin and puts it into another: 2 in l1, 1 declared.",
    "np.histogram(self.bag[arm], bins=4, range=(0, 1))",
)
class HistogramAddRemove(Collecting):
    size = 20

    def release(self, arm, start, stop):
        counts, edges = np.histogram(self.bag[arm], bins=4, range=(0, 1))
        noisy = self.laplace(counts, 1.0, self.epsilon, start, stop, arm)
        return float(noisy @ ((edges[1:] + edges[:-1]) / 2))


@bug(
    "median with the sensitivity of a mean",
    MOVES,
    "With five 0 and four 1 the median is 0; one more 1 makes it 1. Declared is 1/9.",
    "float(np.median(self.bag[arm])), 1 / 9",
)
class MedianAsMean(Collecting):
    size = 9

    def release(self, arm, start, stop):
        return 9 * self.laplace(float(np.median(self.bag[arm])), 1 / 9, 1.0, start, stop, arm)


@bug(
    "maximum with the sensitivity of a mean",
    MOVES,
    "The maximum of the bag goes from 0 to 1 with one reward; declared is 1/10.",
    "max(self.bag[arm]), sensitivity=0.1",
)
class MaximumAsMean(Collecting):
    def release(self, arm, start, stop):
        return 10 * self.laplace(max(self.bag[arm]), sensitivity=0.1, epsilon=1.0, start=start, stop=stop, arm=arm)


@bug(
    "variance with the sensitivity of its own variance",
    MOVES,
    "The variance of 20 rewards moves by about 1/20 (all 0 against one 1: 0.0475); 1/n^2 = 0.0025 is declared.",
    "np.var(bag), 1 / len(bag) ** 2",
)
class VarianceTooTight(Collecting):
    size = 20

    def release(self, arm, start, stop):
        bag = self.bag[arm]
        mean = self.laplace(sum(bag) / 20, 1 / 20, 0.5, start, stop, arm)
        spread = self.laplace(np.var(bag), 1 / len(bag) ** 2, 0.5, start, stop, arm)
        return 20 * (mean + math.sqrt(max(spread, 0) / 20))


@bug(
    "rounds up to tens before the noise",
    MOVES,
    "Sums of 10 and 11 become 10 and 20: the value moves by 10, with 1 declared.",
    "10 * math.ceil(total / 10)",
)
class RoundsToTens(Episodes):
    def release(self, total, count, arm):
        return self.laplace(10 * math.ceil(total / 10), 1.0, 1.0, self.clock, self.clock + count)


@bug(
    "noisy number of the leading arm",
    MOVES,
    "The number of the raw leader is released with sensitivity 1, but it jumps from 0 to 4 with one reward.",
    "leader = int(np.argmax(self.sums))",
)
class NoisyLeader(Single):
    K = 5

    def setup(self):
        self.sums, self.leader, self.since = np.zeros(5), 0, 0

    def choose(self):
        place = self.clock % 60
        return (place // 10, 10) if place < 50 else (self.leader, 10)

    def hear(self, total, count, arm):
        if self.clock % 60 < 50:
            self.sums[arm] += total
        if self.clock % 60 == 40:
            leader = int(np.argmax(self.sums))
            noisy = self.laplace(leader, 1.0, 1.0, self.since, self.clock + count)
            self.leader, self.since = int(np.clip(round(noisy), 0, 4)), self.clock + count + 10
            self.sums[:] = 0.0


@bug(
    "rewards above their own average",
    MOVES,
    "The number of rewards above the batch average: nine at 0.5 and one at 0 count nine, nine at 0.5 and one at "
    "1 count one.",
    "sum(x > average for x in self.bag[arm])",
)
class AboveAverage(Collecting):
    def release(self, arm, start, stop):
        average = sum(self.bag[arm]) / len(self.bag[arm])
        return self.laplace(sum(x > average for x in self.bag[arm]), 1.0, 1.0, start, stop, arm)


@bug(
    "waiting time per success",
    MOVES,
    "n / (1 + s) falls from n to n/2 when the first success comes; sensitivity 1 is declared at n = 16.",
    "count / (1 + total)",
)
class WaitingTime(Episodes):
    longest = 16

    def release(self, total, count, arm):
        return count - self.laplace(count / (1 + total), 1.0, 1.0, self.clock, self.clock + count)


@bug(
    "sensitivity of the previous batch",
    MOVES,
    "Means are released; the sensitivity is one over the batch before, which is longer whenever the schedule restarts.",
    "1 / self.previous_count",
)
class PreviousSensitivity(Episodes):
    previous_count = 1

    def length(self, arm):
        return (32, 16, 8, 4)[self.batches[arm] % 4]

    def release(self, total, count, arm):
        noisy = count * self.laplace(total / count, 1 / self.previous_count, 1.0, self.clock, self.clock + count)
        self.previous_count = count
        return noisy


@bug(
    "arm three has another unit",
    MOVES,
    "Arm 3 reports percent: its sum is multiplied by 100 before the noise of sensitivity 1, the others are not.",
    "unit = 100 if arm == 3 else 1",
)
class OtherUnit(Episodes):
    K = 4

    def release(self, total, count, arm):
        unit = 100 if arm == 3 else 1
        return super().release(unit * total, count, arm) / unit


@bug(
    "window of eleven declared as ten",
    RECORDS,
    "The last eleven rewards are summed every ten pulls and ten declared: the eleventh is in two releases, 2 epsilon.",
    "self.window[-11:]",
)
class WindowOffByOne(Single):
    def setup(self):
        self.window, self.mean = [], 0.5

    def choose(self):
        return int(self.mean > 0.5), 1

    def hear(self, total, count, arm):
        self.window += [total] + [0.0] * (count - 1)
        end = self.clock + count
        if end // 10 > self.clock // 10:
            self.mean = self.laplace(sum(self.window[-11:]), 1.0, 1.0, end - 10, end) / 11


@bug(
    "sum is never reset",
    RECORDS,
    "Each release sums the arm's rewards from the start but declares the last batch: the first reward is in all "
    "of them.",
    "self.sums[arm] += total",
)
class NeverReset(Episodes):
    def setup(self):
        super().setup()
        self.sums = [0.0] * self.K

    def release(self, total, count, arm):
        self.sums[arm] += total
        return self.laplace(self.sums[arm], 1.0, 1.0, self.clock, self.clock + count) / self.batches[arm]


@bug(
    "sliding windows overlap",
    RECORDS,
    "Windows of 20 are released every 10 pulls and only the new 10 are declared: every reward is paid for once, "
    "used twice.",
    "records=between(end - 10, end)",
)
class SlidingWindow(Single):
    def setup(self):
        self.recent, self.level = [], 0.5

    def choose(self):
        return (0, 10) if self.level > 0.5 else (1, 10)

    def hear(self, total, count, arm):
        end = self.clock + count
        self.recent = [*self.recent[-1:], total]
        value = np.array([sum(self.recent)])
        budget = Budget.pure(1.0)
        noisy = self.noise.laplace(value, sensitivity=1.0, budget=budget, records=between(end - 10, end))
        self.level = float(noisy[0]) / 20


@bug(
    "declares the rewards of the next arm",
    RECORDS,
    "The sum of arm a is released twice and averaged; the second time the records name a + 1, so 2 epsilon look "
    "like one.",
    "(arm + 1) % self.K",
)
class NextArmDeclared(Collecting):
    def release(self, arm, start, stop):
        first = self.laplace(sum(self.bag[arm]), 1.0, 1.0, start, stop, arm)
        second = self.laplace(sum(self.bag[arm]), 1.0, 1.0, start, stop, (arm + 1) % self.K)
        return (first + second) / 2


@bug(
    "total of all arms declared as one arm's",
    RECORDS,
    "The baseline subtracted from arm a sums every arm's bag: a reward in the open bag of an arm that is rarely pulled "
    "moves each release of the other by 1/2, and the records name only that one.",
    "sum(sum(bag) for bag in self.bag) / self.K",
)
class BaselineOfAllArms(Collecting):
    def release(self, arm, start, stop):
        baseline = sum(sum(bag) for bag in self.bag) / self.K
        return 5 + self.laplace(sum(self.bag[arm]) - baseline, 1.0, 1.0, start, stop, arm)


@bug(
    "trial pulls stay in every sum",
    RECORDS,
    "The first two rewards are added to every later sum as a prior, without being declared again.",
    "self.prior + total",
)
class TrialPullsStay(Episodes):
    prior = 0.0

    def hear(self, total, count, arm):
        if self.clock < 2:
            self.prior += total
        super().hear(total, count, arm)

    def release(self, total, count, arm):
        return self.laplace(self.prior + total, 1.0, 1.0, self.clock, self.clock + count)


@bug(
    "clock counts batches",
    RECORDS,
    "Records are taken from a counter of batches, so batch k declares reward k; sums are also kept for two batches.",
    "between(sum(self.batches), sum(self.batches) + 1)",
)
class ClockCountsBatches(Episodes):
    def setup(self):
        super().setup()
        self.kept = [0.0] * self.K

    def release(self, total, count, arm):
        value, self.kept[arm] = self.kept[arm] + total, total
        records = between(sum(self.batches), sum(self.batches) + 1)
        return (
            float(self.noise.laplace(np.array([value]), sensitivity=1.0, budget=Budget.pure(1.0), records=records)[0])
            / 2
        )


@bug(
    "reset only when the arm changes",
    RECORDS,
    "Two batches of the same arm in a row keep adding to one sum, while the records are those of the second.",
    "if arm != self.last_arm:",
)
class ResetOnChange(Episodes):
    last_arm, running = -1, 0.0

    def release(self, total, count, arm):
        if arm != self.last_arm:
            self.running = 0.0
        self.running, self.last_arm = self.running + total, arm
        return self.laplace(self.running, 1.0, 1.0, self.clock, self.clock + count)


@bug(
    "neighbouring batches share a reward",
    RECORDS,
    "Each batch of five is summed with half of the one before, which is not declared: cost 1 + 1/2 per reward.",
    "total + 0.5 * self.before",
)
class HalfOfTheOneBefore(Episodes):
    before = 0.0

    def length(self, arm):
        return 5

    def release(self, total, count, arm):
        value, self.before = total + 0.5 * self.before, total
        return self.laplace(value, 1.0, 1.0, self.clock, self.clock + count) / 1.5
