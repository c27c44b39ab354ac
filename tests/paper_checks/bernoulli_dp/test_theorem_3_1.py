"""The finite-horizon form of the lower bound and its rates, against direct optimisation and floating point."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from banditproof.algorithms import BernoulliBandit, NoiseSource, simulate
from banditproof.paper_checks.bernoulli_dp.facts.probation import ProbationPolicy
from banditproof.paper_checks.bernoulli_dp.section_3.s3_lower_bound import (
    change_of_environment,
    few_pulls_are_unlikely,
    finite_points,
    neglected,
    optimal_mean_one,
    share_of_the_bound,
)
from banditproof.paper_checks.bernoulli_dp.section_3.s3_proof import regret_at_most
from banditproof.theory import Budget, to_ball
from banditproof.verify.proof.compare import as_ball, holds

INSTANCE = (Fraction(4, 5), Fraction(1, 10), Fraction(1))


def kl(p, q):
    return sum(a * log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


def price(x, y, epsilon):
    """d_epsilon by direct minimisation of its definition."""
    return minimize_scalar(lambda z: epsilon * (z - x) + kl(z, y), bounds=(x, y), method="bounded").fun


@pytest.mark.parametrize(
    "instance",
    [INSTANCE, (Fraction(3, 4), Fraction(7, 10), Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 20), Fraction(1, 10))],
)
def test_the_guarantee_is_the_best_price_found_by_direct_minimisation(instance):
    mu_star, mu_a, epsilon = map(float, instance)
    k = 6
    alternative = mu_star + (1 - mu_star) * 4.0**-k
    expected = (1 - 2.0**-k) * price(mu_a, mu_star, epsilon) / price(mu_a, alternative, epsilon)
    assert float(share_of_the_bound(k, instance)) == pytest.approx(expected, rel=1e-5)


def test_the_intermediate_mean_lies_between_the_arm_and_the_optimum():
    for step in (Fraction(1, 2), Fraction(1, 10**6)):
        alternative, intermediate, _ = change_of_environment(INSTANCE, step)
        assert INSTANCE[1] <= intermediate <= INSTANCE[0] < alternative < 1


def test_the_neglected_probability_is_the_sum_of_its_three_terms():
    log_horizon, alpha = 4000, Fraction(1, 10)
    mu_alt, mu_prime, _ = change_of_environment(INSTANCE, Fraction(1, 100))
    q, p, mu = float(mu_alt), float(mu_prime), 0.1
    cost = (p - mu) + kl(p, q)
    count = 0.9 * log_horizon / cost
    spread = log((1 - p) / (1 - q)) - log(p / q)
    terms = [
        exp((1.1 * 0.9 + 0.005 - 1) * log_horizon),
        exp(-2 * 0.01 * count * kl(p, q) ** 2 / spread**2),
        exp(-count * kl(1.1 * (p - mu), p - mu)),
    ]
    assert float(neglected(log_horizon, alpha, INSTANCE, 1)) == pytest.approx(log(sum(terms)) / log_horizon, rel=1e-9)


def test_a_larger_constant_makes_the_neglected_probability_grow():
    rates = [float(neglected(10 * 4**j, Fraction(1, 10), INSTANCE, Fraction(11, 10)).mid()) for j in (6, 9, 12)]
    assert np.allclose(rates, 1.1 * 1.1 * 0.9 + 0.005 - 1, rtol=1e-3)


def test_the_finite_form_says_something_at_some_of_its_points():
    over = finite_points([("1/2", "1/10", "1/2", "4/5")], arms=2)
    sides = [few_pulls_are_unlikely(**{n: v for n, v in point.items() if n != "arms"}, factor=1) for point in over]
    assert all(holds(*side) for side in sides)
    assert sum(bool(as_ball(right) < 1) for _, _, right in sides) >= 5


def test_at_optimal_mean_one_the_printed_bound_is_one_over_epsilon():
    mean, epsilon = as_ball(Fraction(1, 4)), as_ball(Fraction(1, 2))
    left, operator, right = optimal_mean_one("probation", 2, as_ball(1), mean, "none", epsilon, root=200)
    assert (operator, right) == (">=", 0)
    assert float(left + 2) == pytest.approx(0.75 * 201 / 200**2, rel=1e-6)  # what remains of the regret is the trial


@pytest.mark.parametrize("means, epsilon", [((0.9, 0.2), 4.0), ((1.0, 0.3), 2.0), ((0.7, 0.0), 2.0)])
def test_the_witness_of_the_hypotheses_bounds_the_simulated_regret_of_its_policy(means, epsilon):
    """At short horizons, where the regret can be simulated; the bound is below the trivial T times the gap."""
    horizon, generator = 5000, np.random.default_rng(5)
    policy = ProbationPolicy(horizon, Budget.pure(epsilon), NoiseSource(generator), replications=400)
    regret = simulate(policy, BernoulliBandit(means), horizon, generator, [horizon]).regret[:, -1].mean()
    exact = [to_ball(Fraction(str(value))) for value in (*means, epsilon)]
    bound = regret_at_most(*exact, to_ball(horizon).log())
    assert 0.05 * float(bound) < regret <= float(bound) < horizon * (means[0] - means[1])
