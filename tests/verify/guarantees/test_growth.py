"""Regret that goes on growing is found over 20,000 pulls, in plain Python too, and sound neighbours are not accused."""

import re
from collections import deque
from fractions import Fraction
from time import sleep

import numpy as np
import pytest
from specimens.plain import Plain, players

from banditproof.algorithms import BernoulliBandit
from banditproof.algorithms.finite.index import UCB
from banditproof.algorithms.policy import Replicated
from banditproof.algorithms.run.simulator import simulate
from banditproof.verify import check_regret, check_theorem
from banditproof.verify.announcing import Between
from banditproof.verify.guarantees.players import Adapted, as_policies, playing_alone
from banditproof.verify.guarantees.regret import capped, lasting, regret_of_runs
from banditproof.verify.proof.statistics import binomial_interval
from banditproof.verify.stopwatch import Meter, Stopwatch
from banditproof.verify.testing.adapters import select_update
from banditproof.verify.thresholds import beyond, named_by

LATE = 30_000


class Exploring(Plain):
    def chance(self):
        return 0.05

    def select_arm(self):
        return int(self.coins.integers(len(self.arms))) if self.coins.random() < self.chance() else super().select_arm()


class ExploringLess(Exploring):
    def chance(self):
        return 1 / (1 + self.t)


class Slow(Plain):
    """Some forty microseconds a pull."""

    def width(self, arm):
        for _ in range(20):
            width = super().width(arm)
        return width


class SlowExploring(Slow, Exploring):
    pass


class Restarting(Plain):
    def due(self):
        return self.t % 250 == 0

    def update(self, arm, reward):
        super().update(arm, reward)
        if self.due():
            self.sums, self.counts = [0.0] * len(self.arms), [0] * len(self.arms)


class RestartingOnce(Restarting):
    def due(self):
        return self.t == 250


class Wrapping(Plain):
    """Its counts are bytes, the sums are not."""

    kind = np.uint8

    def __init__(self, arms, coins):
        super().__init__(arms, coins)
        self.counts = np.zeros(arms, self.kind)

    def width(self, arm):
        return (2 * np.log(self.t) / int(self.counts[arm])) ** 0.5


class Counting(Wrapping):
    kind = np.int64


class Pessimist(Plain):
    until = 1500

    def width(self, arm):
        return -super().width(arm) if self.pessimistic() else super().width(arm)

    def pessimistic(self):
        return self.t > self.until


class PessimistAtFirst(Pessimist):
    def pessimistic(self):
        return self.t < 20


class Frozen(Plain):
    """Stays with the arm that it has just pulled, once it has learned for a while."""

    learns, last = 2048, 0

    def select_arm(self):
        self.last = super().select_arm() if self.t < self.learns else self.last
        return self.last


class Squared(Plain):
    def width(self, arm):
        return (2 * np.log(self.t)) ** 0.5 / self.counts[arm]


class Forgetful(Plain):
    """Remembers the last 500 rewards."""

    def __init__(self, arms, coins):
        super().__init__(arms, coins)
        self.last = deque(maxlen=500)

    def update(self, arm, reward):
        if len(self.last) == self.last.maxlen:
            before, paid = self.last[0]
            self.counts[before], self.sums[before] = self.counts[before] - 1, self.sums[before] - paid
        self.last.append((arm, reward))
        super().update(arm, reward)


class Dropping(Plain):
    """Drops an arm whose mean is behind the best one by this lead after five pulls of each."""

    pulls, lead = 5, 0.3

    def select_arm(self):
        if self.t < self.pulls * len(self.arms):
            return self.t % len(self.arms)
        if self.t == self.pulls * len(self.arms):
            means = [s / n for s, n in zip(self.sums, self.counts, strict=True)]
            self.arms = [arm for arm in self.arms if means[arm] > max(means) - self.lead]
        return super().select_arm()


class DroppingNone(Dropping):
    lead = 1.1


