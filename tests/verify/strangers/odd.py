"""What a reviewer would stop at, and what is private all the same."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPUCB
from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.policy import Policy
from banditproof.theory.privacy.budget import Budget
from strangers.common import ONE, Singles, WinStay, harmless


@harmless("self.means.mean()", "Shrinking released means towards each other is post-processing.")
class JamesStein(WinStay):
    """Every arm's released mean is shrunk towards the average of all."""

    def start(self):
        self.means = np.full(3, 0.5)

    def hear(self, total, count):
        self.means[self.current] = self.release(total, count) / count
        shrunk = 0.8 * self.means + 0.2 * self.means.mean()
        self.current = int(np.argmax(shrunk + self.generator.random(3) / 10))


@harmless("sensitivity=2.0", "More sensitivity is declared than there is: scale 2, so epsilon / 2 is spent.")
class Cautious(WinStay):
    """Has lost count whether neighbours add or replace a reward."""

    def hear(self, total, count):
        self.decide(self.release(total, count, sensitivity=2.0) / count)


class Renaming(Policy):
    """Plays another policy with the arms under other names."""

    def __init__(self, inner, names):
        super().__init__(inner.arms)
        self.inner, self.names = inner, np.asarray(names)

    def next_batch(self):
        arm, count = self.inner.next_batch()
        return self.names[arm], count

    def observe(self, total, count, arm=None):
        self.inner.observe(total, count, None if arm is None else np.argsort(self.names)[arm])


@harmless(
    "np.random.default_rng(7).permutation(3)",
    "The order of the arms comes from a generator of its own, but is the same whatever the rewards are.",
)
class Shuffled(Renaming):
    """Against position bias, arms are shuffled once."""

    def __init__(self, noise, generator):
        inner = DPIMED(3, ONE, GeometricBatches(2), noise, generator=generator)
        super().__init__(inner, np.random.default_rng(7).permutation(3))


@harmless("self.queue.pop(0)", "A released value is used two blocks later: post-processing.")
class Delayed(WinStay):
    """Feedback arrives with a delay."""

    def start(self):
        self.queue = []

    def hear(self, total, count):
        self.queue.append(self.release(total, count) / count)
        if len(self.queue) > 2:
            self.decide(self.queue.pop(0))


@harmless(
    "self.waiting = (total, count, self.clock)",
    "The exact sum waits, but only for its release: that is made before the next action, unless a fixed clock says no "
    "action will look at it.",
)
class LazyRelease(WinStay):
    """Releases a block when somebody asks for its mean, which is so for every second block."""

    def start(self):
        self.waiting, self.blocks = None, 0

    def hear(self, total, count):
        self.waiting = (total, count, self.clock)
        self.blocks += 1

    def next_batch(self):
        if self.waiting is not None and self.blocks % 2 == 0:
            total, count, start = self.waiting
            self.waiting = None
            records = (np.array([start]), np.array([start + count]))
            self.decide(self.noise.laplace(np.array([total]), sensitivity=1.0, budget=ONE, records=records)[0] / count)
        return super().next_batch()


@harmless("self.memo[key]", "What is cached is a released value, and the key is the number of the block.")
class MemoByBlock(WinStay):
    """Releases a block once and looks it up afterwards."""

    def start(self):
        self.memo = {}

    def hear(self, total, count):
        for _ in range(3):
            key = self.clock
            if key not in self.memo:
                self.memo[key] = self.release(total, count)
        self.decide(self.memo[key] / count)


@harmless(
    "self.log.append",
    "Exact sums are logged and summed up for a report; no action reads them, and the assertion holds for all rewards.",
)
class Logged(WinStay):
    """Metrics."""

    def start(self):
        self.log, self.best = [], 0.0

    def hear(self, total, count):
        self.log.append({"arm": self.current, "mean": total / count})
        assert 0 <= total <= count, "rewards lie in [0, 1]"
        self.best = max(self.best, self.report["mean"])
        super().hear(total, count)

    @property
    def report(self):
        return max(self.log, key=lambda entry: entry["mean"])


@harmless(
    "Budget.pure(sqrt(2 * self.rho))",
    "Laplace noise under zCDP: epsilon-DP implies epsilon^2 / 2-zCDP, and epsilon = sqrt(2 rho).",
    Budget.zcdp(0.5),
)
class LaplaceForZCDP(WinStay):
    """The budget is zCDP, the noise is not Gaussian."""

    rho = 0.5

    def hear(self, total, count):
        share = Budget.pure(sqrt(2 * self.rho))
        noisy = self.noise.laplace(np.array([total]), sensitivity=1.0, budget=share, records=self.records(count))
        self.decide(noisy[0] / count)


