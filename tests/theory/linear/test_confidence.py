"""Widths of confidence ellipsoids: floats, arrays and balls agree, and the quantile bounds bound quantiles."""

import flint
import numpy as np
import pytest
from scipy import stats

from banditproof.theory.linear.confidence import (
    eigenvalue_bound,
    most_updates,
    noise_norm_bound,
    plain_width,
    self_normalised_bound,
)
from banditproof.theory.linear.phases import chi_square_radius


@pytest.mark.parametrize("dimension", [1, 3, 40])
@pytest.mark.parametrize("delta", [0.5, 0.01, 1e-9])
def test_the_chi_square_bound_is_above_the_quantile(dimension, delta):
    quantile = stats.chi2.isf(delta, dimension)
    assert quantile <= chi_square_radius(dimension, delta) <= 4 * quantile + 8


def test_the_norm_of_a_sum_of_gaussians_is_bounded_at_every_time():
    draws = 2.0 * np.random.default_rng(0).standard_normal((2000, 5, 3)).sum(axis=1)
    bound = noise_norm_bound(3, 5, 2.0, 0.05, 1)
    assert (np.linalg.norm(draws, axis=1) > bound).mean() < 0.05


def test_the_self_normalised_bound_is_a_normal_tail_in_one_dimension():
    volume = np.log(1 + 100 / 0.5)
    s = 10 * np.random.default_rng(0).standard_normal(100_000) / np.sqrt(100.5)
    assert (np.abs(s) > self_normalised_bound(volume, 0.1)).mean() < 0.1


def test_arrays_and_balls_give_the_same():
    t = np.array([1.0, 50.0, 1e5])
    for formula, arguments in (
        (eigenvalue_bound, (0.3, 0.01, 3)),
        (plain_width, (0.1, 3, 0.01, 1.0)),
        (most_updates, (0.1, 3, 1.0)),
    ):
        balls = [float(formula(flint.arb(x), *map(flint.arb, arguments))) for x in t]
        assert formula(t, *arguments) == pytest.approx(balls)


def test_the_eigenvalue_bound_is_negative_in_early_rounds():
    assert eigenvalue_bound(100.0, 1 / 3, 0.001, 3) < 0 < eigenvalue_bound(20_000.0, 1 / 3, 0.001, 3)
