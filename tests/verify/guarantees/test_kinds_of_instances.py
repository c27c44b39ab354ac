"""Policies that go wrong on one kind of instance, or in few runs, are found; sound neighbours are not accused."""

import numpy as np
import pytest
from specimens.plain import Plain, players

from banditproof.algorithms.finite.index import UCB
from banditproof.verify import check_theorem
from banditproof.verify.guarantees.rare_errors import PartlySteady
from banditproof.verify.guarantees.regret import lost_for_good


class Rounded(Plain):
    def mean(self, arm):
        return round(super().mean(arm))


class RoundedFinely(Plain):
    def mean(self, arm):
        return round(super().mean(arm), 4)


class Trimmed(Plain):
    """The mean of the middle fifth of the rewards, which are 0 and 1."""

    def mean(self, arm):
        return min(max((super().mean(arm) - 0.4) / 0.2, 0.0), 1.0)


class Truncating(Plain):
    def heard(self, arm, reward):
        return int(reward)


class Floating(Plain):
    def heard(self, arm, reward):
        return float(np.float64(reward))


class GoodEnough(Plain):
    """Arms that pay less than half of the time are left aside, or all are taken in turn."""

    least = 0.5

    def select_arm(self):
        good = [arm for arm in self.arms if self.counts[arm] < 20 or self.mean(arm) + self.slack(arm) >= self.least]
        if not good:
            return self.t % len(self.arms)
        chosen = super().select_arm()
        return chosen if chosen in good else good[0]

    def slack(self, arm):
        return 0.0


class NotFarBehind(GoodEnough):
    """The same for what cannot be the best any more."""

    def select_arm(self):
        if all(self.counts):
            self.least = max(self.mean(arm) - self.width(arm) for arm in self.arms)
        return super().select_arm()

    def slack(self, arm):
        return self.width(arm)


class Sharing(Plain):
    """Arms share one of eight slots, with room for no more."""

    slots = 8

    def heard(self, arm, reward):
        if arm >= self.slots:
            self.sums[arm - self.slots] += reward
        return reward


class SharingNone(Sharing):
    slots = 64


class Hasty(Plain):
    """An arm that never paid in its first pulls is not pulled any more."""

    tries = 2

    def select_arm(self):
        alive = [arm for arm in self.arms if self.sums[arm] or self.counts[arm] < self.tries]
        return max(alive or self.arms, key=lambda arm: self.mean(arm) + self.width(arm) if self.counts[arm] else 9.0)


class Committing(Plain):
    """After so many rounds the best arm is played for good."""

    rounds = 60

    def select_arm(self):
        if self.t < self.rounds * len(self.arms):
            return self.t % len(self.arms)
        self.arms = [max(self.arms, key=self.mean)]
        return self.arms[0]


class Narrow(Plain):
    def width(self, arm):
        return min(super().width(arm), 0.3)


class Wide(Plain):
    def width(self, arm):
        return min(super().width(arm), 2.0)


class Anchored(Plain):
    """The first ten rewards of an arm weigh five times as much for ever."""

    def mean(self, arm):
        return self.firsts[arm] / 10 if self.counts[arm] >= 10 else super().mean(arm)

    def __init__(self, arms, coins):
        super().__init__(arms, coins)
        self.firsts = [0.0] * arms

    def update(self, arm, reward):
        super().update(arm, reward)
        if self.counts[arm] <= 10:
            self.firsts[arm] += reward


class TwiceAtFirst(Plain):
    """Every arm is pulled twice before they are compared."""

    def select_arm(self):
        return self.t % len(self.arms) if self.t < 2 * len(self.arms) else super().select_arm()


class StuckSometimes(Plain):
    """One run of ten plays any one arm from pull 100 on."""

    until = np.inf

    def __init__(self, arms, coins):
        super().__init__(arms, coins)
        self.stuck = int(coins.integers(arms)) if coins.random() < 0.1 else None

    def select_arm(self):
        return super().select_arm() if self.stuck is None or not 100 <= self.t < self.until else self.stuck


class StuckForAWhile(StuckSometimes):
    until = 400


BROKEN = (*(Rounded, Trimmed, Truncating, GoodEnough, Sharing, Hasty, Committing, Narrow, Anchored), StuckSometimes)
SOUND = (RoundedFinely, Floating, NotFarBehind, SharingNone, Wide, TwiceAtFirst, StuckForAWhile)


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_what_goes_wrong_on_one_kind_of_instance_is_found(kind):
    report = check_theorem(players(kind), "ucb")
    assert report.verdict == "violation", report


@pytest.mark.parametrize("kind", SOUND, ids=lambda kind: kind.__name__)
def test_a_sound_neighbour_is_not_accused(kind):
    assert check_theorem(players(kind), "ucb").verdict != "violation"


def test_a_policy_that_refuses_other_rewards_than_0_and_1_is_not_accused_for_it():
    class Strict(UCB):
        def observe(self, total, count, arm=None):
            if np.any(total % 1):
                raise ValueError("a reward is 0 or 1")
            super().observe(total, count, arm)

    report = check_theorem(lambda K, b, T, noise, g, R: Strict(K, horizon=T, replications=R), "ucb")
    assert report.verdict != "violation", report
    assert any("refuses rewards between 0 and 1" in note for note in report.notes), report.notes


def test_a_steady_arm_pays_its_mean_and_a_coin_does_not():
    arm, count = np.array([0, 1, 1]), np.array([3, 1, 4])
    sums = PartlySteady(np.array([0.3, 0.5]), (1,)).sum_of_rewards(arm, count, np.random.default_rng(0))
    assert sums[1:].tolist() == [0.5, 2.0] and sums[0] in (0, 1, 2, 3)


def test_what_is_lost_for_good_is_played_on_only_where_a_run_of_its_part_was_lost():
    """Of 8 runs, four at a time, the sixth and seventh are lost early on, and the seventh for good."""
    early, late = np.array([0, 0, 0, 0, 0, 1, 1, 0.0]), np.array([1, 1, 1, 1, 1, 0, 1, 0.0])
    lengthened = []

    def part(of, asked):
        return lambda j: lambda count: asked.append(j) or of[4 * j : 4 * j + count]

    draw = lost_for_good(part(early, []), part(late, lengthened), (np.asarray, np.asarray), 4)
    assert draw(8).tolist() == [0, 0, 0, 0, 0, 0, 1, 0] and lengthened == [1]