class Rounding(Plain):
    """Tells means apart in fifths alone."""

    def select_arm(self):
        if self.t < len(self.arms):
            return self.t
        rated = {arm: round(5 * self.sums[arm] / self.counts[arm]) / 5 for arm in self.arms}
        return max(self.arms, key=lambda arm: rated[arm] + self.width(arm))


class Levels(Plain):
    """Keeps means in eighths, rounded down."""

    def select_arm(self):
        if self.t < len(self.arms):
            return self.t
        rated = {arm: self.sums[arm] * 8 // self.counts[arm] / 8 for arm in self.arms}
        return max(self.arms, key=lambda arm: rated[arm] + self.width(arm))


class Halving(Plain):
    """Thompson sampling that halves what it knows of an arm after so many pulls."""

    most = 60

    def select_arm(self):
        pairs = zip(self.sums, self.counts, strict=True)
        return int(np.argmax([self.coins.beta(1 + s, 1 + n - s) for s, n in pairs]))

    def update(self, arm, reward):
        super().update(arm, reward)
        if self.counts[arm] > self.most:
            self.counts[arm], self.sums[arm] = self.counts[arm] / 2, self.sums[arm] / 2


class NeverHalving(Halving):
    most = np.inf


class AtRandomLate(Plain):
    def select_arm(self):
        return self.t % len(self.arms) if self.t > LATE else super().select_arm()


def verdict(kind, seed):
    return check_theorem(players(kind), "anytime-ucb", seed=seed).verdict


def test_five_per_cent_of_the_pulls_at_random_are_too_many():
    report = check_theorem(players(Exploring), "ucb")
    assert report.verdict == "violation" and "goes on growing too fast" in report.cause, report
    assert "on average over" in report.cause
    assert re.search(r"over all [248]0,000 pulls: expected regret <=|, T = \d*000\b", report.cause), report


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("broken", "sound"), [(Exploring, ExploringLess), (Restarting, RestartingOnce), (SlowExploring, Slow)]
)
def test_what_grows_in_every_run_is_found_and_its_sound_neighbour_is_ok(broken, sound, seed):
    assert verdict(broken, seed) == "violation" and verdict(sound, seed) == "ok"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("broken", "sound"), [(Pessimist, PessimistAtFirst), (Wrapping, Counting)])
def test_what_grows_in_some_runs_is_not_ok_and_its_sound_neighbour_is(broken, sound, seed):
    """A third of the runs on close arms: in plain Python there is sometimes no time to settle it."""
    assert verdict(broken, seed) in ("violation", "inconclusive") and verdict(sound, seed) == "ok"


@pytest.mark.parametrize(("kind", "title"), [(Dropping, "anytime-ucb"), (Halving, "thompson-sampling")])
def test_arms_a_tenth_apart_show_early_mistakes_and_what_is_forgotten(kind, title):
    report = check_theorem(players(kind), title)
    assert report.verdict == "violation" and "two arms a tenth apart" in report.cause, report


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("kind", "title"), [(DroppingNone, "anytime-ucb"), (NeverHalving, "thompson-sampling")])
def test_their_sound_neighbours_are_not_accused(kind, title, seed):
    assert check_theorem(players(kind), title, seed=seed).verdict != "violation"


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        (Squared, ("inconclusive", "violation")),
        (Frozen, ("inconclusive", "violation")),
        (Rounding, ("inconclusive", "violation")),
        (Levels, ("inconclusive", "violation")),
        (Forgetful, ("violation",)),
    ],
)
def test_what_explores_too_rarely_or_forgets_is_not_ok(kind, allowed):
    assert verdict(kind, 0) in allowed


class BurningIn(Plain):
    """Goes round the arms for so many pulls."""

    def __init__(self, arms, coins, pulls):
        super().__init__(arms, coins)
        self.pulls = pulls

    def select_arm(self):
        return self.t % len(self.arms) if self.t < self.pulls else super().select_arm()


