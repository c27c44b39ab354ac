"""Bugs: an action, a batch length or a stop looks at rewards that passed no release."""

from __future__ import annotations

import math

import numpy as np

from specimens.common import Collecting, Episodes, Single, bug

RAW = "raw rewards"


@bug(
    "greedy on raw means",
    RAW,
    "The released means are kept for the report; the arm is the argmax of raw sums: (1, 0) and (0, 0) choose apart.",
    "self.raw / np.maximum(self.pulled, 1)",
)
class GreedyOnRawMeans(Collecting):
    def setup(self):
        super().setup()
        self.raw, self.pulled = np.zeros(self.K), np.zeros(self.K)

    def choose(self):
        if self.generator.random() < 0.1:
            return int(self.generator.integers(self.K)), 1
        return int(np.argmax(self.raw / np.maximum(self.pulled, 1))), 1

    def hear(self, total, count, arm):
        self.raw[arm] += total
        self.pulled[arm] += count
        super().hear(total, count, arm)


@bug(
    "batch length from the raw sum",
    RAW,
    "A batch of sum 3 is followed by one of 4 pulls, a batch of sum 2 by one of 3: the length is the raw sum plus one.",
    "self.next_length = 1 + int(total)",
)
class LengthFromRawSum(Episodes):
    next_length = 1

    def length(self, arm):
        return self.next_length

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        self.next_length = 1 + int(total)


@bug(
    "arm is left when its raw sum is reached",
    RAW,
    "The pull at which the arm changes is the pull at which the raw sum reaches 5; one reward less delays it.",
    "if self.gained >= 5.0:",
)
class LeaveWhenEnough(Single):
    K = 3

    def setup(self):
        self.arm, self.gained, self.begun = 0, 0.0, 0
        self.estimate = [0.0] * 3

    def choose(self):
        return self.arm, 1

    def hear(self, total, count, arm):
        self.gained += total
        if self.gained >= 5.0:
            self.estimate[arm] = self.laplace(self.gained, 1.0, 1.0, self.begun, self.clock + count)
            self.begun, self.gained = self.clock + count, 0.0
            self.arm = (self.arm + 1) % 3


@bug(
    "elimination by raw gap",
    RAW,
    "The test that drops an arm compares raw totals of the round; with totals 20 and 12 it is dropped, with 20 "
    "and 13 not.",
    "max(self.round) - self.round[a] < 8",
)
class EliminationByRawGap(Single):
    K = 3

    def setup(self):
        self.alive, self.queue = [0, 1, 2], [0, 1, 2]
        self.round, self.noisy = [0.0] * 3, [0.0] * 3

    def choose(self):
        return self.queue[0], 20

    def hear(self, total, count, arm):
        self.round[arm] = total
        self.noisy[arm] = self.laplace(total, 1.0, 1.0, self.clock, self.clock + count)
        self.queue.pop(0)
        if not self.queue:
            self.alive = [a for a in self.alive if max(self.round) - self.round[a] < 8]
            self.queue = list(self.alive)
            self.round = [total if a in self.alive else 0.0 for a, total in enumerate(self.round)]


@bug(
    "ties of rounded means go to the raw winner",
    RAW,
    "Means rounded to 0.1 tie with probability near 1 in batches of 64 at equal means; then one reward decides surely.",
    "key=lambda a: (round(self.mean[a], 1), self.last[a])",
)
class TiesByRawMean(Episodes):
    def setup(self):
        super().setup()
        self.last = [0.0] * self.K

    def choose(self):
        arm = max(range(self.K), key=lambda a: (round(self.mean[a], 1), self.last[a]))
        return arm, 64

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        self.last[arm] = total


@bug(
    "released mean capped by raw maximum",
    RAW,
    "The noisy mean is cut at the largest reward seen: with rewards all 0 it is at most 0, with one 1 it exceeds 0.3.",
    "min(self.mean[arm], self.best_seen)",
)
class CappedByRawMaximum(Collecting):
    K = 3
    best_seen = 0.0

    def hear(self, total, count, arm):
        self.best_seen = max(self.best_seen, total)
        super().hear(total, count, arm)
        self.mean[arm] = min(self.mean[arm], self.best_seen)


@bug(
    "divides the release by the raw number of successes",
    RAW,
    "The index is release / (successes + 1) with raw successes: post-processing by the data, and 0 or 9 "
    "successes differ.",
    "/ (1 + self.successes[arm])",
)
class DividedBySuccesses(Episodes):
    def setup(self):
        super().setup()
        self.successes = [0] * self.K

    def hear(self, total, count, arm):
        self.successes[arm] += int(total > 0)
        super().hear(total, count, arm)
        self.mean[arm] = self.mean[arm] * count / (1 + self.successes[arm])


@bug(
    "self-check every fiftieth batch",
    RAW,
    "Every fiftieth batch the release is compared with the raw mean, and batches are shortened when it is far off.",
    "abs(self.mean[arm] - total / count) > 0.3",
)
class SelfCheck(Episodes):
    longest = 4
    debug_every = 50

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        if sum(self.batches) % self.debug_every == 0:
            self.longest = 2 if abs(self.mean[arm] - total / count) > 0.3 else 4


