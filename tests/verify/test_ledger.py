"""The ledger charges every reward with the releases that contain it."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.dp_index import DPIMED
from banditproof.theory.budget import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.verify.ledger import (
    Violation,
    audit_ledger,
    cost,
    cost_per_reward,
    privacy_loss,
    repeated_noise,
    second_opinion,
)
from banditproof.verify.recorder import Release, Run, record

HORIZON = 8


def release(records, epsilon=0.5, sensitivity=1.0, scale=None, noise=0.0, budget=None):
    scale = sensitivity / epsilon if scale is None else scale
    return Release(np.zeros(1), np.array([noise]), "laplace", scale, sensitivity, budget or epsilon, "l1", records)


def run_of(*releases):
    return Run((0.0,) * HORIZON, (0,) * HORIZON, tuple(releases))


def test_releases_of_disjoint_batches_cost_as_much_as_the_dearest_one():
    assert privacy_loss([release((0, 3), 0.25), release((3, 8), 0.5)], HORIZON) == 0.5


def test_releases_of_the_same_reward_add_up():
    assert privacy_loss([release((0, 5), 0.25), release((4, 8), 0.5)], HORIZON) == 0.75


def test_a_release_that_names_no_records_is_charged_to_all():
    assert cost_per_reward([release(None, 0.25), release((7, 8), 0.5)], HORIZON).tolist() == [0.25] * 7 + [0.75]


def test_rewards_before_the_run_are_not_there_to_be_charged():
    assert cost_per_reward([release((-3, 2), 0.5)], HORIZON).tolist() == [0.5] * 2 + [0.0] * 6


spans = st.tuples(st.integers(0, HORIZON), st.integers(0, HORIZON)).map(lambda ends: tuple(sorted(ends)))


@given(st.lists(st.tuples(spans, st.integers(1, 16)), max_size=8))
def test_the_loss_is_the_largest_exact_sum_over_rewards(entries):
    releases = [release(records, sixteenths / 16) for records, sixteenths in entries]
    exact = [sum((F(n, 16) for (start, stop), n in entries if start <= t < stop), F(0)) for t in range(HORIZON)]
    assert privacy_loss(releases, HORIZON) == pytest.approx(float(max(exact)), rel=1e-14)  # up to 8 roundings


def test_a_constant_costs_nothing_and_a_value_without_noise_everything():
    assert cost(release((0, 1), sensitivity=0.0, scale=0.0)) == 0.0
    assert cost(release((0, 1), scale=0.0)) == np.inf


def test_a_distribution_without_an_account_is_refused():
    strange = Release(np.zeros(1), np.zeros(1), "cauchy", 1.0, 1.0, 0.5, "l1", (0, 1))
    with pytest.raises(InvalidInput, match="distribution"):
        cost(strange)


def test_overspending_names_the_reward_and_the_releases_that_contain_it():
    (violation,) = audit_ledger(run_of(release((0, 3), noise=0.1), release((2, 5), noise=0.2)), 0.5)
    assert "reward 2" in violation.reason and "[0, 1]" in violation.reason and violation.release == 1
    assert [t for t in range(HORIZON) if violation.rewards[t] != violation.neighbour[t]] == [2]


def test_spending_exactly_the_budget_is_no_violation():
    for epsilon in (0.1, 1 / 3, 0.7, 1e-6, 123.4):
        assert audit_ledger(run_of(release((0, 8), epsilon)), epsilon) == ()


def test_a_release_that_costs_more_than_its_own_budget_is_found():
    (violation,) = audit_ledger(run_of(release((0, 3), scale=1.0, budget=0.5)), 5.0)
    assert "own budget" in violation.reason and violation.release == 0


def test_noise_that_is_used_twice_is_found_in_units_of_its_scale():
    releases = [release((0, 2), noise=0.3), release((2, 4), 0.25, noise=0.6), release((4, 6), noise=0.31)]
    assert repeated_noise(releases) == [(0, 1)]
    assert "again" in audit_ledger(run_of(*releases), 0.5)[0].reason


def test_a_violation_reads_like_a_sentence_with_the_changed_reward():
    text = str(Violation("ledger", "too dear", 2, (0.0, 1.0), (1.0, 1.0)))
    assert text == "ledger, release 2: too dear [reward 0 0 -> 1 in 0 1]"


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_dp_accounting_agrees_with_the_ledger(epsilon):
    pytest.importorskip("dp_accounting")
    rewards = np.random.default_rng(0).integers(0, 2, 30)
    budget = Budget.pure(epsilon)
    run = record(lambda noise, generator: DPIMED(2, budget, GeometricBatches(2), noise), rewards, 0)
    optimistic, pessimistic = second_opinion(run.releases, 30)
    assert optimistic <= privacy_loss(run.releases, 30) and pessimistic == pytest.approx(epsilon, rel=1e-3)
    twice = [release((0, 4), epsilon), release((2, 8), epsilon)]
    optimistic, pessimistic = second_opinion(twice, HORIZON)
    assert optimistic <= privacy_loss(twice, HORIZON) and pessimistic == pytest.approx(2 * epsilon, rel=1e-3)


def test_dp_accounting_is_asked_nothing_when_nothing_is_spent():
    pytest.importorskip("dp_accounting")
    assert second_opinion([release((0, 1), sensitivity=0.0, scale=0.0)], HORIZON) == (0.0, 0.0)