@pytest.mark.parametrize(
    ("pulls", "broken"), [(lambda T: T / 10, True), (lambda T: 28 * np.log(T), False)], ids=["a tenth", "logarithm"]
)
def test_what_is_lost_once_in_long_runs_counts_against_the_theorem(pulls, broken):
    """Means 0 and 1 lose half of the burn-in, and the theorem grants 3 + 16 log T: it holds for 2000 pulls."""

    def make(K, b, T, noise, g, R):
        return select_update([BurningIn(K, g, pulls(T)) for _ in range(R)], K)

    report = check_theorem(make, "ucb", instances={"far": ("0", "1")})
    assert (report.verdict == "violation") is broken, report
    assert not broken or re.search(r"TH-T2.23 'gap-dependent', T = 200?000, far", report.cause), report


class Majority(Plain):
    """Asks of an arm only whether it pays more often than not: no arm of an instance near 0 does."""

    def select_arm(self):
        if self.t < len(self.arms):
            return self.t
        return max(self.arms, key=lambda arm: (2 * self.sums[arm] > self.counts[arm]) + self.width(arm))


class MajorityAtFirst(Majority):
    def select_arm(self):
        return super().select_arm() if self.t < 380 else Plain.select_arm(self)


@pytest.mark.parametrize(("kind", "broken"), [(Majority, True), (MajorityAtFirst, False)])
def test_a_regret_that_the_theorem_grants_so_far_is_played_on_to_where_it_does_not(kind, broken):
    report = check_theorem(players(kind), "ucb", instances={"near 0": ("0.01", "0.3")}, horizons=(400,))
    assert (report.verdict == "violation") is broken, report
    assert any("which the theorem does not ask for" in note for note in report.notes), report
    assert not broken or "TH-T2.23 'gap-dependent', T = " in report.cause, report


class Shortlisting(Plain):
    """Keeps two arms after ten pulls of each: hardly ever without the best one, unless many are nearly as good."""

    def select_arm(self):
        few = min(self.arms, key=lambda arm: self.counts[arm])
        if len(self.arms) > 2 and self.counts[few] < 10:
            return few
        self.arms = sorted(self.arms, key=self.mean)[-2:] if len(self.arms) > 2 else self.arms
        return super().select_arm()


def test_arms_that_are_lost_among_many_good_ones_are_missed():
    report = check_theorem(players(Shortlisting), "ucb")
    assert report.verdict == "violation" and "five good arms" in report.cause, report


class Wide(Plain):
    """Pulls a worse arm 9 log T / gap^2 times, more than the library's own; the theorem grants 16 log T / gap^2."""

    def width(self, arm):
        return 3 * (np.log(self.t) / self.counts[arm]) ** 0.5


class WideExploring(Exploring, Wide):
    pass


@pytest.mark.parametrize(("kind", "broken"), [(Wide, False), (WideExploring, True)])
def test_growth_beyond_the_librarys_own_accuses_only_beyond_the_theorems_own(kind, broken):
    report = check_theorem(players(kind), "ucb")
    assert report.verdict == ("violation" if broken else "inconclusive"), report
    assert ("the theorem's own growth there is" if broken else "which the theorem does not ask for") in report.cause


class Slower(Between):
    """No policy of the library, so that there is no compiled loop."""


def test_at_the_edge_of_the_bound_alarms_are_as_rare_as_stated():
    """The policy is its own reference, and once its regret is allowed, no more."""

    def make(arms, budget, horizon, noise, generator, replications):
        return Slower(UCB(arms, horizon=horizon, replications=replications))

    def alarm(seed):
        options = {"instances": {"one": ("0.2", "0.8")}, "horizons": (400,), "factor": 1.0, "error": 0.2}
        return check_theorem(make, "ucb", seconds=1, seed=seed, **options).verdict == "violation"

    alarms, tries = sum(map(alarm, range(60))), 60
    assert binomial_interval(alarms, tries, Fraction(1, 10**6))[0] <= 0.2


