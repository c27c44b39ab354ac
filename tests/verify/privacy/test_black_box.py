"""The black-box audit refutes what leaks, does not accuse what is private, and says when it could not tell."""

import re
from fractions import Fraction
from math import exp, log
from time import sleep

import numpy as np
import pytest
from scipy.stats import binom, norm

from banditproof.algorithms import DPIMED, GeometricBatches, NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws.exponential_families import renyi_bernoulli
from banditproof.theory.privacy.budget import KINDS, ORDERS, Budget, gaussian_delta, renyi
from banditproof.verify.audits.refutation import least_parameter, most_likely, shown_parameter, tangents
from banditproof.verify.privacy.black_box import _quantile, audit_private, audit_until_refuted, audited
from banditproof.verify.privacy.reward_race import player_of
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.stopwatch import WallClock
from tests.cases import each


class Response(Policy):
    """Pulls arm 0 first, then for ever the arm that randomised response with ratio exp(epsilon) makes of its reward."""

    def __init__(self, epsilon, generator):
        super().__init__(2)
        self.lie, self.generator, self.arm = 1 / (1 + exp(epsilon)), generator, None

    def next_batch(self):
        return np.array([self.arm or 0]), np.array([1])

    def observe(self, total, count, arm=None):
        if self.arm is None:
            self.arm = int(total[0]) ^ int(self.generator.random() < self.lie)


def response(epsilon):
    return lambda noise, generator: Response(epsilon, generator)


BUDGETS = [Budget.of(kind, **{**known.example().parameters, known.amount: 0.8}) for kind, known in KINDS.items()]


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_five_times_the_epsilon_is_a_violation_of_every_kind_of_budget(budget):
    report = audit_private(response(4.0), budget, samples=2000)
    assert report.verdict == "violation" and report.shown > report.promised
    assert str(report).startswith(f"violation: the actions show {report.parameter} >= ")
    differing = [r != s for r, s in zip(report.rewards, report.neighbour, strict=True)]
    assert sum(differing) == 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_a_response_that_keeps_the_budget_is_not_refuted(budget):
    report = audit_private(response(0.4), budget, samples=1000)
    assert report.verdict == "not refuted" and 0 <= report.shown <= report.promised
    assert "which does not mean private" in str(report) and "would have been detected" in report.power


class Guarded(Policy):
    """Tries two arms in turn, and takes the larger noisy sum of eight rewards; without noise where it is clear."""

    clear = 3

    def __init__(self, generator, replications):
        super().__init__(2, replications)
        self.generator, self.time, self.gap = generator, 0, np.zeros(replications)
        self.arm = np.zeros(replications, dtype=int)

    def next_batch(self):
        return (self.arm if self.time >= 8 else np.full(self.replications, self.time % 2)), np.ones_like(self.arm)

    def observe(self, total, count, arm=None):
        if self.time < 8:
            self.gap += total if self.time % 2 else -total
        self.time += 1
        if self.time == 8:
            noisy = self.gap + self.generator.laplace(size=self.gap.shape) - self.generator.laplace(size=self.gap.shape)
            self.arm = (np.where(np.abs(self.gap) >= self.clear, self.gap, noisy) > 0).astype(int)


class Unguarded(Guarded):
    clear = 9


@pytest.mark.parametrize(("policy", "verdict"), [(Guarded, "violation"), (Unguarded, "not refuted")])
def test_sums_that_a_guard_compares_are_driven_to_where_it_turns(policy, verdict):
    """On lists of equal or alternating rewards one of them moves the gap between 0 and 1, or 4 and 3."""
    make = lambda noise, generator, replications: policy(generator, replications)  # noqa: E731
    assert audit_private(make, Budget.pure(1.0), samples=10_000).verdict == verdict


def test_what_is_shown_comes_close_to_the_truth():
    report = audit_private(response(log(3)), Budget.pure(1), samples=8000)
    assert 0.9 < report.shown < log(3)


def test_too_few_runs_to_refute_anything_are_inconclusive():
    report = audit_private(response(9.0), Budget.pure(3), samples=40)
    assert report.verdict == "inconclusive" and report.reach < 3 and report.power == "no event would have been detected"
    assert "give the audit more seconds" in str(report)


def test_a_fixed_seed_inside_the_policy_is_suspected():
    report = audit_private(
        lambda noise, generator: Response(1.0, np.random.default_rng(0)), Budget.pure(1), samples=100
    )
    assert "draw from its `generator`" in str(report)


