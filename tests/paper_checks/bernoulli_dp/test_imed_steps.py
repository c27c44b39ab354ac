"""Formulas of the expectation steps against numerical integration, partial sums and simulation."""

import math

import mpmath
import numpy as np
import pytest
from scipy import integrate

from banditproof.paper_checks.bernoulli_dp.app_f_regret import f7_imed as steps
from banditproof.theory import d_epsilon, to_ball
from banditproof.verify.forms.calculus import power_series


def test_the_expectations_of_the_first_batch_by_quadrature_over_the_density(relation):
    mu, delta, epsilon = 0.5, 0.25, 1.0

    def density(x):  # one Bernoulli reward plus one Laplace variable
        return sum(p * epsilon / 2 * math.exp(-epsilon * abs(x - s)) for s, p in ((0, 1 - mu), (1, mu)))

    def expectation(exponent):
        atom = (1 - mu) / 2 + mu * math.exp(-epsilon) / 2
        inner = integrate.quad(lambda x: density(x) * math.exp(exponent(x)), 0, mu - delta)[0]
        return atom * math.exp(exponent(0.0)) + inner

    left, _, right = relation("BDP-TF.7/39-expectation")(to_ball(mu), to_ball(delta), to_ball(epsilon), 1)
    assert left.contains(to_ball(expectation(lambda x: d_epsilon(x, mu - delta, epsilon))))
    assert right.contains(to_ball(expectation(lambda x: d_epsilon(x, mu, epsilon) - delta / (1 - mu))))


def test_the_boundary_term_is_the_atom_of_the_clipped_mean_in_simulation(relation):
    generator = np.random.default_rng(5)
    noisy = generator.binomial(1, 0.5, 400_000) + generator.laplace(size=400_000)
    value, _, _ = relation("BDP-TF.7/39-boundary")(to_ball("0.5"), to_ball("0.25"), to_ball(1), 1)
    expected = math.exp(d_epsilon(0.0, 0.5, 1.0) - 0.5) * (noisy <= 0).mean()
    assert float(value) == pytest.approx(expected, rel=0.01)  # about five standard errors


@pytest.mark.parametrize("q", ["0.3", "0.9"])
@pytest.mark.parametrize("power", [1, 2])
def test_the_series_are_their_partial_sums(q, power):
    partial = mpmath.nsum(lambda n: n**power * mpmath.mpf(q) ** n, [0, mpmath.inf])
    assert float(power_series(to_ball(q), power)) == pytest.approx(float(partial))


def test_the_integrals_agree_with_numerical_ones(relation):
    n, level, delta_prime = 3, 0.8, 0.2
    _, _, right = relation("BDP-TF.7/39-integration")(n, to_ball(level), to_ball(delta_prime))
    grown = integrate.quad(lambda x: n**2 * math.exp(n * (x - delta_prime)), 0, level)[0]
    assert float(right) == pytest.approx(n * math.exp(-n * delta_prime) + grown)
    left, _, _ = steps.integral_of_the_tail_bound(n, *map(to_ball, ("0.5", "0.1", "0.3", 2)))
    assert float(left) == pytest.approx(0.5 * 9 * 2 * math.exp(-3 * 0.2))


def test_the_integral_before_47_agrees_with_a_numerical_one(relation):
    alpha, first, rate = 1.7, 3.0, 0.2
    left, _, right = relation("BDP-TF.7/47-integral")(to_ball(alpha), to_ball(first), to_ball(rate))
    assert float(left) == pytest.approx(alpha ** (first + 1) * math.exp(-rate * alpha**first))
    assert float(right) == pytest.approx(float(left))
    numerical = integrate.quad(lambda x: alpha ** (x + 1) * math.exp(-rate * alpha**x), first, 40)[0]
    assert alpha / (rate * math.log(alpha)) * math.exp(-(alpha**first) * rate) == pytest.approx(numerical)


def test_the_tail_of_the_other_arm_is_the_simulated_one_and_below_its_bound():
    generator = np.random.default_rng(6)
    n, m, mu, epsilon, delta_prime = 7, 3, 0.5, 1.0, 0.2
    noise = generator.laplace(scale=1 / epsilon, size=(300_000, m)).sum(axis=1)
    noisy = (generator.binomial(n, mu, 300_000) + noise) / n
    point = [to_ball(v) for v in (mu, epsilon, delta_prime)]
    left, _, right = steps.tail_of_the_other_arm_from_its_mean(n, m, *point)
    assert float(left) == pytest.approx((noisy >= mu + delta_prime / epsilon).mean(), abs=0.005)
    assert left < right


def test_all_rewards_one_and_nonnegative_noise_already_exceed_the_printed_rate(relation):
    left, _, right = relation("BDP-TF.7/45-tail")(*map(to_ball, ("0.5", 5, "0.05", "0.99", "0.1")))
    shifted = mpmath.mpf("0.51")
    kl = shifted * mpmath.log(shifted / 0.99) + (1 - shifted) * mpmath.log((1 - shifted) / 0.01)
    assert float(left) == pytest.approx(math.log(2))
    assert float(right) == pytest.approx(float(kl) - 0.1)