def test_what_counts_of_a_run_is_capped():
    regret = np.array([[1.0, 2.0, 4.0], [3.0, 6.0, 12.0]])
    assert capped(regret, lasting, 3.0).tolist() == [2.0, 3.0]
    assert lasting(np.array([[0.1, 0.3, 0.3 - 1e-16]])).tolist() == [0.0]  # rounded


def test_the_numbers_that_a_policy_compares_with_are_read_in_its_code_alone():
    def named(kind):
        return named_by(select_update([kind(2, None)], 2))

    assert named(Plain) == [] and named(Restarting) == [250] and named(Pessimist) == [1500]
    assert named(Forgetful) == [500] and named(AtRandomLate) == [LATE] and named_by(UCB(2, horizon=9999)) == []
    late = select_update([AtRandomLate(2, None)], 2)
    assert beyond(late, 20_000).endswith("names 30,000: not beyond that") and beyond(late, 60_000) == ""


def test_the_first_line_says_how_long_the_runs_were_and_what_lies_beyond_them():
    def make(kind):
        return lambda rows, g: select_update([kind(2, g) for _ in range(rows.stop - rows.start)], 2)

    def first_line(kind):
        report = check_regret(make(kind), BernoulliBandit([0.1, 0.9]), 500, 100.0)
        return str(report).splitlines()[0] if report.ok else ""

    assert first_line(AtRandomLate).endswith(f"no run was longer than 500 pulls{beyond(AtRandomLate(2, None), 500)}")
    assert first_line(Plain).endswith("no run was longer than 500 pulls")

    class Alternating(Plain):
        def select_arm(self):
            return self.t % 2

    for kind, linear in ((Alternating, True), (Plain, False)):
        report = check_regret(make(kind), BernoulliBandit([0.1, 0.9]), 500, 300.0)
        assert report.ok and any("linearly" in note for note in report.notes) is linear, report


def test_players_by_themselves_play_what_they_play_together():
    """UCB on rewards that are certain: there is nothing to draw."""
    bandit, T = BernoulliBandit([0.0, 1.0, 1.0]), 300
    together = simulate(players(Plain)(3, None, T, None, None, 2), bandit, T, np.random.default_rng(0), [75, 150, T])
    make = lambda rows, g: players(Plain)(3, None, T, None, g, rows.stop - rows.start)  # noqa: E731
    meter = Meter()
    alone = regret_of_runs(make, bandit, T, 0, None, np.asarray, meter)(2)
    assert alone.tolist() == together.regret.tolist() and meter.work > 0


def test_players_that_are_made_one_by_one_play_by_themselves_too(monkeypatch):
    """The form of the README: together, each pull of each of them would cost arrays, twenty times as much."""
    monkeypatch.delattr(Adapted, "next_batch")
    make = as_policies(lambda rows, generator: Plain(2, generator), 2)
    regret = regret_of_runs(make, BernoulliBandit([0.1, 0.9]), 100, 0, None)(3)
    assert regret.shape == (3,) and len({*regret.tolist()}) > 1


def test_a_policy_that_asks_its_players_together_plays_so():
    arms, rows = 2, 2
    policies = Replicated([UCB(arms, horizon=100) for _ in range(rows)])
    assert playing_alone(policies) == [] and playing_alone(policies.policies[0]) == []


def test_waiting_ends_a_check_when_its_seconds_are_over():
    class Waiting(Plain):
        def select_arm(self):
            sleep(0.01)
            return super().select_arm()

    watch = Stopwatch()
    report = check_theorem(players(Waiting), "anytime-ucb", seconds=1)
    assert report.verdict == "inconclusive" and watch.wall() < 1 + 1 + 2, report
    assert any("clock" in note for note in report.notes)
