"""The three definitions of privacy for bandits, compared exactly on small policies."""

from fractions import Fraction as F
from itertools import chain, combinations
from math import inf

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import FiniteKernel, random_kernel, randomised_response_kernel, reward_lists
from banditproof.verify.finite.output_laws import view_law
from banditproof.verify.privacy import enumeration
from banditproof.verify.privacy.enumeration import (
    PrivacyWitness,
    acr_delta,
    acr_delta_over_adversaries,
    acr_epsilon,
    table_delta,
    table_epsilon,
    view_delta,
    view_epsilon,
)

RATIOS = (F(1), F(6, 5), F(3))


@pytest.mark.parametrize("seed", range(12))
def test_pure_privacy_is_the_same_under_view_table_and_adaptive_release(seed):
    kernel = random_kernel(seed, 3, 2, smallest_weight=seed % 2)
    witnesses = [view_epsilon(kernel), table_epsilon(kernel), acr_epsilon(kernel)]
    assert len({witness.ratio for witness in witnesses}) == 1
    assert all(witness.holds(kernel) for witness in witnesses)


def test_pure_privacy_is_the_same_for_three_rewards_and_three_arms():
    kernel = random_kernel(3, 3, 3, (0, 1, 2))
    assert view_epsilon(kernel).ratio == acr_epsilon(kernel).ratio
    kernel = random_kernel(4, 4, 2)
    assert view_epsilon(kernel).ratio == table_epsilon(kernel).ratio == acr_epsilon(kernel).ratio


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("horizon", [2, 3])
def test_the_worst_tree_found_prefix_by_prefix_is_the_worst_of_all_trees(seed, horizon):
    kernel = random_kernel(seed, horizon, 2, smallest_weight=seed % 2)
    assert acr_epsilon(kernel).ratio == enumeration._largest_ratio(enumeration._adversary_pairs(kernel)).ratio
    for ratio in RATIOS[:2] if horizon == 3 else RATIOS:
        found, searched = acr_delta(kernel, ratio), acr_delta_over_adversaries(kernel, ratio)
        assert found.delta == searched.delta
        assert found.holds(kernel) and searched.holds(kernel)


def test_the_worst_tree_is_found_with_three_rewards_too():
    kernel = random_kernel(1, 2, 2, (0, 1, 2))
    assert acr_delta(kernel, F(1)).delta == acr_delta_over_adversaries(kernel, F(1)).delta


@pytest.mark.parametrize("seed", range(6))
def test_adaptive_release_implies_table_and_table_implies_view_privacy(seed):
    kernel = random_kernel(seed, 3, 2)
    for ratio in RATIOS:
        deltas = [definition(kernel, ratio) for definition in (view_delta, table_delta, acr_delta)]
        assert deltas[0].delta <= deltas[1].delta <= deltas[2].delta
        assert all(witness.holds(kernel) for witness in deltas)


def test_delta_vanishes_exactly_from_the_tightest_epsilon_on():
    kernel = random_kernel(2, 3, 2)
    ratio = view_epsilon(kernel).ratio
    assert acr_delta(kernel, ratio).delta == 0
    assert view_delta(kernel, ratio * F(999, 1000)).delta > 0


def test_delta_is_the_worst_over_all_events():
    kernel = random_kernel(9, 2, 2)
    lists = list(reward_lists(kernel))
    actions = list(kernel.action_sequences())
    events = list(chain.from_iterable(combinations(actions, k) for k in range(5)))
    laws = {r: view_law(kernel, r) for r in lists}
    brute = max(
        sum(laws[r][a] for a in event) - F(6, 5) * sum(laws[s][a] for a in event)
        for r in lists
        for s in lists
        for event in events
    )  # T = 2: all lists are neighbours
    assert view_delta(kernel, F(6, 5)).delta == brute


@pytest.mark.parametrize("ratio", [F(1), F(3), F(17, 4)])
def test_randomised_response_spends_exactly_its_ratio(ratio):
    kernel = randomised_response_kernel(3, 2, ratio)
    assert view_epsilon(kernel).ratio == table_epsilon(kernel).ratio == acr_epsilon(kernel).ratio == ratio


def test_a_policy_that_repeats_the_reward_has_infinite_loss_and_delta_one():
    kernel = FiniteKernel(2, 2, (0, 1), lambda h: (F(1, 2), F(1, 2)) if not h else (F(h[0][1]), 1 - F(h[0][1])))
    assert view_epsilon(kernel).ratio == inf and view_epsilon(kernel).holds(kernel)
    assert acr_epsilon(kernel).ratio == inf and acr_epsilon(kernel).holds(kernel)
    assert view_delta(kernel, F(10)).delta == 1


def test_a_policy_of_one_step_is_perfectly_private():
    kernel = random_kernel(0, 1, 3)
    assert view_epsilon(kernel).ratio == table_epsilon(kernel).ratio == acr_epsilon(kernel).ratio == 1
    assert acr_delta(kernel, F(1)).delta == view_delta(kernel, F(1)).delta == 0


def test_a_witness_with_a_wrong_number_does_not_hold():
    kernel = random_kernel(0, 3, 2)
    true = view_epsilon(kernel)
    assert not PrivacyWitness(true.inputs, true.event, true.ratio + 1).holds(kernel)
    delta = acr_delta(kernel, F(1))
    wrong = PrivacyWitness(delta.inputs, delta.event[1:], F(1), delta.delta)
    assert not wrong.holds(kernel)


@pytest.mark.parametrize("ratio", [F(1, 2), 1.5])
def test_a_ratio_below_one_or_in_floating_point_is_refused(ratio):
    for definition in (view_delta, acr_delta):
        with pytest.raises(InvalidInput, match="ratio"):
            definition(random_kernel(0, 2, 2), ratio)
