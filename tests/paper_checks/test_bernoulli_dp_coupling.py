"""The relations of the proof's steps against independent evaluations."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest

from banditproof.paper_checks.bernoulli_dp_coupling import (
    INNER,
    SETTING,
    count_grows,
    coupled_run_keeps_the_actions,
    exponent_is_negative,
    listed,
    mean_at_least,
    points,
    price_slope,
    three_events,
    variation_of_ordered_means,
)
from banditproof.paper_checks.coupled_environment import policy_named
from banditproof.verify.compare import holds
from banditproof.verify.output_laws import view_law

POLICY = ["random", 2, 3, 2]


def pulls_by_reward_lists(policy, mu_1, mu):
    """The law of the number of pulls of arm 1 from the view laws, which fix the rewards of all steps beforehand."""
    kernel = policy_named(policy)
    law = {}
    for rewards in product((0, 1), repeat=kernel.horizon):
        for actions, weight in view_law(kernel, rewards).items():
            for arm, reward in zip(actions, rewards, strict=True):
                mean = mu if arm == 1 else mu_1
                weight *= mean if reward else 1 - mean
            law[sum(actions)] = law.get(sum(actions), 0) + weight
    return law


def test_the_coupled_environment_keeps_the_law_of_the_actions():
    mu_2, mu_2_prime, mu_1 = Fraction(1, 5), Fraction(1, 2), Fraction(3, 5)
    coupled, _, direct = coupled_run_keeps_the_actions(POLICY, mu_2, mu_2_prime, mu_1, 1)
    expected = pulls_by_reward_lists(POLICY, mu_1, mu_2)
    assert sorted(coupled) == sorted(direct) == sorted(expected.values())


def test_the_three_events_add_up_to_the_probability_of_few_pulls():
    mu_2, mu_2_prime, mu_1, mu_2_alt = (Fraction(m) for m in INNER[1])
    law = pulls_by_reward_lists(POLICY, mu_1, mu_2)
    left, _, right = three_events(POLICY, mu_2, mu_2_prime, mu_1, mu_2_alt, Fraction(1, 4), 1, 1)
    assert left == right == law.get(0, 0) + law.get(1, 0)
    _, _, lighter = three_events(POLICY, mu_2, mu_2_prime, mu_1, mu_2_alt, Fraction(1, 4), 1, Fraction(1, 2))
    assert lighter < right  # the event that the rewards differ often has positive probability here


def test_the_mean_number_of_pulls_and_its_tail_come_from_one_law():
    law = pulls_by_reward_lists(POLICY, Fraction(1, 2), Fraction(1, 5))
    mean, _, tail = mean_at_least(POLICY, Fraction(1, 5), Fraction(1, 2), 1, 1)
    assert mean == sum(k * w for k, w in law.items())
    assert tail == sum(w for k, w in law.items() if k > 1)


@pytest.mark.parametrize("alpha", ["1/10", "1", "7"])
def test_the_exponent_is_minus_half_the_squared_slack(alpha):
    left, operator, right = exponent_is_negative(Fraction(alpha), Fraction(1, 2))
    assert left == -(Fraction(alpha) ** 2) / 2 and (operator, right) == ("<", 0)


@pytest.mark.parametrize(("alpha", "grows"), [("99/100", True), ("1", False), ("3/2", False)])
def test_the_count_grows_with_the_horizon_exactly_for_slack_below_one(alpha, grows):
    counts = [(1 - mpmath.mpf(Fraction(alpha).numerator) / Fraction(alpha).denominator) * log_t for log_t in (10, 1000)]
    assert (counts[1] > counts[0] > 0) == grows == holds(*count_grows(Fraction(alpha), 1))


def test_the_slope_of_the_price_is_the_derivative_of_kl():
    z, t = mpmath.mpf(1) / 5, mpmath.mpf(3) / 5
    slope = mpmath.diff(lambda y: z * mpmath.log(z / y) + (1 - z) * mpmath.log((1 - z) / (1 - y)), t)
    left, _, right = price_slope(z, t, 1)
    assert mpmath.almosteq(left / (t * (1 - t)), slope, rel_eps=1e-8)
    assert mpmath.almosteq(right / (t * (1 - t)), 1 / (1 - t))


def test_the_variation_is_half_the_l1_distance_of_the_two_laws():
    left, _, right = variation_of_ordered_means(Fraction(1, 5), Fraction(3, 4), 1)
    assert left == right == max(abs(Fraction(1, 5) - Fraction(3, 4)), 0)


def test_listed_points_cover_their_own_values_only():
    over = points(INNER[:2], seeds=1)
    region = listed(SETTING, over)
    assert all(region.contains(point) for point in over)
    assert not region.contains(over[0] | {"alpha": Fraction(2)})