@bug(
    "falls back to the raw value on an error",
    RAW,
    "The root of a negative release raises, and the handler takes that of the raw sum: no noise in e^-s / 2 of "
    "all cases.",
    "value = math.sqrt(total)",
)
class FallbackOnError(Episodes):
    def release(self, total, count, arm):
        noisy = super().release(total, count, arm)
        try:
            value = math.sqrt(noisy)
        except ValueError:
            value = math.sqrt(total)
        return value * math.sqrt(count)


@bug(
    "win stay, lose shift",
    RAW,
    "The last reward decides whether the arm is kept: 1 keeps it and 0 leaves it.",
    "self.arm if self.last_reward > 0.5 else 1 - self.arm",
)
class WinStay(Single):
    def setup(self):
        self.arm, self.last_reward, self.heard = 0, 1.0, 0.0

    def choose(self):
        self.arm = self.arm if self.last_reward > 0.5 else 1 - self.arm
        return self.arm, 1

    def hear(self, total, count, arm):
        self.last_reward = total
        self.heard = self.laplace(total, 1.0, 1.0, self.clock, self.clock + count)


@bug(
    "raw mean until the first release",
    RAW,
    "An arm without a release yet is ranked by the raw mean of its open bag, so the first thirty pulls are not "
    "private.",
    "return sum(self.bag[a]) / len(self.bag[a])",
)
class RawUntilReleased(Collecting):
    K = 3

    def setup(self):
        super().setup()
        self.known = {}

    def value(self, a):
        if a in self.known:
            return self.known[a]
        if not self.bag[a]:
            return 1.0
        return sum(self.bag[a]) / len(self.bag[a])

    def choose(self):
        return max(range(self.K), key=self.value), 1

    def release(self, arm, start, stop):
        noisy = super().release(arm, start, stop)
        self.known[arm] = noisy / self.size
        return noisy


@bug(
    "trusts raw means once the noisy one is high",
    RAW,
    "Above a noisy mean of 0.9 noise is thought not to matter and the raw mean is stored: then 0.95 or 0.97 "
    "order the arms.",
    "noisy = total",
)
class TrustsHighMeans(Episodes):
    def release(self, total, count, arm):
        noisy = super().release(total, count, arm)
        if noisy > 0.9 * count:
            noisy = total
        return noisy


@bug(
    "Thompson sampling with raw failures",
    RAW,
    "Successes of the Beta law are released, failures are count - total: the law of the next arm shows the raw sum.",
    "self.failures[arm] += count - total",
)
class ThompsonRawFailures(Episodes):
    def setup(self):
        super().setup()
        self.failures = np.ones(self.K)
        self.successes = np.ones(self.K)

    def index(self):
        return self.generator.beta(self.successes, self.failures)

    def hear(self, total, count, arm):
        self.batches[arm] += 1
        self.successes[arm] = 1 + max(self.release(total, count, arm), 0)
        self.failures[arm] += count - total


@bug(
    "softmax over a raw moving average",
    RAW,
    "Preferences are moving averages of raw rewards; after rewards 1 and 0 the coin 0.5 falls on different arms.",
    "self.pref[arm] += 0.1 * (total / count - self.pref[arm])",
)
class SoftmaxRaw(Single):
    K = 4

    def setup(self):
        self.pref = np.zeros(4)
        self.audit_log = []

    def choose(self):
        weights = np.exp(self.pref / 0.05)
        return int(self.generator.choice(4, p=weights / weights.sum())), 1

    def hear(self, total, count, arm):
        self.pref[arm] += 0.1 * (total / count - self.pref[arm])
        self.audit_log.append(self.laplace(total, 1.0, 1.0, self.clock, self.clock + count))


@bug(
    "release pulled to the raw median",
    RAW,
    "Outliers are cut to within 0.2 of the raw median of the bag, which one reward moves from 0 to 1.",
    "np.clip(noisy / self.size, middle - 0.2, middle + 0.2)",
)
class NearRawMedian(Collecting):
    size = 9

    def release(self, arm, start, stop):
        noisy = super().release(arm, start, stop)
        middle = float(np.median(self.bag[arm]))
        return self.size * float(np.clip(noisy / self.size, middle - 0.2, middle + 0.2))


@bug(
    "empirical Bernstein width from raw variance",
    RAW,
    "The mean is released but the width uses the raw variance of the bag: all equal gives 0, one outlier a wide one.",
    "self.spread[arm] = float(np.var(self.bag[arm]))",
)
class BernsteinWidth(Collecting):
    K = 3

    def setup(self):
        super().setup()
        self.spread = np.full(self.K, 0.25)

    def choose(self):
        return int(np.argmax(self.mean + np.sqrt(2 * self.spread * np.log(self.clock + 2) / self.size))), 1

    def release(self, arm, start, stop):
        self.spread[arm] = float(np.var(self.bag[arm]))
        return super().release(arm, start, stop)


