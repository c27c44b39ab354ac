"""Dual, shape, index and the size of the improvement against computations by other means."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.special import rel_entr

from banditproof.paper_checks import bernoulli_dp_dual as dual
from banditproof.paper_checks import bernoulli_dp_improvement as improvement
from banditproof.paper_checks import bernoulli_dp_shape as shape
from banditproof.paper_checks.derivation import facts_hold
from banditproof.theory.bernoulli import d_epsilon
from banditproof.theory.numeric import to_ball


def balls(*values):
    return [to_ball(Fraction(v)) for v in values]


def kl(p, q):
    return float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))


@pytest.mark.parametrize("point", [("0.3", "0.7", "0.5"), ("0.3", "0.7", "2"), ("0.9", "0.2", "1")])
def test_the_dual_is_the_maximum_over_a_fine_grid(point):
    x, y, epsilon = map(float, point)
    lam = np.linspace(-epsilon, epsilon, 20001)
    best = float(np.max(lam * x - np.log(1 - y + y * np.exp(lam))))
    at_the_clipped, _, value = dual.dual_value(*balls(*point), 1)
    assert float(at_the_clipped) == pytest.approx(best, abs=1e-8)
    assert float(value) == pytest.approx(best, abs=1e-8)


@pytest.mark.parametrize(
    "point", [("0.1", "0.8", "1"), ("0.8", "0.1", "1"), ("0.4", "0.5", "3"), ("0", "1", "2"), ("1", "0", "2")]
)
def test_the_stable_form_and_the_edges_agree_with_the_objective(point):
    x, y, epsilon = map(float, point)
    grid = np.linspace(min(x, y), max(x, y), 100001)
    with np.errstate(divide="ignore"):
        values = epsilon * np.abs(x - grid) + rel_entr(grid, y) + rel_entr(1 - grid, 1 - y)
    assert float(dual.stable_form(*balls(*point), 1)[0]) == pytest.approx(values.min(), abs=1e-8)


@pytest.mark.parametrize(("x", "y", "value"), [
    ("0.5", "0", 0.5 * 2), ("0.5", "1", 0.5 * 2), ("0", "0.5", -np.log(0.5 + 0.5 * np.exp(-2))),
    ("1", "0.3", -np.log(0.3 + 0.7 * np.exp(-2))), ("0.25", "0.25", 0.0), ("0", "0", 0.0), ("1", "1", 0.0),
])  # fmt: skip
def test_edge_values(x, y, value):
    left, _, right = dual.edge_value(*balls(x, y, "2"), 1)
    assert float(left) == pytest.approx(value) and float(right) == pytest.approx(value)


def test_the_dual_is_convex_along_segments():
    draw = np.random.default_rng(3)
    for _ in range(50):
        x, y, u, v, t = (Fraction(int(n), 100) for n in draw.integers(1, 100, 5))
        inside, _, ends = shape.dual_along_a_segment(*balls(x, y, u, v, Fraction(int(draw.integers(-9, 10)), 3), t), 0)
        assert not inside > ends


@pytest.mark.parametrize("point", [("0.1", "0.8", "1"), ("0.8", "0.1", "0.7"), ("0.4", "0.5", "3")])
def test_the_slope_in_the_budget_is_a_difference_quotient(point):
    x, y, epsilon = map(mpmath.mpf, point)
    h = mpmath.mpf("1e-6")
    quotient = (d_epsilon(x, y, epsilon + h) - d_epsilon(x, y, epsilon - h)) / (2 * h)
    left, _, right = shape.slope_in_the_budget(*balls(*point), 1)
    assert float(left) == pytest.approx(float(quotient), abs=1e-8)
    assert float(right) == pytest.approx(float(quotient), abs=1e-8)
    bend = (d_epsilon(x, y, epsilon + 100 * h) - 2 * d_epsilon(x, y, epsilon) + d_epsilon(x, y, epsilon - 100 * h)) / (
        100 * h
    ) ** 2
    assert float(shape.bend_in_the_budget(*balls(*point), 0)[0]) == pytest.approx(float(bend), abs=1e-5)


def test_the_index_formula_inverts_the_divergence():
    left, _, right = shape.index_formula(*balls("0.1", "0.8", "1"), 1)
    assert float(left) == pytest.approx(0.8) == float(right)


def test_the_number_of_tied_pulls():
    stated, _, pulls = shape.tied_pulls(*balls("1/4", "1/2"), 10**6, 110)
    assert stated == int(np.floor(np.log(1e6) / 0.125)) == pulls


@pytest.mark.parametrize(("price", "constant"), [(1, np.e / (np.e - 1)), (6, 1 / (1 - np.exp(-1 / 6)))])
def test_the_improvement_stays_below_its_constant_and_comes_close(price, constant):
    draw = np.random.default_rng(5)
    best = 0.0
    for _ in range(4000):
        y = 10 ** draw.uniform(-6, -0.001)
        x, epsilon = y * draw.uniform(0, 1) ** 4, 10 ** draw.uniform(-2, 1)
        ratio = min(kl(x, y), price * epsilon * (y - x)) / float(d_epsilon(x, y, epsilon))
        best = max(best, ratio)
    assert best <= constant * (1 + 1e-6)
    closest = min(kl(0, 1e-7), 1e-7) / float(d_epsilon(0.0, 1e-7, 1 / price))
    assert closest == pytest.approx(constant, rel=1e-5)


@pytest.mark.parametrize(("factor", "holds"), [(Fraction(1), True), (Fraction(999, 1000), False)])
def test_the_facts_behind_the_constant_need_the_full_factor(factor, holds):
    proved, _, needed = facts_hold(improvement.improvement_facts(), price=1, factor=factor)
    assert (proved == needed) is holds


@pytest.mark.parametrize("case", range(len(improvement.REFERENCE)))
def test_reference_values_by_bisection(case):
    epsilon, x, y, value = improvement.REFERENCE[case]
    with mpmath.workdps(40):
        epsilon, x, y = mpmath.mpf(epsilon), mpmath.mpf(x), mpmath.mpf(y)
        if y == 1:
            found = epsilon * (1 - x)
        else:
            sign, (low, high) = (1 if x < y else -1), sorted((x, y))
            for _ in range(200):
                z = (low + high) / 2
                rising = sign * epsilon + mpmath.log(z * (1 - y) / (y * (1 - z))) > 0
                low, high = (low, z) if rising else (z, high)
            z = (low + high) / 2
            found = epsilon * abs(x - z) + z * mpmath.log(z / y) + (1 - z) * mpmath.log((1 - z) / (1 - y))
        assert abs(found - mpmath.mpf(value)) < mpmath.mpf("1e-20")