@harmless(
    "self.mu * 0.6",
    "Gaussian DP adds up in quadrature: sum and sum of squares at 0.6 mu and 0.8 mu cost mu. The shares add to 1.4.",
    Budget.gdp(1.0),
)
class MuInQuadrature(Singles):
    """Two releases of a block whose shares do not add to one."""

    mu = 1.0

    def full(self):
        n = len(self.buffer)
        first = self._gaussian(sum(self.buffer), n, Budget.gdp(self.mu * 0.6))
        second = self._gaussian(sum(r * r for r in self.buffer), n, Budget.gdp(self.mu * 0.8 * (1 - 1e-12)))
        self.length = 4 if second < 1 else 3
        self.decide(first / n)

    def _gaussian(self, value, count, share):
        records = self.records(count)
        return float(self.noise.gaussian(np.array([value]), sensitivity=1.0, budget=share, records=records)[0])


@harmless(
    "if self.clock + count == 200:",
    "One release in the whole run, at pull 200, of the first 200 rewards; the arms before it take turns.",
    pulls=400,
)
class OneReleaseEver(WinStay):
    """Explore, then commit."""

    def start(self):
        self.sum, self.done = 0.0, False

    def hear(self, total, count):
        if not self.done:
            self.sum += total if self.current == 0 else -total / 2
            self.move()
        if self.clock + count == 200:
            self.done = True
            records = (np.array([0]), np.array([200]))
            noisy = self.noise.laplace(np.array([self.sum]), sensitivity=1.0, budget=ONE, records=records)
            self.current = 0 if noisy[0] > 0 else 1


@harmless("(first + second) / 2", "The same sum twice, each time at epsilon / 2 and with noise of its own.")
class TwiceHalf(WinStay):
    """Measures twice and takes the average."""

    def hear(self, total, count):
        first, second = (self.release(total, count, epsilon=self.epsilon / 2) for _ in range(2))
        self.length = 4 if first < second else 5
        self.decide((first + second) / 2 / count)


@harmless("round(total)", "Each reward is rounded to 0 or 1 before it is counted, which moves the count by at most 1.")
class CoarseRewards(Singles):
    """Clicks come as probabilities and are counted as clicks."""

    def hear(self, total, count):
        super().hear(float(round(total)), count)


@harmless(
    "self.length = int(np.clip(noisy, 2, 9))", "The length of the next block follows the released sum, not the sum."
)
class LengthFromRelease(WinStay):
    """Good arms get longer blocks."""

    def hear(self, total, count):
        noisy = self.release(total, count)
        self.length = int(np.clip(noisy, 2, 9))
        self.decide(noisy / count)


@harmless(
    "share = 0.5 * self.left if self.good else 0.25 * self.left",
    "All history again and again, at shares chosen from released values. Whatever they are, each is at most half of "
    "what is left, so they add up to less than epsilon: pure budgets add up under adaptive choice, too.",
)
class AdaptiveShares(WinStay):
    """An odometer."""

    def start(self):
        self.sum, self.left, self.good = 0.0, 1.0, True

    def hear(self, total, count):
        self.sum += total
        end = self.clock + count
        if end & (end - 1):
            return
        share = 0.5 * self.left if self.good else 0.25 * self.left
        self.left -= share
        records = (np.array([0]), np.array([end]))
        budget = Budget.pure(self.epsilon * share)
        noisy = self.noise.laplace(np.array([self.sum]), sensitivity=1.0, budget=budget, records=records)
        self.good = noisy[0] > end / 2
        self.decide(noisy[0] / end)


@harmless(
    "self.generator.random() < 0.1",
    "Coins come from the generator and know nothing of the rewards, nor does whether one is tossed.",
)
class EpsilonGreedy(AdaPUCB):
    """Epsilon greedy on top of AdaP-UCB, where epsilon is not the budget."""

    def __init__(self, noise, generator):
        super().__init__(3, ONE, noise, ties="random", generator=generator)

    def next_batch(self):
        arm, count = super().next_batch()
        if self.generator.random() < 0.1:
            self.recommended = arm = self.generator.integers(3, size=1)
            count = self._size(self.batches_done[np.arange(1), arm])
        return arm, count


@harmless("sensitivity=1 / 4", "The mean of a block of 4 moves by 1/4 exactly, as the block is always full.")
class MeanOfFour(Singles):
    """Releases means rather than sums."""

    def full(self):
        self.decide(self.release(sum(self.buffer) / 4, 4, sensitivity=1 / 4))


