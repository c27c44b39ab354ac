"""A bound that holds is not blamed, one that does not is, and one that nothing can exceed is refused."""

import random
import re
from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import BernoulliBandit, GaussianBandit, RewardTable
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.algorithms.finite.index import UCB, FollowTheLeader
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.run.compiled import has_loop, simulate_compiled, simulate_fastest
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify import check_delta_correct, check_regret, check_theorem, compare_regret
from banditproof.verify.announcing import Between
from banditproof.verify.guarantees.regret import reference_limit
from banditproof.verify.guarantees.regret_bugs import REGRET_BUGS
from banditproof.verify.guarantees.sequential import FEWEST
from banditproof.verify.proof.statistics import STAKES, binomial_interval, log_evidence, mean_interval
from banditproof.verify.testing.adapters import history, select_update

BANDIT = BernoulliBandit([0.3, 0.8])


def maker(spoil=Between):
    def make(rows, generator):
        size = rows.stop - rows.start
        return spoil(DPIMED(2, Budget.pure(1.0), GeometricBatches(2), NoiseSource(generator), replications=size))

    return make


def test_the_evidence_is_that_of_the_products_by_hand():
    regret, bound = np.array([0.0, 3.0, 5.0]), 2.0
    products = [np.prod([1 - s + s * x / bound for x in regret]) for s in STAKES]
    assert log_evidence(regret, bound) == pytest.approx(np.log(np.mean(products)), rel=1e-12)


def test_false_alarms_at_the_edge_of_the_bound_are_as_rare_as_stated_also_with_heavy_tails():
    generator, error, tries = np.random.default_rng(0), 0.05, 4000
    pareto = generator.pareto(1.5, (tries, 60)) / 2  # expectation 1, infinite variance: 1/(1.5 - 1) halved
    alarms = sum(log_evidence(row, 1.0) >= -np.log(error) for row in pareto)
    assert binomial_interval(alarms, tries, Fraction(1, 10**6))[0] <= error


def test_a_bound_of_zero_is_broken_by_any_regret():
    assert log_evidence(np.zeros(5), 0.0) == 0.0
    assert log_evidence(np.array([0.0, 1e-9]), 0.0) == np.inf
    report = check_regret(maker(), BANDIT, 100, 0.0)
    assert report.verdict == "violation" and report.seen == np.inf


def test_a_correct_policy_passes_and_every_planted_regret_bug_fails_but_those_that_stay_with_the_best_arm():
    bound = 400.0  # the mean regret of DP-IMED here is below 40
    report = check_regret(maker(), BANDIT, 4000, bound, seed=3)
    assert report.verdict == "ok" and report.mean < 40 and bound < report.would_see < report.would_see_any < 2000
    verdicts = {
        name: check_regret(maker(bug), BANDIT, 4000, bound, seed=3).verdict for name, bug in REGRET_BUGS.items()
    }
    missed = {name for name, verdict in verdicts.items() if verdict != "violation"}
    assert missed == {"first arm never played", "stuck after the first phase"}  # the best arm is the second of two


def test_the_numbers_depend_on_the_seed_and_not_on_the_workers():
    def means(seed, workers):
        return check_regret(maker(), BANDIT, 1000, 100.0, seed=seed, workers=workers).mean

    assert means(1, None) == means(1, 2) != means(2, None)


@pytest.mark.parametrize("bound", [2000.0, 2377.0])
def test_a_bound_that_no_policy_can_exceed_is_refused_with_the_number(bound):
    with pytest.raises(InvalidInput, match="below 2000, the horizon times the largest gap"):
        check_regret(maker(), BANDIT, 4000, bound)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bound", -1.0),
        ("error", Fraction(2)),
        ("environment", BernoulliBandit([0.5, 0.5])),
        ("environment", RewardTable([[0.0, 1.0]])),
    ],
)
def test_bad_input_names_the_parameter(name, value):
    with pytest.raises(InvalidInput, match=name):
        check_regret(maker(), horizon=10, **{"environment": BANDIT, "bound": 1.0, name: value})


def test_a_policy_is_compared_with_a_reference():
    assert compare_regret(maker(), maker(), BANDIT, 4000).verdict == "ok"
    worse = compare_regret(maker(REGRET_BUGS["half the pulls at random"]), maker(), BANDIT, 4000)
    assert worse.verdict == "violation" and worse.error == pytest.approx(5e-7)


def test_the_limit_of_a_reference_is_above_its_mean_as_often_as_stated():
    mean = np.mean([reference_limit(maker(), BANDIT, 100, 0.999, runs=2000, seed=s)[0] for s in range(3)])
    below = sum(reference_limit(maker(), BANDIT, 100, 0.1, runs=20, seed=s)[1] < 0.9 * mean for s in range(50))
    assert binomial_interval(below, 50, Fraction(1, 10**6))[0] <= 0.1


