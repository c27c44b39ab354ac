"""Relations and policies behind the claims of Section 4.2 of the thesis, against values computed another way."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.stats import binom, norm

from banditproof.paper_checks.shared.pairs import RANDOM, exposure, play
from banditproof.paper_checks.shared.policies import in_prime_logarithms
from banditproof.paper_checks.thesis.ch4_lower_bounds import s4_2_1_couplings as couplings
from banditproof.paper_checks.thesis.ch4_lower_bounds import s4_2_1_product_laws as products
from banditproof.paper_checks.thesis.ch4_lower_bounds import s4_2_2_zcdp as zcdp
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import proved_minimum
from banditproof.paper_checks.thesis.facts.gaussian_courier import gaussian_courier
from banditproof.theory.privacy.transport import optimal_transport
from banditproof.verify.finite.channels import FiniteChannel
from banditproof.verify.privacy.named_policies import interactive_rho, policy_named, view_ratio

COURIER = ["courier", Fraction(1, 10), Fraction(1, 10**8)]


def quotient(p, q, order):
    """D_order(p, q)/order of two lists of masses."""
    total = sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True))
    return mpmath.log(total) / (order - 1) / order


def largest(p, q):
    return max(quotient(p, q, 1 + mpmath.mpf(10) ** (mpmath.mpf(k) / 20)) for k in range(-160, 60))


def test_rho_of_the_courier_is_that_of_its_two_messages():
    """By composition: randomised response on the first reward, and the sum released once more."""
    x, error = mpmath.mpf(10) ** -8, mpmath.mpf(1) / 10
    rows = [[x ** ((k - total) ** 2) for k in range(3)] for total in range(3)]
    rows = [[w / sum(row) for w in row] for row in rows]
    first = largest([1 - error, error], [error, 1 - error])
    second = max(largest(rows[i], rows[j]) for i, j in ((0, 1), (1, 0), (1, 2), (2, 1)))
    rho = interactive_rho(COURIER)
    assert float(rho) <= float(first + second) * (1 + 1e-6)
    assert float(rho) == pytest.approx(float(first + second), rel=1e-3)


def test_divergence_of_the_courier_by_hand():
    """In the other bandit nothing pays, so the actions are (A or B by error, noise around 0)."""
    p, error, x = 0.1, 0.1, 1e-8
    rows = [[x ** ((k - total) ** 2) for k in range(3)] for total in range(3)]
    rows = [[w / sum(row) for w in row] for row in rows]
    kl = 0.0
    for arm, k in itertools.product((1, 2), range(3)):
        first = p * (1 - error if arm == 1 else error) * rows[1 + (arm == 1)][k]
        first += (1 - p) * (error if arm == 1 else 1 - error) * rows[arm == 1][k]
        second = (error if arm == 1 else 1 - error) * rows[0][k]
        kl += first * math.log(first / second)
    coupled = play(COURIER, exposure("1/10"))
    assert float(coupled.kl_of_actions()) == pytest.approx(kl, rel=1e-9)


def test_exposure_of_the_courier_by_hand():
    """A = p + 1 after the arm that always differs, else p; V = p (1 - p); d = 1 or 2 after a reward, 1 or 0 without."""
    p, error = Fraction(1, 10), Fraction(1, 10)
    coupled = play(COURIER, exposure("1/10"))
    to_first = p * (1 - error) + (1 - p) * error
    assert zcdp.moments(COURIER, exposure("1/10")) == (to_first * (1 + p) ** 2 + (1 - to_first) * p**2, p * (1 - p))
    assert coupled.distance_moment(2, 3) == p * ((1 - error) * 4 + error) + (1 - p) * error


def test_both_sides_of_the_printed_bound_by_hand():
    """rho by composition, E[A^2] and E[V] by hand."""
    rho = 0.8 * math.log(9) + float(largest_of_noise())
    _, _, right = zcdp.kl_decomposition_zcdp(COURIER, exposure("1/10"))
    assert float(right) == pytest.approx(rho * (0.18 * 1.21 + 0.82 * 0.01 + 0.09), rel=1e-3)


def largest_of_noise():
    x = mpmath.mpf(10) ** -8
    rows = [[x ** ((k - total) ** 2) for k in range(3)] for total in range(3)]
    rows = [[w / sum(row) for w in row] for row in rows]
    return max(largest(rows[i], rows[j]) for i, j in ((0, 1), (1, 0), (1, 2), (2, 1)))


def test_the_messenger_is_private_by_its_odds():
    assert view_ratio(["messenger", Fraction(3)]) == 3


def test_policies_in_two_bandits_of_certain_rewards_differ_by_randomised_response():
    coupled = play(["messenger", Fraction(3)], [[1, 0, 0], [0, 0, 0]])
    assert float(coupled.kl_of_actions()) == pytest.approx(0.5 * math.log(3))


def test_logarithms_of_primes_are_the_sum_they_stand_for():
    terms = [(Fraction(1, 3), Fraction(12, 35)), (Fraction(2, 5), Fraction(7, 9)), (Fraction(1), Fraction(1))]
    found = in_prime_logarithms(terms)
    assert sum(float(c) * math.log(p) for p, c in found) == pytest.approx(sum(float(w) * math.log(r) for w, r in terms))
    assert in_prime_logarithms([(Fraction(1), Fraction(6, 5)), (Fraction(1), Fraction(5, 6))]) == ()


def test_log_ratio_under_the_other_view_has_the_other_sign():
    left, _, right = zcdp.sampled_as_printed(["messenger", Fraction(3)], [1, 0], [0, 0])
    assert float(left) == pytest.approx(0.5 * math.log(3))
    assert float(right) == pytest.approx(-0.5 * math.log(3))


def test_a_potential_that_is_too_large_proves_nothing():
    solved = optimal_transport([Fraction(1)], [Fraction(1)], [[1]])
    broken = type(solved)(
        solved.p, solved.q, solved.cost, solved.plan, (solved.potential[0] + 1,), solved.other_potential
    )
    assert proved_minimum(solved) == 1
    with pytest.raises(ArithmeticError):
        proved_minimum(broken)


def test_the_worst_event_for_two_records_by_enumeration():
    epsilon, t = Fraction(4), Fraction(1, 100)
    tell = math.exp(4) / (1 + math.exp(4))
    masses = [sum(math.prod((w if d else 1 - w) * (tell if d else 1 - tell) for d in data)
                  for data in itertools.product((0, 1), repeat=2)) for w in (0.01, 0.0)]  # fmt: skip
    left, _, right = products.every_event(epsilon, t, 2, 6)
    assert float(left) == pytest.approx(math.log(masses[0] / masses[1]))
    assert float(right) == pytest.approx(6 * 4 * 2 * 0.01)


def test_mixtures_of_responses_by_hand():
    left, _, right = products.mixture_of_responses(Fraction(99), Fraction(1, 2), 0)
    assert float(left) == pytest.approx(0.5 * math.log(0.5 / 0.99) + 0.5 * math.log(0.5 / 0.01))
    assert float(right) == pytest.approx(0.25 * 0.98 * math.log(99), rel=1e-6)


def test_two_coins_can_be_nested_more_evenly_than_independently():
    best, _, exact = products.squared_cost_is_solved(Fraction(1, 2), Fraction(1, 4), 2)
    assert best == Fraction(1, 4) * 2 * Fraction(3, 4) + Fraction(1, 4)
    assert exact == Fraction(1, 2)  # |S - S'| is 1 with probability 1/2: the thirds and quarters of both laws


def test_every_named_policy_is_a_law_after_every_history():
    for name in (COURIER, ["messenger", Fraction(3)], *RANDOM):
        kernel = policy_named(name)
        assert all(sum(kernel.probability(h)) == 1 for h in kernel.histories())


def test_the_gaussian_courier_is_that_of_direct_quadrature():
    """KL of (told, sum released) in floating point, with cells so fine that the release is a density."""
    records, pulls, threshold, first, second = 6, 5, 4, Fraction(1, 20), Fraction(1, 4)
    kl, square, variance = gaussian_courier(records, pulls, threshold, first, second, 32)
    s = np.arange(records + 1)
    mass, reached = binom.pmf(s, records, 0.5), norm.sf((threshold - s) * math.sqrt(2 * first))
    grid, step = np.linspace(-20, 40, 60_001, retstep=True)
    scale = math.sqrt(1 / (2 * second))
    expected = 0.0
    for told, chance in ((1, reached), (0, 1 - reached)):
        p = sum(w * norm.pdf(grid, d + pulls * told, scale) for w, d in zip(mass * chance, s, strict=True))
        q = chance[0] * norm.pdf(grid, 0, scale)
        expected += np.sum(p * np.log(p / q)) * step
    assert float(kl) == pytest.approx(expected, rel=5e-3) and float(kl) <= expected
    a = records / 2 + pulls * np.array([0, 1])
    sent = mass @ reached
    assert float(square) == pytest.approx((1 - sent) * a[0] ** 2 + sent * a[1] ** 2)
    assert float(variance) == records / 4


def test_two_releases_of_the_gaussian_courier_spend_what_they_are_told():
    """D_alpha/alpha of a sum that moves by one, by quadrature, is the budget of the release; together they make rho."""
    assert zcdp.NOISY_COURIERS[0]["rho"] == 1
    for rho in (0.01, 0.99):
        grid, step = np.linspace(-80, 80, 400_001, retstep=True)
        scale = math.sqrt(1 / (2 * rho))
        for alpha in (1.5, 3.0):
            logs = alpha * norm.logpdf(grid, 1, scale) + (1 - alpha) * norm.logpdf(grid, 0, scale)
            assert math.log(np.sum(np.exp(logs)) * step) / (alpha - 1) / alpha == pytest.approx(rho, rel=1e-6)


def test_the_largest_quotient_is_that_of_the_two_lists_that_are_farthest_apart():
    weights = [[Fraction(2) ** (-27 * (o - count) ** 2) for o in range(3)] for count in range(3)]
    laws = [{o: w / sum(row) for o, w in enumerate(row)} for row in weights]
    counted = FiniteChannel(2, (0, 1), {data: laws[sum(data)] for data in itertools.product((0, 1), repeat=2)})
    divergence = sum(float(p) * math.log(p / laws[0][o]) for o, p in laws[2].items())
    assert float(couplings.largest_quotient(counted, lambda d: 1)) == pytest.approx(divergence, rel=1e-9)
