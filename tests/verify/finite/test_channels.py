"""Finite channels: exact privacy by an independent route, and the closure properties of differential privacy."""

from fractions import Fraction as F
from itertools import chain, combinations
from math import inf

import mpmath
import pytest

from banditproof.verify.finite.channels import (
    FiniteChannel,
    channel_delta,
    channel_ratio,
    compose,
    compose_in_parallel,
    compose_independently,
    hockey_stick,
    likelihood_ratio,
    post_process,
    random_channel,
    randomised_response,
    renyi_divergence,
    total_variation,
    zcdp_rho,
)
from banditproof.verify.finite.kernels import random_law

SEEDS = range(8)


def events(law):
    outcomes = list(law)
    return chain.from_iterable(combinations(outcomes, k) for k in range(len(outcomes) + 1))


def two_laws(seed, size=4, **weights):
    return tuple(dict(enumerate(random_law(seed, side, size, **weights))) for side in "LR")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_hockey_stick_divergence_is_the_largest_excess_over_all_events(seed):
    left, right = two_laws(seed, smallest_weight=0)
    for ratio in (F(1), F(5, 4), F(4)):
        excess, event = hockey_stick(left, right, ratio)
        assert excess == max(sum(left[s] - ratio * right[s] for s in e) for e in events(left))
        assert excess == sum(left[s] - ratio * right[s] for s in event)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_largest_ratio_over_events_is_attained_by_one_outcome(seed):
    left, right = two_laws(seed)
    ratio, outcome = likelihood_ratio(left, right)
    assert ratio == left[outcome] / right[outcome]
    assert ratio == max(sum(left[s] for s in e) / sum(right[s] for s in e) for e in events(left) if e)


def test_an_outcome_that_is_impossible_on_one_side_has_infinite_ratio():
    assert likelihood_ratio({0: F(1, 2), 1: F(1, 2)}, {0: F(1)}) == (inf, 1)


def test_total_variation_is_half_the_absolute_difference():
    left, right = two_laws(1)
    assert total_variation(left, right) == sum(abs(left[s] - right[s]) for s in left) / 2


def test_randomised_response_spends_exactly_its_ratio():
    assert channel_ratio(randomised_response(F(3))).value == 3
    assert channel_delta(randomised_response(F(3)), F(3)).value == 0
    assert channel_delta(randomised_response(F(3)), F(1)).value == F(1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_post_processing_does_not_cost_privacy(seed):
    channel = random_channel(seed, 2)
    coarser = post_process(channel, lambda y: dict(enumerate(random_law(seed, ("post", y), 3, smallest_weight=0))))
    assert channel_ratio(coarser).value <= channel_ratio(channel).value
    for ratio in (F(1), F(3, 2)):
        assert channel_delta(coarser, ratio).value <= channel_delta(channel, ratio).value


@pytest.mark.parametrize("seed", SEEDS)
def test_pure_privacy_of_a_group_is_the_power_of_that_of_one_record(seed):
    channel = random_channel(seed, 3, outputs=2)
    one = channel_ratio(channel).value
    assert channel_ratio(channel, distance=2).value <= one**2
    assert channel_ratio(channel, distance=3).value <= one**3


def test_group_privacy_is_attained_by_a_channel_that_adds_up_records():
    bits = compose_in_parallel([randomised_response(F(2))] * 2)
    assert channel_ratio(bits).value == 2 and channel_ratio(bits, distance=2).value == 4


def test_a_delta_does_not_stay_what_it_is_for_groups():
    channel = FiniteChannel(2, (0, 1), {(a, b): {1: F(a + b, 2), 0: 1 - F(a + b, 2)} for a in (0, 1) for b in (0, 1)})
    assert channel_delta(channel, F(1)).value == F(1, 2)
    assert channel_delta(channel, F(1), distance=2).value == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_adaptive_composition_costs_at_most_the_product_of_the_ratios(seed):
    first = random_channel(seed, 1)
    seconds = {y: random_channel(100 * seed + y, 1) for y in range(3)}
    both = compose(first, seconds.__getitem__)
    worst = max(channel_ratio(second).value for second in seconds.values())
    assert channel_ratio(both).value <= channel_ratio(first).value * worst
    assert channel_delta(both, F(1)).value <= channel_delta(first, F(1)).value + max(
        channel_delta(second, F(1)).value for second in seconds.values()
    )


def test_composition_of_independent_randomised_responses_multiplies_their_ratios():
    twice = compose_independently([randomised_response(F(2)), randomised_response(F(3))])
    assert channel_ratio(twice).value == 6
    assert all(sum(twice.laws[d].values()) == 1 for d in twice.datasets())


@pytest.mark.parametrize("seed", SEEDS)
def test_on_the_blocks_of_a_partition_only_the_worst_channel_counts(seed):
    blocks = [random_channel(seed, 1), random_channel(seed + 50, 2)]
    whole = compose_in_parallel(blocks)
    assert whole.records == 3
    assert channel_ratio(whole).value == max(channel_ratio(block).value for block in blocks)
    assert channel_delta(whole, F(5, 4)).value == max(channel_delta(block, F(5, 4)).value for block in blocks)


def renyi_by_mpmath(left, right, order):
    with mpmath.workdps(40):
        order = mpmath.mpf(order.numerator) / order.denominator

        def number(p):
            return mpmath.mpf(p.numerator) / p.denominator

        total = sum(number(p) ** order * number(right[s]) ** (1 - order) for s, p in left.items() if p)
        return mpmath.log(total) / (order - 1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("order", [F(11, 10), F(2), F(25)])
def test_the_renyi_ball_contains_the_value_computed_with_forty_digits(seed, order):
    left, right = two_laws(seed)
    ball = renyi_divergence(left, right, order)
    value = renyi_by_mpmath(left, right, order)
    assert float(ball.lower()) <= value <= float(ball.upper()) and float(ball.rad()) < 1e-12


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_zcdp_enclosure_contains_the_best_of_many_orders_and_is_narrow(seed):
    left, right = two_laws(seed)
    rho = zcdp_rho(left, right, splits=400)
    orders = [F(1) + F(k, 50) for k in range(1, 1000)]
    assert max(renyi_by_mpmath(left, right, a) / mpmath.mpf(str(float(a))) for a in orders) <= float(rho.upper)
    assert 0 < float(rho.lower) and float(rho.upper) <= 1.02 * float(rho.lower)


def test_a_pure_mechanism_has_at_most_half_epsilon_squared_of_zcdp():
    for ratio in (F(3, 2), F(3), F(20)):
        channel = randomised_response(ratio)
        rho = zcdp_rho(channel.laws[0,], channel.laws[1,])
        assert float(rho.upper) <= float(mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator) ** 2 / 2) * 1.01


def test_divergences_of_equal_and_of_singular_laws_are_zero_and_infinite():
    same = {0: F(1, 3), 1: F(2, 3)}
    assert zcdp_rho(same, same).lower == zcdp_rho(same, same).upper == 0
    assert zcdp_rho(same, {0: F(1)}).lower == inf
