"""Strategies that keep delta are ok, those that stop too early are not, and those that never stop prove nothing."""

import re
from time import monotonic, thread_time

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource, Strategy
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.finite.successive_elimination import DPSE, SuccessiveElimination
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.identification import identify
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify import check_delta_correct, identification_instances, stopwatch
from banditproof.verify.guarantees import rare_errors
from banditproof.verify.guarantees.rare_errors import named
from banditproof.verify.stopwatch import Meter
from banditproof.verify.testing.adapters import Adapted


class Uniform(Policy):
    """Pulls all arms equally often and stops when the best mean leads by `width(n)` after n pulls of every arm."""

    per_replication = ("sums", "rounds", "turn")

    def __init__(self, arms, width, replications):
        super().__init__(arms, replications)
        self.width, self.sums = width, np.zeros((replications, arms))
        self.rounds, self.turn = np.zeros(replications), np.zeros(replications, dtype=int)

    @property
    def stopped(self):
        lead = np.diff(np.sort(self.sums, axis=1)[:, -2:], axis=1)[:, 0]
        return (self.turn == 0) & (self.rounds > 0) & (lead >= self.rounds * self.width(np.maximum(self.rounds, 1)))

    @property
    def recommendation(self):
        return self.sums.argmax(axis=1)

    def next_batch(self):
        return self.turn.copy(), np.full(self.replications, 10)

    def observe(self, total, count, arm=None):
        self.sums[np.arange(self.replications), self.turn] += total
        self.turn = (self.turn + 1) % self.arms
        self.rounds += 10 * (self.turn == 0)


def uniform(width):
    return lambda arms, generator, replications: Uniform(arms, width, replications)


def safe(n):
    """Every mean is within half of it for every n with probability 0.9, up to 10 arms: Hoeffding, union over n."""
    return 2 * np.sqrt(np.log(4 * 10 * n**2 / 0.1) / (2 * n))


DELTA = 0.1
HARD = identification_instances(3)


def elimination(arms, generator, replications):
    return SuccessiveElimination(arms, beta=DELTA, replications=replications)


def private_elimination(arms, generator, replications):
    return DPSE(arms, Budget.pure(1.0), NoiseSource(generator), beta=DELTA, replications=replications)


@pytest.mark.parametrize("make", [uniform(safe), elimination, private_elimination])
def test_a_sound_strategy_is_ok_on_every_instance(make):
    report = check_delta_correct(make, HARD, DELTA)
    assert report.verdict == "ok" and len(report.parts) == len(HARD) and not report.undecided
    assert isinstance(make(3, np.random.default_rng(0), 1), Strategy)


class Upside(Uniform):
    recommendation = property(lambda self: self.sums.argmin(axis=1))


class First(Uniform):
    recommendation = property(lambda self: np.zeros(self.replications, dtype=int))


BUGS = {
    "stops at the first difference": uniform(lambda n: 0 * n + 1e-9),
    "radius without the logarithm": uniform(lambda n: 0.5 / np.sqrt(n)),
    "radius of a fixed n": uniform(lambda n: 0.5 * safe(np.full_like(n, 1000.0))),
    "worst arm named": lambda arms, generator, replications: Upside(arms, safe, replications),
    "first arm named": lambda arms, generator, replications: First(arms, safe, replications),
    "delta near one": lambda arms, generator, replications: uniform(lambda n: 0.02 * safe(n))(arms, None, replications),
}


@pytest.mark.parametrize("name", BUGS)
def test_a_broken_stopping_rule_is_found(name):
    report = check_delta_correct(BUGS[name], HARD, DELTA)
    assert report.verdict == "violation"
    assert str(report).startswith("violation: a wrong arm is named too often: mean ")
    assert name != "worst arm named" or "in every run: are its arms counted from 0?" in str(report)


def test_a_strategy_that_never_stops_is_not_ok_and_the_report_says_so():
    report = check_delta_correct(uniform(lambda n: 2.0 + 0 * n), HARD[0], DELTA, cap=100, seconds=0.2)
    assert report.verdict == "inconclusive" and report.undecided == report.runs
    assert "had not stopped after 100 pulls" in str(report)


def test_runs_stop_when_they_are_sure_and_are_cut_at_the_cap():
    ended = identify(Uniform(3, safe, 50), BernoulliBandit([0.0, 1.0, 0.0]), 10_000, np.random.default_rng(0))
    assert (ended.recommendation == 1).all() and (ended.pulls % 30 == 0).all() and ended.pulls.max() < 1000
    cut = identify(Uniform(3, safe, 5), BernoulliBandit([0.0, 1.0, 0.0]), 25, np.random.default_rng(0))
    assert (cut.recommendation == -1).all() and (cut.pulls == 25).all()


