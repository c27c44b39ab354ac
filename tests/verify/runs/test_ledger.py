"""The ledger charges every reward with the releases that contain it."""

from fractions import Fraction as F
from functools import reduce
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace, norm

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import KINDS, Budget, gaussian_delta
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier
from banditproof.verify.runs.accountant import WIDEST, of_noisy_max
from banditproof.verify.runs.ledger import (
    Violation,
    accounting,
    audit_ledger,
    cost,
    cost_per_reward,
    currency,
    privacy_loss,
    repeated_noise,
)
from banditproof.verify.runs.recorder import Release, Run, record

HORIZON = 8
PURE = Budget.pure(1.0)  # the currency; how much of it may be spent does not matter to a loss


def release(records, epsilon=0.5, sensitivity=1.0, scale=None, noise=0.0, budget=None):
    scale = sensitivity / epsilon if scale is None else scale
    own = Budget.pure(budget or epsilon)
    return Release(np.zeros(1), np.array([noise]), "laplace", scale, sensitivity, own, "l1", records)


def gaussian(records, budget, sensitivity=1.0, noise=0.0, distribution="normal"):
    scale = sensitivity * gaussian_multiplier(budget)
    return Release(np.zeros(1), np.array([noise]), distribution, scale, sensitivity, budget, "l2", records)


def run_of(*releases):
    return Run((0.0,) * HORIZON, (0,) * HORIZON, tuple(releases))


def test_releases_of_disjoint_batches_cost_as_much_as_the_dearest_one():
    assert privacy_loss([release((0, 3), 0.25), release((3, 8), 0.5)], HORIZON, PURE) == 0.5


def test_releases_of_the_same_reward_add_up():
    assert privacy_loss([release((0, 5), 0.25), release((4, 8), 0.5)], HORIZON, PURE) == 0.75


def test_a_release_that_names_no_records_is_charged_to_all():
    assert cost_per_reward([release(None, 0.25), release((7, 8), 0.5)], HORIZON, PURE).tolist() == [0.25] * 7 + [0.75]


def test_rewards_before_the_run_are_not_there_to_be_charged():
    assert cost_per_reward([release((-3, 2), 0.5)], HORIZON, PURE).tolist() == [0.5] * 2 + [0.0] * 6


spans = st.tuples(st.integers(0, HORIZON), st.integers(0, HORIZON)).map(lambda ends: tuple(sorted(ends)))


@given(st.lists(st.tuples(spans, st.integers(1, 16)), max_size=8))
def test_the_loss_is_the_largest_exact_sum_over_rewards(entries):
    releases = [release(records, sixteenths / 16) for records, sixteenths in entries]
    exact = [sum((F(n, 16) for (start, stop), n in entries if start <= t < stop), F(0)) for t in range(HORIZON)]
    assert privacy_loss(releases, HORIZON, PURE) == pytest.approx(float(max(exact)), rel=1e-14)  # up to 8 roundings


def test_a_constant_costs_nothing_and_a_value_without_noise_everything():
    assert cost(release((0, 1), sensitivity=0.0, scale=0.0)) == 0.0
    assert cost(release((0, 1), scale=0.0)) == np.inf


def test_a_distribution_without_an_account_is_refused():
    strange = Release(np.zeros(1), np.zeros(1), "cauchy", 1.0, 1.0, PURE, "l1", (0, 1))
    with pytest.raises(InvalidInput, match="distribution"):
        cost(strange)


def test_overspending_names_the_reward_and_the_releases_that_contain_it():
    (violation,) = audit_ledger(run_of(release((0, 3), noise=0.1), release((2, 5), noise=0.2)), Budget.pure(0.5))
    assert "reward 2" in violation.reason and "releases 0, 1" in violation.reason and violation.release == 1
    assert [t for t in range(HORIZON) if violation.rewards[t] != violation.neighbour[t]] == [2]