def test_compiled_loops_are_taken_where_there_are_any():
    pytest.importorskip("numba")
    normal, odd = GaussianBandit([0.0, 1.0]), Between(UCB(2, horizon=50))
    assert has_loop(UCB(2, horizon=50), BANDIT) and has_loop(FollowTheLeader(2), normal)
    assert not has_loop(odd, BANDIT) and not has_loop(UCB(2, horizon=50), RewardTable([[0.0, 1.0]]))
    for policy, engine in ((UCB(2, horizon=50), simulate_compiled), (odd, simulate)):
        twins = [np.random.default_rng(1) for _ in range(2)]
        fresh = UCB(2, horizon=50) if policy is not odd else Between(UCB(2, horizon=50))
        runs = simulate_fastest(policy, BANDIT, 50, twins[0]), engine(fresh, BANDIT, 50, twins[1])
        assert (runs[0].pulls == runs[1].pulls).all()


def test_the_interval_of_a_mean_covers_it_as_often_as_stated_even_where_the_mean_rests_on_rare_values():
    generator, error, tries = np.random.default_rng(2), 0.05, 400
    samples = np.where(generator.random((tries, 40)) < 0.01, 1000.0, generator.random((tries, 40)))
    mean = 0.01 * 1000 + 0.99 * 0.5
    missed = sum(not low <= mean <= high for low, high in (mean_interval(s, 1000.0, error) for s in samples))
    assert binomial_interval(missed, tries, Fraction(1, 10**6))[0] <= error


def test_the_interval_of_a_mean_tightens_with_more_values_and_refuses_values_outside():
    few, many = (mean_interval(np.full(n, 3.0), 10.0, 0.01) for n in (20, 2000))
    assert few[0] < many[0] < 3 < many[1] < few[1] and many[1] - many[0] < 0.1
    with pytest.raises(InvalidInput, match="sample"):
        mean_interval([1.0, 11.0], 10.0, 0.01)


def alone(rows, generator, replications=1):
    return DPIMED(2, Budget.pure(1.0), GeometricBatches(2), NoiseSource(generator), replications=replications)


def test_a_policy_of_one_replication_is_made_as_often_as_needed():
    report = check_regret(alone, BANDIT, 200, 60.0, seconds=3.0)
    assert report.verdict == "ok" and report.runs >= 32
    with pytest.raises(InvalidInput, match=r"replications must be 32, as many as asked for, or 1 \(.*Replicated"):
        check_regret(lambda rows, generator: alone(rows, generator, 2), BANDIT, 200, 60.0, seconds=3.0)


def pasted(report, **names):
    """What the line prints with which a report ends."""
    printed = []
    code = str(report).partition("again: ")[2]
    exec(code, {**names, "print": printed.append})
    return printed[0]


def test_a_failure_ends_with_python_that_makes_it_again():
    def same(one, two):
        return (one.verdict, one.runs, one.mean, one.error) == (two.verdict, two.runs, two.mean, two.error)

    linear = maker(REGRET_BUGS["rewards upside down"])
    report = check_regret(linear, BANDIT, 2000, 20.0, seed=3, error=1e-7, seconds=2)
    assert report.verdict == "violation" and "seed=3" in report.again
    assert same(report, pasted(report, make_policies=linear))
    assert "again: " not in str(check_regret(maker(), BANDIT, 1000, 400.0))


def test_a_failed_theorem_or_strategy_is_made_again_too():
    def worst(arms, budget, horizon, noise, generator, replications):
        return REGRET_BUGS["rewards upside down"](UCB(arms, horizon=horizon, replications=replications))

    def strategy(arms, generator, replications):
        return history(lambda *_: 0, arms, replications, stopped=lambda *_: True, recommend=lambda *_: 0)

    report = check_theorem(worst, "ucb", horizons=(200,), seconds=2, seed=1)
    assert report.verdict == "violation" and "budgets=[None], horizons=horizons" in report.again
    assert pasted(report, make_policies=worst, horizons=(200,)).verdict == "violation"
    report = check_delta_correct(strategy, 2, 0.01, seconds=2)
    assert report.verdict == "violation" and pasted(report, make_strategy=strategy).verdict == "violation"
    means = re.search(r"with means ([\d.]+), ([\d.]+)", report.cause)
    assert means[1] != means[2]  # though the arms are nearly tied


def test_players_that_play_one_after_the_other_begin_with_few_runs():
    player = type("Player", (), {"select_arm": lambda self: 0, "update": lambda self, arm, reward: None})
    assert check_regret(lambda rows, generator: player(), BANDIT, 50, 9.0, seconds=1e-9).runs == FEWEST


def test_an_open_question_says_how_many_seconds_would_settle_it():
    def one(rows, generator):
        return DPIMED(2, Budget.pure(1.0), GeometricBatches(2), NoiseSource(generator))

    report = check_regret(one, BANDIT, 2000, 60.0, seconds=0.01)
    assert report.verdict == "inconclusive"
    seconds = int(re.search(r"about seconds=(\d+) would be enough", str(report))[1])
    assert check_regret(one, BANDIT, 2000, 60.0, seconds=seconds).ok
    assert "would be enough" not in str(check_regret(maker(), BANDIT, 1000, 400.0))


