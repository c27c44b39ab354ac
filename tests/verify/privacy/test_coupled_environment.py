"""The exact ingredients of the coupled environment against brute force, mpmath and SciPy."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from banditproof.theory.privacy.couplings import maximal_coupling
from banditproof.verify.privacy.coupled_environment import (
    binomial_bound,
    binomial_tail,
    coupled_law,
    expected_pulls,
    few_pulls,
    likely,
    pulls_law,
    transport_cost,
    walk_bound,
    walk_crosses,
)
from banditproof.verify.privacy.named_policies import policy_named, view_ratio

unit = st.fractions(0, 1, max_denominator=20)
inner = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


@given(unit, unit)
def test_the_bernoulli_coupling_has_both_marginals_and_differs_with_the_difference_of_the_means(p, q):
    coupling = maximal_coupling(p, q)
    assert sum(coupling.values()) == 1 and min(coupling.values()) > 0
    assert sum(mass for (x, _), mass in coupling.items() if x) == p
    assert sum(mass for (_, y), mass in coupling.items() if y) == q
    assert sum(mass for (x, y), mass in coupling.items() if x != y) == abs(p - q)


def density(kernel, path, mu_1, mu, mu_prime):
    """p_{gamma pi}(a_1, r_1, r'_1, ...) as printed: the policy sees r, the pair is drawn from the arm's coupling."""
    weight, history = Fraction(1), ()
    for arm, seen, other in path:
        low, high = sorted((mu, mu_prime)) if arm == 1 else (mu_1, mu_1)
        both = {(1, 1): low, (0, 0): 1 - high, (0, 1): 0, (1, 0): 0}
        both[(0, 1) if mu <= mu_prime else (1, 0)] = high - low
        weight *= kernel.probability(history)[arm] * both[seen, other]
        history = (*history, (arm, seen))
    return weight


@pytest.mark.parametrize("name", [("random", 5, 3, 2), ("response", Fraction(4), 3, 2)])
def test_the_law_of_the_counts_is_the_sum_of_the_printed_density_over_augmented_histories(name):
    mu_1, mu, mu_prime = Fraction(3, 5), Fraction(1, 5), Fraction(1, 2)
    expected = {}
    for path in product(product((0, 1), repeat=3), repeat=3):
        last = [(seen, other) for arm, seen, other in path if arm == 1]
        counts = len(last), sum(x != y for _, x, y in path), sum(y for _, y in last)
        weight = density(policy_named(name), path, mu_1, mu, mu_prime)
        expected[counts] = expected.get(counts, 0) + weight
    assert coupled_law(name, mu_1, mu, mu_prime) == {c: w for c, w in expected.items() if w}


def test_a_policy_that_ignores_rewards_pulls_a_binomial_number_of_times():
    law = pulls_law(("constant", Fraction(1, 3), 4, 2), Fraction(1, 2), Fraction(1, 4))
    assert [float(law[k]) for k in range(5)] == pytest.approx(binom.pmf(range(5), 4, 2 / 3), rel=1e-14)
    assert expected_pulls(law) == Fraction(8, 3)
    assert few_pulls(law, Fraction(3, 2)) == law[0] + law[1]


def test_randomised_response_is_as_private_as_its_name_says():
    assert view_ratio(["response", Fraction(7, 2), 4, 2]) == Fraction(7, 2)
    assert view_ratio(["constant", Fraction(1, 3), 4, 2]) == 1


def log_ratio(ones, zeros, p, q):
    return ones * mpmath.log(mpmath.mpf(p) / q) + zeros * mpmath.log((1 - mpmath.mpf(p)) / (1 - q))


@given(st.integers(0, 6), st.integers(0, 6), inner, inner, st.fractions(0, 4, max_denominator=9))
def test_the_likelihood_event_is_decided_as_in_many_digits(ones, zeros, p, q, alpha):
    with mpmath.workdps(60):
        p_, q_ = mpmath.mpf(p.numerator) / p.denominator, mpmath.mpf(q.numerator) / q.denominator
        kl = log_ratio(p_, 1 - p_, p_, q_)
        margin = (1 + mpmath.mpf(alpha.numerator) / alpha.denominator) * 3 * kl - log_ratio(ones, zeros, p_, q_)
        assert likely(ones + zeros, ones, Fraction(3), alpha, p, q) == (margin >= -(mpmath.mpf(10) ** -50))


def test_a_tie_of_the_likelihood_event_counts_as_likely():
    # means 1/3 and 2/3: each 0 adds log 2, each 1 takes it away, and (1 + alpha) n kl = 3 * 2 * (1/3) log 2 = 2 log 2
    third = Fraction(1, 3)
    assert likely(4, 1, Fraction(2), Fraction(2), third, 2 * third)
    assert not likely(5, 1, Fraction(2), Fraction(2), third, 2 * third)


@pytest.mark.parametrize(("p", "q", "alpha"), [("3/10", "3/5", "1/2"), ("1/10", "9/10", "1/5"), ("4/5", "9/10", "1")])
def test_the_crossing_probability_is_the_sum_over_all_reward_sequences(p, q, alpha):
    n, p, q, alpha = 8, Fraction(p), Fraction(q), Fraction(alpha)
    level = (1 + alpha) * n * log_ratio(p, 1 - p, float(p), float(q))
    total = 0.0
    for rewards in product((0, 1), repeat=n):
        sums = [log_ratio(sum(rewards[:m]), m - sum(rewards[:m]), float(p), float(q)) for m in range(1, n + 1)]
        total += float(p) ** sum(rewards) * float(1 - p) ** (n - sum(rewards)) * (max(sums) > level)
    assert float(walk_crosses(n, alpha, p, q)) == pytest.approx(total, abs=1e-12)
    assert walk_crosses(n, alpha, p, q) <= walk_bound(n, alpha, p, q)


def test_a_walk_between_equal_laws_or_towards_a_certain_reward_never_crosses():
    half = Fraction(1, 2)
    assert walk_crosses(9, half, half, half) == 0
    assert walk_crosses(9, half, half, Fraction(1)) == 0
    assert walk_crosses(9, half, Fraction(0), half) == 0


@given(st.integers(1, 40), unit, st.fractions(0, 3, max_denominator=7))
def test_the_binomial_tail_is_the_one_of_scipy_and_below_chernoffs_bound(n, p, alpha):
    level = (1 + alpha) * n * p
    tail = binomial_tail(n, p, level)
    whole = level.numerator // level.denominator  # P(X > level) = P(X > floor(level))
    assert float(tail) == pytest.approx(binom.sf(whole, n, float(p)), rel=1e-9, abs=1e-12)
    bound = binomial_bound(n, alpha, p)
    assert float(bound.upper()) >= float(tail) * (1 - 1e-12)


def test_the_price_of_the_double_change_is_privacy_times_distance_plus_information():
    price = transport_cost(Fraction(1, 10), Fraction(2, 5), Fraction(7, 10), Fraction(1, 4))
    kl = 0.4 * mpmath.log(0.4 / 0.7) + 0.6 * mpmath.log(0.6 / 0.3)
    assert float(price) == pytest.approx(float(0.25 * 0.3 + kl), rel=1e-14)


def test_a_probe_asks_once_and_its_odds_are_its_privacy():
    name = ("probe", Fraction(9), 2, 2)
    kernel = policy_named(name)
    assert kernel.probability(()) == (0, 1) and view_ratio(name) == 9
    assert [kernel.probability(((1, r),))[1] for r in (0, 1)] == [Fraction(1, 10), Fraction(9, 10)]