def test_spending_exactly_the_budget_is_no_violation():
    for epsilon in (0.1, 1 / 3, 0.7, 1e-6, 123.4):
        assert audit_ledger(run_of(release((0, 8), epsilon)), Budget.pure(epsilon)) == ()


def test_a_release_that_costs_more_than_its_own_budget_is_found():
    (violation,) = audit_ledger(run_of(release((0, 3), scale=1.0, budget=0.5)), Budget.pure(5.0))
    assert "own budget" in violation.reason and violation.release == 0


def test_noise_that_is_used_twice_is_found_in_units_of_its_scale():
    releases = [release((0, 2), noise=0.3), release((2, 4), 0.25, noise=0.6), release((4, 6), noise=0.31)]
    assert repeated_noise(releases) == [(0, 1)]
    assert "again" in audit_ledger(run_of(*releases), Budget.pure(0.5))[0].reason


def test_a_violation_reads_like_a_sentence_with_the_changed_reward():
    text = str(Violation("ledger", "too dear", 2, (0.0, 1.0), (1.0, 1.0)))
    assert text == "ledger, release 2: too dear [reward 0 0 -> 1 in 0 1]"


def second_opinion(releases, horizon, delta=1e-10):
    """For Laplace releases, `dp-accounting`'s epsilon at `delta` for the dearest reward: (optimistic, pessimistic).

    Its discretised privacy loss distributions cannot state delta = 0 for composed pure mechanisms, hence `delta`.
    """
    pld = accounting("pld.privacy_loss_distribution")
    worst = int(cost_per_reward(releases, horizon, Budget.pure(inf)).argmax())
    charged = [release for release in releases if release.covers(worst) and release.sensitivity]

    def epsilon(pessimistic):
        losses = [
            pld.from_laplace_mechanism(
                release.scale, release.sensitivity, pessimistic_estimate=pessimistic, use_connect_dots=pessimistic
            )
            for release in charged
        ]
        return float(reduce(lambda total, one: total.compose(one), losses).get_epsilon_for_delta(delta))

    return (epsilon(False), epsilon(True)) if charged else (0.0, 0.0)


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_dp_accounting_agrees_with_the_ledger(epsilon):
    pytest.importorskip("dp_accounting")
    rewards = np.random.default_rng(0).integers(0, 2, 30)
    budget = Budget.pure(epsilon)
    run = record(lambda noise, generator: DPIMED(2, budget, GeometricBatches(2), noise), rewards, 0)
    optimistic, pessimistic = second_opinion(run.releases, 30)
    assert optimistic <= privacy_loss(run.releases, 30, PURE) and pessimistic == pytest.approx(epsilon, rel=1e-3)
    twice = [release((0, 4), epsilon), release((2, 8), epsilon)]
    optimistic, pessimistic = second_opinion(twice, HORIZON)
    assert optimistic <= privacy_loss(twice, HORIZON, PURE) and pessimistic == pytest.approx(2 * epsilon, rel=1e-3)


def test_dp_accounting_is_asked_nothing_when_nothing_is_spent():
    pytest.importorskip("dp_accounting")
    assert second_opinion([release((0, 1), sensitivity=0.0, scale=0.0)], HORIZON) == (0.0, 0.0)


APPROXIMATE, RENYI = Budget.approximate(0.7, 1e-5), Budget.rdp(3.0, 0.4)
GAUSSIAN_BUDGETS = [kind.example() for kind in KINDS.values() if kind.takes_gaussian]


@pytest.mark.parametrize("budget", GAUSSIAN_BUDGETS, ids=str)
def test_gaussian_noise_calibrated_to_a_budget_spends_all_of_it_once_and_not_twice(budget):
    assert audit_ledger(run_of(gaussian((0, 4), budget, noise=0.1), gaussian((4, 8), budget, noise=0.2)), budget) == ()
    audit = audit_ledger(run_of(gaussian((0, 5), budget, noise=0.1), gaussian((4, 8), budget, noise=0.2)), budget)
    assert ["reward 4 is charged" in violation.reason for violation in audit] == [True]


