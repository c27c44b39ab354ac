"""Trade-off functions against hockey sticks and threshold tests, and regions against their inequalities."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import linprog

from banditproof.theory import to_ball
from banditproof.theory.privacy import trade_off

weights = st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any)


def law(numbers, size):
    padded = [*numbers, *[0] * size][:size]
    padded[0] += not any(padded)
    return {i: Fraction(w, sum(padded)) for i, w in enumerate(padded)}


@given(weights, weights, st.fractions(1, 8, max_denominator=6))
def test_the_least_delta_of_a_curve_is_the_larger_hockey_stick(one, other, ratio):
    size = max(len(one), len(other))
    null, alternative = law(one, size), law(other, size)
    sticks = [
        sum(max(p - ratio * b[o], 0) for o, p in a.items()) for a, b in ((null, alternative), (alternative, null))
    ]
    curve = trade_off.trade_off_curve(null, alternative)
    assert curve.least_delta(ratio) == max(sticks)
    for alpha, beta in curve.vertices:
        bound = trade_off.approximate_trade_off(float(alpha), math.log(ratio), float(max(sticks)))
        assert float(beta) >= bound - 1e-12


def test_the_gaussian_trade_off_is_the_error_of_the_threshold_test():
    for alpha, mu in [(0.05, 1.0), (0.5, 0.0), (0.3, 2.5)]:
        threshold = stats.norm.isf(alpha)
        missed = stats.norm.cdf(threshold - mu)
        for number in (float, mpmath.mpf, to_ball):
            assert float(trade_off.gaussian_trade_off(number(alpha), number(mu))) == pytest.approx(missed, rel=1e-10)
    assert trade_off.gaussian_trade_off(np.array([0.0, 1.0]), 1.0).tolist() == [1.0, 0.0]


def test_gaussian_noise_is_above_the_trade_off_of_its_exact_delta():
    from banditproof.theory.privacy.noise_calibration import gaussian_delta

    alphas = np.linspace(0, 1, 201)
    for epsilon in (0.0, 0.5, 2.0):
        delta = gaussian_delta(1.2, epsilon)
        gap = trade_off.gaussian_trade_off(alphas, 1.2) - trade_off.approximate_trade_off(alphas, epsilon, delta)
        assert gap.min() >= -1e-12 and gap.min() <= 1e-3  # it touches


def test_the_region_is_the_hexagon_that_its_inequalities_cut_out():
    region = trade_off.TestingRegion(Fraction(3), Fraction(1, 5))
    assert region.corner == Fraction(1, 5)
    for alpha, beta in region.vertices:
        assert region.contains(Fraction(alpha), Fraction(beta))
    lines = [(1, 3), (3, 1)]
    inequalities = [[-a, -b] for a, b in lines] + [[a, b] for a, b in lines]
    limits = [-0.8, -0.8, 4 - 0.8, 4 - 0.8]
    for direction in ([1, 0.5], [0.3, -1], [-1, -1], [2, 1], [-0.2, 1]):
        best = linprog(direction, A_ub=inequalities, b_ub=limits, bounds=(0, 1))
        corners = min(direction[0] * a + direction[1] * b for a, b in region.vertices)
        assert float(corners) == pytest.approx(best.fun, abs=1e-9)
    assert not region.contains(Fraction(0), Fraction(79, 100)) and not region.contains(Fraction(-1, 9), Fraction(1))


def test_the_region_and_the_bounds_have_all_number_systems():
    import sympy

    epsilon, delta = sympy.symbols("epsilon delta", positive=True)
    corner = trade_off.testing_region(epsilon, delta).corner
    assert sympy.simplify(corner - (1 - delta) / (1 + sympy.exp(epsilon))) == 0
    assert float(trade_off.testing_region(to_ball(1), to_ball("1/4")).corner) == pytest.approx(0.75 / (1 + math.e))


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.0, 0.0), (0.5, 0.0), (2.0, 0.1), (0.1, 0.9), (1.0, 1.0), (800.0, 0.0)]
)
def test_the_sharp_advantage_is_the_best_over_the_region_and_the_others_exceed_it(epsilon, delta):
    bounds = trade_off.advantage_bounds(epsilon, delta)
    assert float(bounds.sharp) == pytest.approx(
        1 - 2 * float(trade_off.testing_region(min(epsilon, 700.0), delta).corner)
    )
    assert bounds.sharp <= bounds.elementary + 1e-15
    assert (bounds.pure is None) == (delta > 0)
    if delta == 0:
        assert bounds.elementary <= bounds.pure