def test_false_accusations_are_as_rare_as_promised(every_point):
    audits, error = 200 if every_point else 80, Fraction(1, 10)
    make, tight = response(0.5), Budget.pure(0.5)
    found = [audit_private(make, tight, samples=60, horizon=2, error=error, seed=k).verdict for k in range(audits)]
    assert binom.sf(found.count("violation") - 1, audits, float(error)) > 1e-6


def test_the_power_is_what_it_says():
    report = audit_private(response(0.1), Budget.pure(1), samples=1000)
    level = float(re.search(r"below (\S+)", report.power)[1])
    generator = np.random.default_rng(1)
    counts = generator.binomial(1000, [[0.5, level]] * 1000)
    seen = [shown_parameter(Budget.pure(1), *pair, samples=1000, error=report.error) > 1 for pair in counts.tolist()]
    assert binom.cdf(sum(seen), 1000, 0.99) > 1e-6


def test_samples_make_an_audit_repeatable_and_seconds_are_kept():
    once, again = (audit_private(response(1.0), Budget.pure(1), samples=200, seed=5) for _ in range(2))
    assert once == again
    assert audit_private(response(1.0), Budget.pure(1), seconds=0.5).samples > 100


@pytest.mark.parametrize(("p", "q"), [(0.9, 0.2), (0.5, 1e-9), (0.999999, 0.999)])
def test_the_parameters_of_one_event_are_those_of_two_coins(p, q):
    assert least_parameter(Budget.pure(1), p, q) == pytest.approx(max(log(p / q), log((1 - q) / (1 - p))))
    assert least_parameter(Budget.gdp(1), p, q) == pytest.approx(norm.ppf(p) - norm.ppf(q))
    for order in ORDERS.tolist():
        assert renyi(p, q, order) == pytest.approx(renyi_bernoulli(p, q, order), rel=1e-9)


NO_BUDGETS = [Budget.pure(np.inf), Budget.pure([1.0, 2.0]), 1.0]


@pytest.mark.parametrize(
    ("name", "value"), each(budget=NO_BUDGETS, samples=[0], horizon=[0, 2.5], seconds=[0], error=[1])
)
def test_bad_input_is_refused(name, value):
    with pytest.raises(InvalidInput, match=name):
        audit_private(response(1.0), **{"budget": Budget.pure(1), "samples": 10, name: value})


def test_an_empty_batch_is_refused():
    class Idle(Response):
        def next_batch(self):
            return np.array([0]), np.array([0])

    with pytest.raises(InvalidInput, match="count"):
        audit_private(lambda noise, generator: Idle(1.0, generator), Budget.pure(1), samples=10)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_a_sequential_audit_stops_early_at_a_leak_and_never_at_what_is_private(budget):
    audit = audit_until_refuted(response(4.0), budget, horizon=4, runs=4000)
    assert audit.verdict == "violation" and audit.runs < 4000 and str(audit.runs) in str(audit)
    audit = audit_until_refuted(response(0.4), budget, horizon=4, runs=2000)
    assert audit.verdict == "not refuted" and audit.runs == 2000


def test_sequential_audits_err_as_rarely_as_promised():
    audits, error, lists = 100, Fraction(1, 10), [((0.0, 0.0), (1.0, 0.0))]
    tight = Budget.pure(0.5)
    found = [
        audit_until_refuted(response(0.5), tight, neighbours=lists, runs=100, error=error, seed=k).verdict
        for k in range(audits)
    ]
    assert binom.sf(found.count("violation") - 1, audits, float(error)) > 1e-6


def test_runs_that_can_refute_nothing_say_so():
    audit = audit_until_refuted(response(9.0), Budget.pure(3), runs=40)
    assert audit.verdict == "inconclusive" and "more runs" in str(audit)


def test_a_maker_of_many_replications_is_played_as_one_of_single_ones():
    def batched(replications):
        return DPIMED(2, Budget.pure(np.inf), GeometricBatches(2), NoiseSource(), replications=replications)

    rewards = (0.0, 1.0, 0.5, 0.25) * 5
    many = player_of(lambda noise, generator, replications: batched(replications))
    single = player_of(lambda noise, generator: batched(1))
    generator = np.random.default_rng(0)
    assert (many(rewards, 6, generator) == single(rewards, 6, generator)).all()
    with pytest.raises(InvalidInput, match="replications"):
        player_of(lambda noise, generator: batched(2))(rewards, 3, generator)
    with pytest.raises(InvalidInput, match=r"by that name; audit_mechanism takes \(world, size, generator\)"):
        player_of(lambda world, size, generator: world)


