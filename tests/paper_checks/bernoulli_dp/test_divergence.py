"""The relations about d_epsilon against minimisation and differentiation by other means."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import rel_entr

from banditproof.paper_checks.bernoulli_dp.app_f_regret import f1_divergence as slopes
from banditproof.paper_checks.bernoulli_dp.section_3 import s3_divergence as divergence
from banditproof.theory import d_epsilon_dx, d_epsilon_dy, to_ball

POINTS = [
    ("0.3", "0.7", "0.5"),
    ("0.3", "0.7", "2"),
    ("0.01", "0.99", "1"),
    ("0.45", "0.5", "0.3"),
    ("0.2", "0.21", "4"),
]


def balls(*values):
    return [to_ball(Fraction(v)) for v in values]


def cost(z, x, y, epsilon):
    return epsilon * abs(x - z) + float(rel_entr(z, y) + rel_entr(1 - z, 1 - y))


def minimum(x, y, epsilon):
    found = minimize_scalar(
        cost, bounds=(min(x, y), max(x, y)), args=(x, y, epsilon), method="bounded", options={"xatol": 1e-12}
    )
    return min(found.fun, cost(x, x, y, epsilon), cost(y, x, y, epsilon))


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(
    "relation", [slopes.closed_form_below, divergence.closed_form_of_a_suboptimal_arm, divergence.attained]
)
def test_printed_values_are_the_minimum(point, relation):
    left, operator, right = relation(*balls(*point))
    assert operator == "=="
    assert float(left) == pytest.approx(minimum(*map(float, point)), rel=1e-9)
    assert float(right) == pytest.approx(minimum(*map(float, point)), rel=1e-9)


@pytest.mark.parametrize("point", POINTS)
def test_the_mirrored_formula_is_the_minimum_above_the_diagonal(point):
    y, x, epsilon = point
    left, _, right = slopes.closed_form_above(*balls(x, y, epsilon))
    assert float(left) == pytest.approx(minimum(*map(float, (x, y, epsilon))), rel=1e-9)
    assert float(right) == pytest.approx(float(left), rel=1e-12)


@pytest.mark.parametrize("point", POINTS)
def test_the_printed_minimiser_has_the_lowest_cost_on_a_fine_grid(point):
    x, y, epsilon = map(float, point)
    z = float(divergence.printed_minimiser(*balls(*point)))
    grid = np.linspace(x, y, 2001)
    assert min(cost(g, x, y, epsilon) for g in grid) >= cost(z, x, y, epsilon) - 1e-12


@pytest.mark.parametrize(("mu_a", "mu_star"), [("0", "0.5"), ("0.3", "1"), ("0", "1")])
def test_formula_8_holds_at_edges_where_its_threshold_is_infinite(mu_a, mu_star):
    left, _, right = divergence.closed_form_of_a_suboptimal_arm(*balls(mu_a, mu_star, "1.5"))
    kept = mpmath.exp(-1.5)
    stated = {"0.5": -mpmath.log(0.5 + 0.5 * kept), "1": 1.5 * (1 - float(mu_a))}[mu_star]
    assert float(left) == pytest.approx(float(stated), rel=1e-12)
    assert float(right) == pytest.approx(float(stated), rel=1e-12)


@pytest.mark.parametrize("epsilon", ["0.5", "0.05", "0.005"])
def test_the_loss_against_total_variation_is_of_second_order(epsilon):
    loss, _, room = divergence.small_budgets(*balls("0.1", "0.5", epsilon), to_ball(Fraction(1, 4)))
    e = float(Fraction(epsilon))
    assert float(loss) == pytest.approx(e**2 / 8, rel=e)  # variance 1/4, over two
    assert float(room) == pytest.approx(e**2 / 4, rel=e)


def test_both_readings_of_the_text_under_8():
    point = balls("0", "0.5", "2")
    z = 0.5 / (0.5 + 0.5 * np.exp(2))
    divergence_part = float(rel_entr(z, 0.5) + rel_entr(1 - z, 0.5))
    assert float(divergence.kl_plus_tv(*point, 1)[2]) == pytest.approx(divergence_part + z)
    assert float(divergence.kl_plus_tv(*point, "epsilon")[2]) == pytest.approx(divergence_part + 2 * z)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("place", [0, 1])
def test_slopes_are_difference_quotients_of_the_minimum(point, place):
    function = (d_epsilon_dx, d_epsilon_dy)[place]
    at = [float(v) for v in point]
    step = np.zeros(3)
    step[place] = 1e-5
    quotient = (minimum(*(at + step)) - minimum(*(at - step))) / 2e-5
    assert float(function(*balls(*point))) == pytest.approx(quotient, abs=2e-4)


def test_the_auxiliary_slope_is_a_difference_quotient(relation):
    left, _, right = relation("BDP-LF.5/auxiliary-slope")(*balls("0.3", "1.2"))
    at = lambda y: y / (y + (1 - y) * np.exp(1.2))  # noqa: E731
    quotient = (at(0.3 + 1e-6) - at(0.3 - 1e-6)) / 2e-6
    assert float(left) == pytest.approx(quotient, rel=1e-8)
    assert float(right) == pytest.approx(quotient, rel=1e-8)
