"""Ledger and alignment pass Algorithm 1 on any rewards, neighbours and budgets, and notice what breaks it."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from banditproof.algorithms.batches import GeometricBatches, PolynomialBatches
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB, TIES
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import align, alignment_cost, changed_time, find_violation
from banditproof.verify.runs.ledger import Violation
from banditproof.verify.runs.neighbours import check_neighbours
from banditproof.verify.runs.planted import PLANTED, Bug, plant
from banditproof.verify.runs.recorder import far_neighbour, record, replay
from banditproof.verify.runs.sensitivity import neighbours

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts

POLICIES = [DPIMED, DPKLUCB]
HORIZON = 24
BATCHES = GeometricBatches("1.5")
ONE_HALF = Budget.pure(0.5)


def maker(policy, budget=ONE_HALF, arms=3, batches=BATCHES, **options):
    return lambda noise, generator: policy(arms, budget, batches, noise, generator=generator, **options)


def forgiven(make, rewards, neighbour, seed):
    """The most that a release of two neighbouring lists may move by rounding."""
    run = record(make, rewards, seed)
    pairs = zip(run.releases, replay(make, run, neighbour, seed).releases, strict=True)
    return max(release.rounding(moved) for release, moved in pairs)


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=40)
@example(((1.0, 2.0**-20) * 12, (1.0, 2.0**-20) * 11 + (1.0, 0.0)), 0.5, 0, 1, "lowest-arm", PolynomialBatches(1))
@given(
    lists=neighbours(HORIZON).filter(lambda lists: lists[0] != lists[1]),
    epsilon=st.floats(1e-3, 30.0),
    seed=st.integers(0, 2**32),
    arms=st.integers(1, 4),
    ties=st.sampled_from(TIES),
    batches=st.sampled_from([BATCHES, GeometricBatches(2, 3), PolynomialBatches(1), PolynomialBatches(0)]),
)
def test_algorithm_1_is_private_on_any_rewards(policy, lists, epsilon, seed, arms, ties, batches):
    budget = Budget.pure(epsilon)
    report = check_neighbours(maker(policy, budget, arms, batches, ties=ties), budget, *lists, seed)
    assert report.violations == ()
    assert report.ok and report.declared_loss == pytest.approx(epsilon)  # rounding of 1 / (1 / epsilon)
    changed = sum(abs(r - s) for r, s in zip(*lists, strict=True))
    if changed <= forgiven(maker(policy, budget, arms, batches, ties=ties), *lists, seed):
        assert report.aligned_loss in (0, pytest.approx(epsilon * changed, rel=1e-9, abs=1e-12 * epsilon))
    else:  # sums are rounded
        assert report.aligned_loss == pytest.approx(epsilon * changed, rel=1e-9, abs=1e-12 * epsilon)


@pytest.mark.parametrize("policy", POLICIES)
def test_forgetting_and_the_template_for_planted_bugs_are_private_too(policy):
    assert find_violation(maker(policy, forgetting=True), HORIZON, ONE_HALF, seed=1) is None
    assert find_violation(plant(Bug, maker(policy, ties="random")), HORIZON, ONE_HALF, seed=1) is None


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("bug", PLANTED.values(), ids=PLANTED)
def test_a_planted_bug_is_found_with_two_neighbouring_lists(policy, bug):
    report = find_violation(plant(bug, maker(policy, ties="random")), 60, ONE_HALF, seed=0)
    assert report is not None and not report.ok
    for violation in report.violations:
        assert changed_time(violation.rewards, violation.neighbour) is not None
        assert violation.reason and violation.sensor in ("ledger", "alignment")


def reasons(bug):
    report = find_violation(plant(PLANTED[bug], maker(DPIMED)), 30, ONE_HALF, seed=0)
    return " ".join(str(violation) for violation in report.violations)


def test_the_reason_tells_what_kind_of_bug_it_is():
    assert "more than its declared sensitivity 0.5" in reasons("sensitivity wrong")
    assert "not among its records" in reasons("records too short")
    assert "after the same released values" in reasons("raw value used")
    assert "is charged epsilon = 1, more than 0.5" in reasons("budget split wrongly")
    assert "uses the noise of release" in reasons("seed reused")
    assert "declared differently" in reasons("scale follows rewards")


def test_a_smaller_budget_than_the_policy_spends_is_a_violation():
    rewards = (0.0,) * HORIZON
    report = check_neighbours(maker(DPIMED), Budget.pure(0.4), rewards, far_neighbour(rewards, 5), 0)
    assert {violation.sensor for violation in report.violations} == {"ledger", "alignment"}
    assert report.declared_loss == 0.5


def test_a_policy_with_coins_of_its_own_is_noticed():
    generator = np.random.default_rng(0)

    def make(noise, _):
        return DPIMED(3, ONE_HALF, PolynomialBatches(0), noise, generator=generator, ties="random")

    assert find_violation(make, 30, ONE_HALF, seed=0) is not None


def test_no_noise_needs_an_infinite_budget():
    everything, rewards = Budget.pure(np.inf), (0.0, 1.0) * (HORIZON // 2)
    make = maker(DPIMED, everything)
    assert check_neighbours(make, everything, rewards, far_neighbour(rewards, 3), 0).ok
    finite = check_neighbours(make, Budget.pure(100.0), rewards, far_neighbour(rewards, 3), 0)
    assert not finite.ok and finite.aligned_loss == np.inf


def test_alignment_of_two_runs_by_hand():
    rewards = (0.25,) * HORIZON
    run = record(maker(DPIMED), rewards, 3)
    other = replay(maker(DPIMED), run, far_neighbour(rewards, 7), 3)
    assert align(run, other, ONE_HALF) == ()
    cost = alignment_cost(run, other, ONE_HALF)
    assert cost == pytest.approx(0.75 * 0.5, rel=1e-9)  # the shift is 3/4, the scale 2
    alignment = align(run, other, Budget.pure(0.3))[0]
    assert (alignment.release, alignment.reason) == (5, "costs epsilon = 0.375, more than 0.3, when reward 7 changes")


@pytest.mark.parametrize(
    ("rewards", "neighbour", "budget", "name"),
    [
        ((2.0, *(0.0,) * 23), (2.0, *(0.0,) * 22, 1.0), ONE_HALF, "rewards"),
        ((0.0,) * 24, (0.0,) * 24, ONE_HALF, "neighbour"),
        ((0.0,) * 24, (0.0,) * 22 + (1.0, 1.0), ONE_HALF, "neighbour"),
        ((0.0,) * 24, (0.0,) * 24 + (1.0,), ONE_HALF, "neighbour"),
        ((0.0,) * 24, (0.0,) * 23 + (1.5,), ONE_HALF, "neighbour"),
        ((0.0,) * 24, (0.0,) * 23 + (1.0,), Budget.pure(np.array([0.5, 1.0])), "budget"),
    ],
)
def test_lists_that_are_no_neighbours_and_budgets_per_replication_are_refused(rewards, neighbour, budget, name):
    with pytest.raises(InvalidInput, match=name):
        check_neighbours(maker(DPIMED), budget, rewards, neighbour, 0)


class Picky(DPIMED):
    """Raises an exception once its rewards are too good."""

    def observe(self, total, count, arm=None):
        if total[0] > 1:
            raise ArithmeticError("too good")
        super().observe(total, count, arm)


def test_an_exception_on_the_neighbour_is_a_violation_with_its_line():
    rewards = (0.0,) * 6 + (1.0,) * 2 + (0.0,) * 16
    neighbour = far_neighbour(rewards, 7)
    report = check_neighbours(maker(Picky), ONE_HALF, neighbour, rewards, 0)
    violation = report.violations[0]
    assert violation.cause == "raw rewards" and "ArithmeticError: too good" in violation.reason
    assert "if total[0] > 1" in violation.line


def test_a_reason_with_a_subject_of_its_own_is_not_said_of_the_release():
    def sentence(reason):
        return Violation("alignment", reason, 2, (0.0,), (1.0,), "records", "").sentence

    assert sentence("moves by 1") == "release 2 moves by 1"
    assert sentence("pull 18 plays arm 1") == "pull 18 plays arm 1"
    assert sentence("reward 0 is charged epsilon = 2") == "reward 0 is charged epsilon = 2"