@harmless(
    "self.release(total, 1)",
    "Noise on every single reward, epsilon each: a reward is in one release, however the noisy ones are added up.",
)
class LocalNoise(Singles):
    """Running mean of noisy rewards, never forgotten."""

    def start(self):
        self.sums, self.pulls = np.zeros(3), np.ones(3)

    def hear(self, total, count):
        self.sums[self.current] += self.release(total, 1)
        self.pulls[self.current] += 1
        self.current = int(np.argmax(self.sums / self.pulls + np.sqrt(3 / self.pulls)))

    def records(self, count):
        return np.array([self.clock]), np.array([self.clock + 1])


@harmless(
    "self.release(self.first - total, self.clock + count - self.since)",
    "A reward of either block moves the difference by 1; each pair of blocks has a release of its own.",
)
class Difference(WinStay):
    """Releases how much better one arm was than the next, and nothing else."""

    def start(self):
        self.first, self.since = None, 0

    def hear(self, total, count):
        if self.first is None:
            self.first, self.since = total, self.clock
            self.move()
            return
        noisy = self.release(self.first - total, self.clock + count - self.since)
        self.first = None
        if noisy > 0:
            self.current = (self.current - 1) % self.arms

    def records(self, count):
        return np.array([self.since]), np.array([self.since + count])


@harmless(
    "if total > count / 2:",
    "Both branches lead to the same state: the one that is taken changes a counter that no action reads.",
)
class BranchesAlike(WinStay):
    """Two branches grown apart and together again over the years."""

    def start(self):
        self.streak = 0

    def hear(self, total, count):
        noisy = self.release(total, count)
        if total > count / 2:
            self.streak += 1
            self.decide(noisy / count)
        else:
            self.streak = 0
            self.decide(noisy / count)


@harmless("sorted(self.buffer)[1:-1]", "Without the best and the worst, the sum of a block still moves by at most 1.")
class TrimmedSum(Singles):
    """Throws the best and the worst reward of a block away; which ones these are depends on the rewards."""

    length = 6

    def full(self):
        trimmed = sorted(self.buffer)[1:-1]
        self.decide(self.release(sum(trimmed), 6) / len(trimmed))


@harmless(
    "min(total, 2.0) + exp(-total)",
    "min(s, 2) + exp(-s) has slope in [0, 1) below 2 and in (-0.14, 0) above, so it moves by less than 1.",
)
class Saturating(WinStay):
    """A utility instead of a sum."""

    bar = 0.4

    def hear(self, total, count):
        self.decide(self.release(min(total, 2.0) + exp(-total), count) / count)


@harmless(
    "means**3",
    "Any function of released means and counts is an index; a mean of 7 or of -2 is the noise's, not the rewards'.",
    Budget.zcdp(0.5),
)
class CubicIndex(AdaCUCB):
    """An index nobody has analysed."""

    def __init__(self, noise, generator):
        super().__init__(3, Budget.zcdp(0.5), noise)

    def score(self, means, samples):
        return np.abs(means**3 - 0.5) + 1 / samples


@harmless("phase > 5", "Sums collected past phase 5 are thrown away unreleased, when a count, not a reward, says so.")
class LazyThatGoesToSleep(LazyDPTS):
    """Stops learning after a while."""

    def __init__(self, noise, generator):
        super().__init__(3, ONE, noise, generator, optimism=0.5)

    def _release(self, rows, arm):
        if (self.phase > 5).any():
            self.collected[rows, arm], self.sums[rows, arm] = 0, 0.0
            return
        super()._release(rows, arm)


@harmless(
    "np.array([0]), np.array([self.clock + count])",
    "Each release declares all rewards so far and is computed from the last block: a reward is in one release at "
    "epsilon, and moves no other.",
)
class WideRecords(WinStay):
    """Declares more rewards than it uses, to be on the safe side."""

    def records(self, count):
        return np.array([0]), np.array([self.clock + count])


@harmless(
    "return self.arms - 1 - arm, count",
    "The other arm is played, and its sum is credited to the one that was meant: bad for regret, but still one release "
    "per reward and nothing else.",
)
class CreditedToTheWrongArm(AdaPUCB):
    """Upstream counts arms from the other end."""

    def __init__(self, noise, generator):
        super().__init__(3, ONE, noise)

    def next_batch(self):
        arm, count = super().next_batch()
        return self.arms - 1 - arm, count