def test_equally_good_arms_are_all_right():
    def make(arms, generator, replications):
        return First(arms, safe, replications)

    assert check_delta_correct(make, BernoulliBandit([0.9, 0.9, 0.1]), DELTA, cap=600, seconds=1).mean == 0


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("delta", {"delta": 0}), ("environments", {"environments": []}), ("cap", {"cap": 0}), ("replications", {})],
)
def test_bad_input_names_the_parameter(name, wrong):
    make = (lambda arms, generator, replications: Uniform(arms, safe, 2)) if name == "replications" else elimination
    with pytest.raises(InvalidInput, match=name):
        check_delta_correct(make, **{"environments": HARD, "delta": DELTA, **wrong})


def test_a_check_without_enough_time_says_how_much_would_do():
    def make(arms, generator, replications):
        return Uniform(arms, lambda n: 6 / np.sqrt(n), 1)

    report = check_delta_correct(make, [BernoulliBandit([0.1, 0.9])], 0.02, seconds=0.01)
    assert report.verdict == "inconclusive" and "about seconds=" in str(report)


def test_a_seed_gives_the_same_report_on_a_busy_machine_and_on_an_idle_one(monkeypatch):
    def said(slower):
        monkeypatch.setattr(stopwatch, "thread_time", lambda: slower * thread_time())
        monkeypatch.setattr(stopwatch, "monotonic", lambda: slower * monotonic())
        return re.sub(r"in [0-9.]+ s", "", str(check_delta_correct(uniform(narrow), 3, DELTA, seconds=1, seed=5)))

    def narrow(n):
        return 0.7 * safe(n)

    idle = said(0.5)
    assert idle == said(0.9) and "the clock cut" not in idle
    assert "the clock cut" in said(1000)


class Counted:
    """Pulls in turn, and names the better arm after `pulls` pulls, or the other one."""

    def __init__(self, pulls, wrong):
        self.pulls, self.wrong, self.sums, self.asked = pulls, wrong, [0.0, 0.0], []

    def choose(self):
        return len(self.asked) % 2

    def hear(self, arm, reward):
        self.asked.append(arm)
        self.sums[arm] += reward

    def over(self):
        return len(self.asked) >= self.pulls

    def answer(self):
        return int(self.sums[1] > self.sums[0]) ^ self.wrong


def adapted(pulls, share):
    def make(arms, generator, replications):
        made = [Counted(pulls, bool(generator.random() < share)) for _ in range(replications)]
        return Adapted(made, arms, Counted.choose, Counted.hear, stopped="over", recommend="answer")

    return make


def test_objects_that_are_run_one_by_one_pull_as_often_as_they_ask_and_no_longer_than_the_cap():
    bandit, generator = BernoulliBandit([0.0, 1.0]), np.random.default_rng(0)
    strategy = adapted(10, 0.0)(2, generator, 3)
    assert named(strategy, bandit, 100, generator, Meter(), None).tolist() == [1, 1, 1]
    assert all(player.asked == [0, 1] * 5 for player in strategy.players)
    cut = adapted(10, 0.0)(2, generator, 3)
    assert named(cut, bandit, 9, generator, Meter(), None).tolist() == [-1, -1, -1]
    assert all(len(player.asked) == 9 for player in cut.players)


def test_a_tolerated_risk_takes_fewer_runs_and_delta_is_attacked_as_before():
    bandit = BernoulliBandit([0.0, 1.0])
    strict = check_delta_correct(adapted(4, 0.0), bandit, 0.02, seconds=5)
    lax = check_delta_correct(adapted(4, 0.0), bandit, 0.02, tolerated=0.1, seconds=5)
    assert strict.ok and lax.ok and 3 * lax.runs < strict.runs
    assert strict.excluded <= 0.02 < lax.excluded <= 0.1
    assert check_delta_correct(adapted(4, 0.5), bandit, 0.02, tolerated=0.9, seconds=5).verdict == "violation"
    with pytest.raises(InvalidInput, match="tolerated"):
        check_delta_correct(adapted(4, 0.0), bandit, 0.02, tolerated=0.01)


def test_a_check_without_enough_time_says_which_risk_is_excluded():
    report = check_delta_correct(adapted(2000, 0.0), BernoulliBandit([0.0, 1.0]), 0.01, seconds=0.1)
    assert report.verdict == "inconclusive" and 0.01 < report.excluded < 1
    assert "or more is excluded (error 0.01): tolerated=" in str(report)


def test_a_slow_strategy_that_seems_right_gets_three_times_the_work(monkeypatch):
    monkeypatch.setattr(rare_errors, "PER_PULL", 1e4)
    slow = adapted(4, 0.0), BernoulliBandit([0.0, 1.0]), 0.05
    assert check_delta_correct(*slow).ok
    assert check_delta_correct(*slow, seconds=30).verdict == "inconclusive"
    assert check_delta_correct(adapted(4, 0.2), *slow[1:]).verdict != "ok"


def test_two_arms_have_one_gap_of_a_tenth():
    for arms in (2, 3):
        best_two = [np.sort(bandit.means)[-2:] for bandit in identification_instances(arms)]
        assert [round(float(np.diff(means)[0]), 2) for means in best_two].count(0.1) == arms - 1