def test_a_violation_names_the_tests_that_failed_and_counts_the_others():
    def late(arms, budget, horizon, noise, generator, replications):
        policy = UCB(arms, horizon=horizon, replications=replications)
        return REGRET_BUGS["rewards upside down"](policy) if arms == 3 else policy

    report = check_theorem(late, "ucb", seconds=4)
    said = str(report).splitlines()
    assert report.verdict == "violation" and any(line.startswith("  ok: ") and "other test" in line for line in said)
    assert not any(line.startswith("  ok: expected") or "closest call" in line for line in said)
    assert "power:" not in str(check_regret(maker(REGRET_BUGS["rewards upside down"]), BANDIT, 2000, 20.0, seconds=2))


class Learning:
    """Adds up what arms pay; what it adds to, and what it keeps besides, is given."""

    memo = {}

    def __init__(self, sums=np.zeros(2)):  # noqa: B008, the mistake that is looked for
        self.sums, self.time = sums, 0

    def select_arm(self):
        self.time += 1
        self.memo[self.time] = self.time**2
        return self.time % 2 if self.time < 9 else int(np.argmax(self.sums))

    def update(self, arm, reward):
        self.sums[arm] += reward


SUMS, TIME = [0.0, 0.0], {"now": 0}


def add(arm, reward):
    SUMS[arm] += reward


class OfTheModule:
    """Keeps what it learns in globals of this module, one of which another function changes."""

    def select_arm(self):
        TIME["now"] += 1
        return TIME["now"] % 2 if TIME["now"] < 9 else int(np.argmax(SUMS))

    def update(self, arm, reward):
        add(arm, reward)


@pytest.mark.parametrize(
    "make, shared",
    [
        (Learning, True),
        (OfTheModule, True),
        (type("ByAFunction", (Learning,), {"update": lambda self, arm, reward: add(arm, reward)}), True),
        (
            type("OfTheClass", (Learning,), {"sums": [0.0, 0.0], "__init__": lambda self: setattr(self, "time", 0)}),
            True,
        ),
        (lambda sums={0: 0.0, 1: 0.0}: Learning(sums), True),
        (lambda: Learning(np.zeros(2)), False),  # a memo that only grows is nothing that is learnt
    ],
)
def test_what_replications_share_is_no_run_of_each(make, shared):
    report = check_regret(lambda rows, generator: make(), BernoulliBandit([0.9, 0.1]), 50, 30, seconds=2)
    assert report.verdict == ("inconclusive" if shared else "ok"), report
    assert not shared or "replications share what they learn" in str(report)


@pytest.mark.parametrize(
    "generators, alike",
    [
        (lambda rows, generator: [np.random.default_rng(0) for _ in range(rows.start, rows.stop)], True),
        (lambda rows, generator: map(np.random.default_rng, range(rows.stop - rows.start)), True),
        (lambda rows, generator: map(np.random.default_rng, range(rows.start, rows.stop)), False),
        (lambda rows, generator: [generator] * (rows.stop - rows.start), False),
        (lambda rows, generator: generator.spawn(rows.stop - rows.start), False),
        (lambda rows, generator: map(random.Random, [int(generator.integers(99))] * (rows.stop - rows.start)), True),
    ],
)
def test_replications_that_draw_the_same_numbers_count_as_one_run(generators, alike):
    def make(rows, generator):
        return select_update([Drawing(own) for own in generators(rows, generator)], 2)

    report = check_regret(make, BernoulliBandit([0.5, 0.6]), 20, 1.9)
    assert report.verdict == ("inconclusive" if alike else "ok"), report
    assert not alike or "same numbers" in str(report)


class Drawing:
    """One of two arms, by its own generator."""

    def __init__(self, rng):
        self.rng = rng

    def select_arm(self):
        return int(self.rng.random() < 0.5)

    def update(self, arm, reward):
        pass


class Theirs:
    """An environment of somebody else; which arm pays, and what is made of the sum of a batch, is given."""

    arms, means = 2, [0.3, 0.6]

    def __init__(self, paid=lambda arm: arm, made=lambda total, count: total):
        self.paid, self.made = paid, made

    def sum_of_rewards(self, arm, count, generator, *, time=0):
        return self.made(generator.binomial(count, np.array(self.means)[self.paid(arm)]) * 1.0, count)


TRIPLED = Theirs(made=lambda total, count: 3 * total)  # beyond [0, 1] rare rewards may make up the mean
CLOSE = type("Close", (Theirs,), {"means": [0.5, 0.55]})()
SHIFTED, AVERAGED = Theirs(paid=lambda arm: arm - 1), Theirs(made=lambda total, count: total / count)


@pytest.mark.parametrize("environment", [Theirs(), CLOSE, TRIPLED, SHIFTED, AVERAGED])
def test_rewards_that_do_not_fit_the_means_are_told(environment):
    report = check_regret(maker(), environment, 50, 47.5 * (environment.means[1] - environment.means[0]), seconds=2)
    told = environment in (SHIFTED, AVERAGED)
    assert report.verdict == ("inconclusive" if told else "ok") and ("pays arm 0" in str(report)) == told, report