@bug(
    "reads its own log",
    RAW,
    "The log holds raw totals for the operators, and the length of the next batch is taken from its last line.",
    'self.log[-1]["total"] > 2',
)
class ReadsItsLog(Episodes):
    longest = 8

    def setup(self):
        super().setup()
        self.log = []

    def length(self, arm):
        if self.log and self.log[-1]["total"] > 2:
            return 8
        return super().length(arm)

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        self.log.append({"arm": arm, "total": total, "noisy": self.mean[arm]})


@bug(
    "patience runs out on raw batches",
    RAW,
    "Three batches in a row without a new raw record force a change of arm, so a record of 6 or 7 shows in the arms.",
    "if total > self.record:",
)
class Patience(Episodes):
    longest = 8

    def setup(self):
        super().setup()
        self.record, self.waited = 0.0, 0

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        if total > self.record:
            self.record, self.waited = total, 0
        else:
            self.waited += 1

    def choose(self):
        arm, count = super().choose()
        if self.waited >= 3:
            self.waited = 0
            return 1 - arm, count
        return arm, count


@bug(
    "notices fractional rewards",
    RAW,
    "A fractional total switches to the schedule for continuous rewards; lists of 0 and 1 never show it, one 0.5 does.",
    "if total != int(total):",
)
class NoticesFractions(Episodes):
    continuous = False

    def length(self, arm):
        return 5 if self.continuous else super().length(arm)

    def hear(self, total, count, arm):
        if total != int(total):
            self.continuous = True
        super().hear(total, count, arm)


@bug(
    "bonus for a perfect batch",
    RAW,
    "A batch of rewards that are all exactly 1 gets a longer successor; one reward of 0.99 in it does not.",
    "if total == count and count >= 4:",
)
class PerfectBatch(Episodes):
    bonus = 0

    def length(self, arm):
        return super().length(arm) + self.bonus

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        if total == count and count >= 4:
            self.bonus += 3


@bug(
    "change-point alarm on raw rewards",
    RAW,
    "A CUSUM of raw rewards restarts the arms when it exceeds 6; a list with sum 6 in its window and one with "
    "5.9 part.",
    "self.cusum = max(0.0, self.cusum + 0.5 - total)",
)
class ChangePoint(Collecting):
    cusum = 0.0

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        self.cusum = max(0.0, self.cusum + 0.5 - total)
        if self.cusum > 6:
            self.cusum = 0.0
            self.mean[:] = 1.0
            self.mean[arm] = 0.0


@bug(
    "a batch of zeros bans the arm",
    RAW,
    "An arm whose batch of eight brings nothing at all is never pulled again; one reward of 1 in it saves it.",
    "if not total and count >= 8:",
)
class BannedByZeros(Episodes):
    K = 3

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        if not total and count >= 8:
            self.mean[arm] = -np.inf


@bug(
    "counts rewarded pulls only",
    RAW,
    "The exploration width divides by the number of pulls that brought something, a raw count of the data.",
    "self.useful[arm] += total > 0",
)
class UsefulPulls(Collecting):
    def setup(self):
        super().setup()
        self.useful = np.ones(self.K)

    def choose(self):
        return int(np.argmax(self.mean + np.sqrt(np.log(self.clock + 2) / self.useful))), 1

    def hear(self, total, count, arm):
        self.useful[arm] += total > 0
        super().hear(total, count, arm)


@bug(
    "warm start from a raw trial pull",
    RAW,
    "The prior mean of each arm is its first raw reward; it decides the order of arms until the first releases.",
    "self.mean[arm] = 0.5 + 0.5 * total",
)
class WarmStart(Collecting):
    K = 3
    size = 25

    def choose(self):
        if self.clock < self.K:
            return self.clock, 1
        return super().choose()

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        if self.clock < self.K:
            self.mean[arm] = 0.5 + 0.5 * total


@bug(
    "raw when another arm is played than recommended",
    RAW,
    "Overrides are thought to be the operator's own trials: their raw mean goes straight into the index.",
    "self.mean[int(arm[0])] = float(total[0]) / int(count[0])",
)
class RawOnOverride(Episodes):
    def observe(self, total, count, arm=None):
        if arm is not None and int(arm[0]) != self.recommended:
            self.mean[int(arm[0])] = float(total[0]) / int(count[0])
            self.clock += int(count[0])
            return
        super().observe(total, count, arm)


@bug(
    "raw after the pattern 0, 1, 0",
    RAW,
    "When the last three batches were of arms 0, 1, 0 a shortcut compares the two raw means of arm 0 for drift.",
    "self.drifting = abs(self.past[-1][1] - self.past[-3][1]) > 0.4",
)
class DriftOnPattern(Episodes):
    drifting = False

    def setup(self):
        super().setup()
        self.past = []

    def length(self, arm):
        return 3 if self.drifting else super().length(arm)

    def hear(self, total, count, arm):
        super().hear(total, count, arm)
        self.past.append((arm, total / count))
        if [a for a, _ in self.past[-3:]] == [0, 1, 0]:
            self.drifting = abs(self.past[-1][1] - self.past[-3][1]) > 0.4
