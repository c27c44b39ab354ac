"""Stopping thresholds and their special functions, by other routes: mpmath, their equations, sums written out."""

import math
from itertools import pairwise

import mpmath
import numpy as np
import pytest

from banditproof.theory import to_ball
from banditproof.theory.best_arm import thresholds as th

POINTS = [0.0, 1e-9, 0.3, 1.0, 7.5, 120.0, 1e5]


def least_by_mpmath(x):
    """C_G(x): the zero of the derivative of (g_G(w) + x)/w, found in 40 digits."""
    with mpmath.workdps(40):

        def value(w):
            rate = 2 * w - 2 * w * mpmath.log(4 * w) + mpmath.log(mpmath.zeta(2 * w)) - mpmath.log(1 - w) / 2
            return (rate + x) / w

        low, high = mpmath.mpf("0.5001"), 1 - mpmath.mpf("1e-12")
        for _ in range(150):
            one, two = (2 * low + high) / 3, (low + 2 * high) / 3
            low, high = (low, two) if value(one) < value(two) else (one, high)
        return float(value((low + high) / 2))


def level(n, delta, arms, s, share):
    return math.log(share * arms * float(mpmath.zeta(s)) * (math.log2(n) + 2) ** s / delta)


@pytest.mark.parametrize("x", [0.3, 4.0, 120.0])
def test_the_gaussian_deviation_is_the_minimum(x):
    assert th.gaussian_deviation(x) == pytest.approx(least_by_mpmath(x), rel=1e-9)


@pytest.mark.parametrize("function", [th.gaussian_deviation, lambda x: th.lambert_minus(1 + x), th.near_growth])
def test_floats_lie_in_the_balls_and_grow(function):
    values = function(np.array(POINTS))
    assert all(before < after for before, after in pairwise(values))
    for x, value in zip(POINTS, values, strict=True):
        ball = function(to_ball(x))
        assert float(ball.mid()) == pytest.approx(value, rel=1e-8, abs=1e-6) and float(ball.rad()) < 1e-3
        assert function(x) == value


@pytest.mark.parametrize("function", [th.gaussian_deviation, th.lambert_minus, th.near_growth])
def test_a_wide_ball_holds_the_values_inside(function):
    wide = function(to_ball(2).union(to_ball(5)))
    assert all(wide.contains(function(to_ball(x)).mid()) for x in (2, 3, 4, 5))


@pytest.mark.parametrize("x", [1.0, 1.0001, 3.0, 500.0])
def test_lambert_minus_solves_its_equation(x):
    root = th.lambert_minus(x)
    assert root >= 1 and root - math.log(root) == pytest.approx(x, rel=1e-12)


@pytest.mark.parametrize("above", [1e-15, 1e-12, 1e-6, 1e-3, 0.1, 3.0, 1e5])
def test_lambert_minus_is_right_to_the_last_digits_also_near_its_branch_point(above):
    x = 1 + above
    with mpmath.workdps(40):
        exact = -mpmath.lambertw(-mpmath.exp(-mpmath.mpf(x)), -1).real
        assert abs(th.lambert_minus(x) - exact) <= 1e-15 * exact


@pytest.mark.parametrize("y", [0.0, 0.2, 12.0, 1e4])
def test_near_growth_is_the_largest_solution(y):
    def holds(x):
        return x * x <= x + y * math.sqrt(2 * x) + y * y / 4

    x = th.near_growth(y)
    assert holds(x * (1 - 1e-9)) and not any(holds(x * (1 + 10.0**k)) for k in range(-9, 3))


@pytest.mark.parametrize("y", [1e-6, 0.5, 40.0])
def test_far_growth_is_what_is_printed(y):
    assert th.far_growth(y) == pytest.approx(1 + 2 / (math.sqrt(1 + 1 / y) - 1), rel=1e-9)


def test_the_plain_threshold_written_out():
    expected = 2 * least_by_mpmath(math.log(4 / 0.01) / 2) + 2 * math.log(4 + math.log(7)) + 2 * math.log(4)
    assert th.plain_threshold(7.0, 1.0, 0.01, 5) == pytest.approx(expected, rel=1e-9)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("arms", [2, 30])
@pytest.mark.parametrize(("epsilon", "delta"), [(1e-3, 0.9), (1.0, 0.01), (50.0, 1e-12)])
def test_the_private_thresholds_written_out(arms, epsilon, delta):
    n, m, s, unit = 8.0, 64.0, 2, (epsilon / 2) ** 2
    noise = sum(level(k, delta, arms, s, 2) ** 2 / k for k in (n, m)) / unit
    spread = 2 * (math.pi**2 / 6) ** 2 * (5 * 8) ** s
    plain = 2 * least_by_mpmath(math.log((arms - 1) * spread / delta) / 2)
    plain += 2 * math.log(4 + math.log(n)) + 2 * math.log(4 + math.log(m))
    private = th.private_threshold(n, m, delta, arms, epsilon)
    assert private == pytest.approx(2 * plain + noise, rel=1e-9)

    def h(k):
        arguments = 2 * level(k, delta, arms, s, 3) + 4 * math.log(4 + math.log(k)) + 0.5
        return float(-mpmath.lambertw(-mpmath.exp(-arguments), -1).real) / 2

    cross = sum(math.sqrt(h(k) / k) * level(k, delta, arms, s, 3) for k in (n, m)) * math.sqrt(2 / unit)
    near = th.private_threshold(n, m, 2 * delta / 3, arms, epsilon) / 2 + cross
    far = 12 * math.log(3 * arms * math.pi**2 / 6 * 8 / delta)
    far += 3 * epsilon * sum(math.sqrt(k * h(k)) for k in (n, m)) / math.sqrt(0.5)
    at = [th.star_threshold(lead, n, m, delta, arms, epsilon) for lead in (3 * epsilon * 0.999, 3 * epsilon)]
    assert at == pytest.approx([near, far], rel=1e-9)


@pytest.mark.parametrize(("lead", "cost"), [(-0.1, 0.0), (0.2, 0.64), (0.9, 2 * 0.9 * 0.3 * 8)])
def test_the_transportation_cost_grows_with_the_smaller_of_lead_and_budget(lead, cost):
    assert th.transportation_cost(lead, 16.0, 16.0, 0.1) == pytest.approx(cost)