def test_lists_of_ones_own_have_to_be_neighbours():
    for lists in (((0.0, 1.0), (0.0, 1.0)), ((0.0,), (1.0, 0.0)), ((0.0, 0.0), (1.0, 1.0))):
        with pytest.raises(InvalidInput, match="neighbours"):
            audit_until_refuted(response(1.0), Budget.pure(1), neighbours=[lists])


@pytest.mark.parametrize("budget", [budget for budget in BUDGETS if budget.line is None], ids=str)
def test_tangents_hold_for_every_event_that_the_budget_allows(budget):
    generator = np.random.default_rng(0)
    assert len(tangents(budget)) == 3
    for epsilon, delta in tangents(budget):
        assert 0 < delta < 0.5
        for q in generator.random(200).tolist():
            assert most_likely(budget, q) <= exp(epsilon) * q + delta


def test_the_tangents_of_gaussian_privacy_lie_on_its_curve():
    for epsilon, delta in tangents(Budget.gdp(0.8)):
        assert gaussian_delta(0.8, epsilon) <= delta <= 1.0001 * gaussian_delta(0.8, epsilon)


class Latest(Policy):
    """Pulls arm 1 after rewards 1 and 0, arm 0 otherwise; in some of the runs it tosses a coin instead."""

    def __init__(self, generator, random=0.0):
        super().__init__(2)
        self.generator, self.random, self.heard = generator, random, []

    def next_batch(self):
        told = self.heard[-2:] == [1.0, 0.0]
        arm = self.generator.integers(2) if self.generator.random() < self.random else told
        return np.array([int(arm)]), np.array([1])

    def observe(self, total, count, arm=None):
        self.heard.append(float(total[0]))


def test_rewards_that_decide_are_found_on_the_shortest_lists_before_anything_is_bet():
    report = audit_private(lambda noise, generator: Latest(generator), Budget.pure(1), seconds=30)
    assert report.verdict == "violation" and report.samples == 4 * 64, report
    assert (report.rewards, report.neighbour) == ((0, 0, 0), (1, 0, 0)) and report.statistic == "action 2"
    report = audit_until_refuted(lambda noise, generator: Latest(generator), Budget.pure(1))
    assert report.verdict == "violation" and report.runs < 600, report


def test_what_is_nearly_certain_is_found_as_well(every_point):
    for seed in range(4 if every_point else 1):
        report = audit_private(
            lambda noise, generator: Latest(generator, random=0.05), Budget.pure(2), seconds=3, seed=seed
        )
        assert report.verdict == "violation", report


class ListensOnce(Policy):
    """Arm 0, and at the end of ten pulls the arm that the last of them says, by a coin in one of twenty runs."""

    def __init__(self, generator, replications):
        super().__init__(2, replications)
        self.generator, self.pulls, self.arm = generator, 0, np.zeros(replications, dtype=int)

    def next_batch(self):
        return self.arm, np.ones_like(self.arm)

    def observe(self, total, count, arm=None):
        self.pulls += 1
        if self.pulls == 10:
            by_a_coin = self.generator.random(len(total)) < 0.05
            self.arm = np.where(by_a_coin, self.generator.integers(2, size=len(total)), total).astype(int)


def test_a_reward_late_in_the_list_is_changed_too():
    def make(noise, generator, replications):
        return ListensOnce(generator, replications)

    report = audit_private(make, Budget.pure(1), samples=2000)
    assert report.verdict == "violation" and report.rewards[9] != report.neighbour[9], report
    report = audit_private(make, Budget.pure(4), samples=2000)
    assert report.verdict == "not refuted", report


def test_the_power_of_an_audit_has_the_quantiles_of_binomial_counts():
    for samples, probability in ((1, 0.5), (40, 0.5), (1000, 0.02), (77, 0.999)):
        for part in (0.005, 0.5, 0.995):
            at_most = [binom.cdf(k, samples, probability) >= part for k in range(samples + 1)]
            assert _quantile(part, samples, probability) == at_most.index(True)


def test_calls_that_take_their_time_leave_some_to_the_choice_of_a_pair():
    def player(rewards, size, generator):
        sleep(0.018)
        actions = np.zeros((size, len(rewards)), dtype=np.int64)
        actions[:, 5:6] = (generator.random(size) < (0.95 if rewards[:2] == (0, 1) else 0.05))[:, np.newaxis]
        return actions

    report = audited(player, Budget.pure(1), 3, None, 0, None, REPORT_ERROR, WallClock)
    assert report.verdict == "violation" and report.rewards[1] == report.neighbour[1] == 1, report
