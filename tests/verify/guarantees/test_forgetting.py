"""Policies whose memory stops growing are found by what they do when a good arm stops paying; others are not."""

from collections import deque
from math import ceil, inf, log, sqrt

import numpy as np
import pytest

from banditproof.algorithms import AdaPUCB, NoiseSource, Policy
from banditproof.theory import Budget
from banditproof.verify import check_theorem
from banditproof.verify.guarantees.forgetting import PASTS, SCALES, forgets_after, pulls_of_left
from banditproof.verify.stopwatch import Meter
from banditproof.verify.testing.adapters import select_update


class Plain:
    """UCB of the rewards that an arm still has."""

    def __init__(self, arms, coins):
        self.coins, self.t, self.kept = coins, 0, [self.empty() for _ in range(arms)]

    def empty(self):
        return []

    def known(self, arm):
        kept = self.kept[arm]
        return sum(kept) / len(kept), len(kept)

    def index(self, arm):
        mean, n = self.known(arm)
        return mean + sqrt(2 * log(self.t) / n)

    def select_arm(self):
        new = next((arm for arm, kept in enumerate(self.kept) if not kept), None)
        return max(range(len(self.kept)), key=self.index) if new is None else new

    def update(self, arm, reward):
        self.t += 1
        self.hear(self.kept[arm], reward)

    def hear(self, kept, reward):
        kept.append(reward)


class Queues(Plain):
    def empty(self):
        return deque(maxlen=50)


class Slices(Plain):
    """All rewards stay in its state, and the last ones decide."""

    def last(self, kept):
        return 40

    def known(self, arm):
        kept = self.kept[arm][-self.last(self.kept[arm]) :]
        return sum(kept) / len(kept), len(kept)


class Half(Slices):
    def last(self, kept):
        return ceil(len(kept) / 2)


class Root(Slices):
    def last(self, kept):
        return ceil(2 * sqrt(len(kept)))


class Sums(Plain):
    """Sums and counts, in constant room."""

    discount = 1.0

    def known(self, arm):
        return self.kept[arm][0] / self.kept[arm][1], self.kept[arm][1]

    def hear(self, kept, reward):
        before = kept or [0.0, 0.0]
        kept[:] = self.discount * before[0] + reward, self.discount * before[1] + 1


class Discounted(Sums):
    discount = 0.98


class Ring(Plain):
    """The bits of a word for the mean, and all pulls for the width."""

    bits = 24

    def known(self, arm):
        word, pulled = self.kept[arm]
        return bin(word).count("1") / min(pulled, self.bits), pulled

    def hear(self, kept, reward):
        word, pulled = kept or (0, 0)
        kept[:] = (word << 1 | int(reward > 0)) % 2**self.bits, pulled + 1


class Steps(Sums):
    """A step of constant size towards each reward, and the count of all pulls."""

    def known(self, arm):
        return self.kept[arm]

    def hear(self, kept, reward):
        mean, n = kept or (0.5, 0)
        kept[:] = mean + self.step(n) * (reward - mean), n + 1

    def step(self, n):
        return 0.05


class Averages(Steps):
    def step(self, n):
        return 1 / (n + 1)


class Drops(Sums):
    """Drops an arm for good that is far behind: nothing that is heard later changes that."""

    def select_arm(self):
        if self.t < 100:
            return self.t % 2
        return self.dropped if hasattr(self, "dropped") else self.drop()

    def drop(self):
        self.dropped = max((0, 1), key=lambda arm: self.known(arm)[0])
        return self.dropped


class Batches(Policy):
    """Decides by the noisy mean of the last batch of an arm; batches double up to a longest one."""

    def __init__(self, arms, noise, longest):
        super().__init__(arms)
        self.noise, self.longest, self.t = noise, longest, 0
        self.means, self.lengths, self.used = np.zeros(arms), np.full(arms, 4), np.zeros(arms)

    def next_batch(self):
        used = np.maximum(self.used, 1)
        width = np.sqrt(2 * np.log(self.t + 1) / used) + 3 * np.log(self.t + 1) / used
        self.arm = int(np.argmax(np.where(self.used == 0, np.inf, self.means + width)))
        return np.array([self.arm]), np.array([self.lengths[self.arm]])

    def observe(self, total, count, arm=None):
        arm, n = self.arm if arm is None else int(arm[0]), int(count[0])
        records = self.t, self.t + n
        self.t += n
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(1.0), records=records)
        self.means[arm], self.used[arm], self.lengths[arm] = noisy[0] / n, n, min(2 * n, self.longest)


def plain(kind):
    return lambda rows, g: select_update([kind(2, g) for _ in range(rows.stop - rows.start)], 2)


def batches(longest):
    return lambda rows, g: Batches(2, NoiseSource(g), longest)


def test_batches_that_stop_growing_are_found_and_growing_ones_are_not():
    assert forgets_after(batches(64), 0, Meter()) <= 128 and forgets_after(batches(10**9), 0, Meter()) == inf

    def library(rows, g):
        return AdaPUCB(2, Budget.pure(1.0), NoiseSource(g), beta=3.1, replications=rows.stop - rows.start)

    assert all(forgets_after(library, seed, Meter(), scale) == inf for seed in range(3) for scale in SCALES)


def test_players_by_themselves_hear_of_the_turn_too():
    assert pulls_of_left(plain(Queues), PASTS[0], 0, Meter()) <= 100
    assert pulls_of_left(plain(Sums), PASTS[0], 0, Meter()) > 500
    assert pulls_of_left(plain(Drops), PASTS[0], 0, Meter()) == inf


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", [Queues, Slices, Discounted, Ring, Steps])
def test_what_stops_growing_is_found(kind, seed, scale):
    assert forgets_after(plain(kind), seed, Meter(), scale) < inf


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", [Sums, Half, Root, Averages, Drops])
def test_what_goes_on_growing_is_not(kind, seed, scale):
    assert forgets_after(plain(kind), seed, Meter(), scale) == inf


@pytest.mark.parametrize(("longest", "verdicts"), [(64, ("inconclusive", "violation")), (10**9, ("ok",))])
def test_a_policy_that_forgets_is_not_ok(longest, verdicts):
    def make(arms, budget, horizon, noise, generator, replications):
        return Batches(arms, noise, longest)

    report = check_theorem(make, "adap-ucb", budgets=[Budget.pure(1.0)])
    assert report.verdict in verdicts, report
    assert ("it forgets" in report.cause) == (report.verdict == "inconclusive"), report


class Surprised(Sums):
    """Does not accept that a perfect arm pays nothing."""

    def hear(self, kept, reward):
        if reward == 0 and kept and kept[0] == kept[1] > 500:
            raise ArithmeticError("no such arm")
        super().hear(kept, reward)


def test_what_is_raised_where_means_change_is_no_violation():
    def make(arms, budget, horizon, noise, generator, replications):
        return select_update([Surprised(arms, generator) for _ in range(replications)], arms)

    report = check_theorem(make, "anytime-ucb")
    assert report.verdict != "violation" and any("no such arm" in note for note in report.notes), report
