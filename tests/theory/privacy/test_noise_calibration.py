"""Gaussian and Laplace noise against quadrature, another library, and corrupted certificates."""

import dataclasses
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_mechanism
from scipy import integrate, stats

from banditproof.theory import Budget, Enclosure, to_ball
from banditproof.theory.numbers.normal_law import normal_cdf, normal_quantile, scaled_normal_tail
from banditproof.theory.privacy.noise_calibration import (
    NoiseCalibration,
    calibrate_gaussian,
    calibrate_laplace,
    classical_gaussian_delta,
    classical_gaussian_holds,
    classical_gaussian_variance,
    gaussian_delta,
)


@pytest.mark.parametrize(("mu", "epsilon"), [(0.5, 0.1), (1.0, 1.0), (3.0, 2.0), (0.2, 0.0)])
def test_the_exact_delta_is_the_integrated_excess_of_two_normal_densities(mu, epsilon):
    def excess(x):
        return max(0.0, stats.norm.pdf(x, mu) - math.exp(epsilon) * stats.norm.pdf(x))

    threshold = epsilon / mu + mu / 2
    value, _ = integrate.quad(excess, threshold, threshold + 12, epsabs=1e-13, epsrel=1e-12)
    for number in (float, mpmath.mpf, to_ball):
        assert float(gaussian_delta(number(mu), number(epsilon))) == pytest.approx(value, rel=1e-8)


def test_the_delta_of_arrays_and_balls_and_at_zero():
    table = gaussian_delta(np.array([0.0, 1.0]), np.array([[0.5], [1.0]]))
    assert table.shape == (2, 2) and (table[:, 0] == 0).all() and table[0, 1] > table[1, 1]
    wide = gaussian_delta(to_ball(1).union(to_ball(2)), to_ball("1/2"))
    assert wide.contains(gaussian_delta(to_ball("3/2"), to_ball("1/2"))) and gaussian_delta(to_ball(0), to_ball(1)) == 0


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (1.0, 1e-5), (5.0, 0.01)])
def test_the_least_gaussian_noise_is_that_of_the_other_library(epsilon, delta):
    calibration = calibrate_gaussian(Budget.approximate(epsilon, delta), 1.0)
    parameters = privacy_loss_mechanism.common.DifferentialPrivacyParameters(epsilon, delta)
    other = privacy_loss_mechanism.GaussianPrivacyLoss.from_privacy_guarantee(parameters, sensitivity=1.0)
    # The other one is a search.
    assert other.standard_deviation == pytest.approx(float(calibration.value.lower), rel=1e-4)
    assert calibration.value.width <= calibration.value.upper * Fraction(1, 2**50)
    assert calibration.recheck()


def test_without_a_budget_the_delta_is_the_total_variation():
    """delta = 2 Phi(1/(2 sigma)) - 1 at epsilon = 0."""
    calibration = calibrate_gaussian(Budget.approximate(0.0, 0.25))
    assert float(calibration.value.lower) == pytest.approx(1 / (2 * stats.norm.ppf(0.625)), rel=1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), [(1e-6, 1e-12), (50.0, 1e-300), (700.0, 0.5), (3.0, 0.999)])
def test_extreme_budgets_are_calibrated_and_rechecked(epsilon, delta):
    assert calibrate_gaussian(Budget.approximate(epsilon, delta), 2.0).recheck()


@pytest.mark.parametrize(
    "calibration",
    [
        calibrate_gaussian(Budget.approximate(1.0, 1e-5)),
        calibrate_gaussian(Budget.zcdp(0.3)),
        calibrate_laplace(Budget.pure(0.3)),
    ],
)
@pytest.mark.parametrize("factor", [Fraction(99, 100), Fraction(101, 100), Fraction(-1)])
def test_a_corrupted_calibration_is_rejected(calibration, factor):
    ends = sorted((Fraction(calibration.value.lower) * factor, Fraction(calibration.value.upper) * factor))
    moved = Enclosure(*(Fraction(math.floor(end * 2**80), 2**80) for end in ends))
    assert calibration.recheck() and not dataclasses.replace(calibration, value=moved).recheck()
    assert not dataclasses.replace(calibration, distribution="kl").recheck()


def test_a_calibration_for_another_budget_is_rejected():
    calibration = calibrate_gaussian(Budget.approximate(1.0, 1e-5))
    assert not NoiseCalibration("gaussian", Budget.approximate(1.0, 1e-6), 1.0, calibration.value).recheck()


def test_the_classical_formula_holds_for_moderate_budgets_and_fails_for_large_ones():
    for delta in ("99/100", "1/2", "1/1000", "1/1000000000000"):
        assert classical_gaussian_holds(3, delta)
    assert not classical_gaussian_holds(4, "9/10") and not classical_gaussian_holds(10, "1/100000")
    with mpmath.workdps(40):
        b = 2 * mpmath.log(mpmath.mpf("1.25e5")) / 100
        mu = 1 / mpmath.sqrt(b)
        exact = mpmath.ncdf(mu / 2 - 10 / mu) - mpmath.exp(10) * mpmath.ncdf(-mu / 2 - 10 / mu)
        assert float(classical_gaussian_delta(10.0, 1e-5)) == pytest.approx(float(exact), rel=1e-9)
        assert float(classical_gaussian_variance(10, to_ball("1/100000"))) == pytest.approx(float(b))
    assert exact > mpmath.mpf("2e-5")


def test_the_normal_law_agrees_between_number_systems_and_over_wide_balls():
    for x in (-8.0, -0.5, 0.0, 2.5):
        value = stats.norm.cdf(x)
        for number in (float, mpmath.mpf, to_ball):
            assert float(normal_cdf(number(x))) == pytest.approx(value, rel=1e-13)
        assert float(scaled_normal_tail(to_ball(x))) == pytest.approx(stats.norm.sf(x) * math.exp(x * x / 2), rel=1e-12)
        assert float(normal_quantile(to_ball(value))) == pytest.approx(x, abs=1e-9)
        assert float(normal_quantile(value)) == pytest.approx(x, abs=1e-9)
    wide = to_ball(-1).union(to_ball(3))
    assert normal_cdf(wide).contains(normal_cdf(to_ball(2))) and scaled_normal_tail(wide).contains(to_ball("1/2"))
    infinite = to_ball(0).pos_inf()
    assert normal_cdf(infinite) == 1 and scaled_normal_tail(infinite) == 0 and normal_quantile(to_ball(1)) == infinite