def test_gaussian_costs_are_the_renyi_divergences_of_the_shifted_laws():
    sigma, order = 1.7, RENYI.order
    log_density = norm(scale=sigma).logpdf
    moment = quad(lambda x: np.exp(order * log_density(x) + (1 - order) * log_density(x - 1)), -40, 40)[0]
    divergence = np.log(moment) / (order - 1)
    assert currency(RENYI).cost("normal", 1.0, sigma) == pytest.approx(divergence, rel=1e-9)
    assert order * currency(Budget.zcdp(1.0)).cost("normal", 1.0, sigma) == pytest.approx(divergence, rel=1e-9)


def test_the_renyi_cost_of_laplace_noise_is_that_of_the_integral():
    order, shift = RENYI.order, 1.3
    moment = quad(lambda x: np.exp(-order * abs(x) + (order - 1) * abs(x - shift)) / 2, -60, 60, points=[0, shift])[0]
    assert currency(RENYI).cost("laplace", shift, 1.0) == pytest.approx(np.log(moment) / (order - 1), rel=1e-9)


def test_an_approximate_budget_is_spent_along_the_exact_gaussian_curve():
    two = [gaussian((0, 8), APPROXIMATE), gaussian((0, 8), APPROXIMATE)]
    mu = np.sqrt(privacy_loss(two, HORIZON, APPROXIMATE))
    exact = norm.cdf(mu / 2 - 0.7 / mu) - np.exp(0.7) * norm.cdf(-mu / 2 - 0.7 / mu)
    assert gaussian_delta(mu, 0.7) == pytest.approx(exact, rel=1e-9) and exact > APPROXIMATE.delta


def test_gaussian_noise_never_meets_a_pure_budget():
    (violation,) = audit_ledger(run_of(gaussian((0, 1), Budget.zcdp(0.1))), PURE)
    assert violation.cause == "mechanism" and violation.release == 0


def test_a_release_that_names_an_arm_is_charged_to_the_rewards_of_that_arm():
    releases, actions = [release((0, 4, 0), 0.25), release((1, 6, 1), 0.5)], (0, 1, 0, 1, 1, 0, 1, 1)
    assert cost_per_reward(releases, HORIZON, PURE, actions).tolist() == [0.25, 0.5, 0.25, 0.5, 0.5, 0, 0, 0]
    assert cost_per_reward(releases, HORIZON, PURE).tolist() == [0.25] + [0.75] * 3 + [0.5] * 2 + [0] * 2
    assert releases[0].covers(2) and releases[0].covers(2, 0) and not releases[0].covers(2, 1)


@pytest.mark.parametrize("answer", range(3))
def test_a_noisy_maximum_tells_the_loss_of_the_answer_that_was_seen(answer):
    """The chance that an answer wins, by another integral."""
    here, there = [0.0, 1.3, 2.0], [0.5, 0.8, 2.5]

    def wins(scores):
        others = [s for k, s in enumerate(scores) if k != answer]
        density = lambda x: laplace.pdf(x - scores[answer]) * np.prod([laplace.cdf(x - s) for s in others])  # noqa: E731
        return quad(density, -40, 40, points=scores, limit=200)[0]

    pair = of_noisy_max(1.0, here, there, answer)
    assert pair.told == pytest.approx(abs(np.log(wins(here) / wins(there))), abs=1e-7)
    assert not pair.attained and 0 < pair.told < pair.loss == 1.0


def test_scores_that_are_too_far_apart_tell_nothing():
    assert of_noisy_max(1.0, [0.0, 2 * WIDEST], [0.5, 2 * WIDEST], 0).told == 0
    assert of_noisy_max(0.5, [0.0, 300.0], [0.5, 300.0], 0).told == pytest.approx(0.5, rel=0.01)
