"""Leakage scores: the formulas against integrals and against each other."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from banditproof.theory import to_ball
from banditproof.theory.privacy.leakage import (
    gaussian_leakage,
    gaussian_power,
    log_affinity,
    normal_mean_leakage,
    sampled_leakage,
    sampled_power,
)


@pytest.mark.parametrize("score", [0.1, 1.0, 5.0, 20.0])
def test_the_leakage_is_half_the_integral_of_the_difference(score):
    laws = [norm(sign * score / 2, np.sqrt(score)) for sign in (-1, 1)]
    width = 10 * np.sqrt(score) + score
    distance = quad(lambda x: abs(laws[0].pdf(x) - laws[1].pdf(x)) / 2, -width, width, points=[0], limit=200)[0]
    assert gaussian_leakage(score) == pytest.approx(distance, abs=1e-9)
    assert (
        gaussian_leakage(to_ball(score)).contains(to_ball(float(gaussian_leakage(score))))
        or abs(float(gaussian_leakage(to_ball(score)).mid()) - gaussian_leakage(score)) < 1e-14
    )


def test_the_power_minus_the_level_is_largest_at_the_leakage():
    levels = np.linspace(1e-6, 1 - 1e-6, 20_001)
    assert (gaussian_power(levels, 2.0) - levels).max() == pytest.approx(gaussian_leakage(2.0), abs=1e-6)
    assert (sampled_power(levels, 2.0, 0.3) - levels).max() == pytest.approx(sampled_leakage(2.0, 0.3), abs=1e-6)
    assert sampled_leakage(2.0, 1.0) == gaussian_leakage(2.0)


@pytest.mark.parametrize(("shift", "out", "inside", "p"), [(0.7, 1.3, 0.8, 0.3), (0.0, 1.0, 2.0, 0.9)])
def test_the_affinity_of_two_normal_laws_is_the_integral(shift, out, inside, p):
    laws = norm(0, np.sqrt(out)), norm(shift, np.sqrt(inside))
    integral = quad(lambda x: laws[0].pdf(x) ** (1 - p) * laws[1].pdf(x) ** p, -20, 20)[0]
    assert log_affinity(shift, out, inside, p) == pytest.approx(np.log(integral))


@pytest.mark.parametrize(("n", "d", "squared"), [(2, 1, 0), (10, 50, 10), (10, 3, 50), (300, 40, 2_000)])
def test_balls_around_the_exact_leakage_hold_the_float(n, d, squared):
    ball = normal_mean_leakage(to_ball(squared), n, d)
    assert float(ball.rad()) < 1e-9
    assert float(normal_mean_leakage(float(squared), n, d)) == pytest.approx(float(ball.mid()), abs=1e-9)


def test_the_exact_leakage_of_one_column_is_the_integral_of_the_difference():
    n, distance = 5, 1.5
    laws = norm(0, 1), norm(distance / np.sqrt(n), np.sqrt((n - 1) / n))
    difference = quad(lambda x: abs(laws[0].pdf(x) - laws[1].pdf(x)) / 2, -12, 12, limit=400)[0]
    assert normal_mean_leakage(distance**2, n, 1) == pytest.approx(difference, abs=1e-7)


def test_a_ball_around_zero_stays_sound():
    around = to_ball(0).union(to_ball("0.01"))
    assert normal_mean_leakage(around, 10, 50).contains(to_ball(float(normal_mean_leakage(0.0, 10, 50))))
