"""The relations about d_epsilon that no tree proves, against minimisation by other means."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import rel_entr

from banditproof.paper_checks.bernoulli_dp.section_3 import s3_divergence as divergence
from banditproof.theory import to_ball

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


@pytest.mark.parametrize("point", POINTS)
def test_the_printed_minimiser_has_the_lowest_cost_on_a_fine_grid(point):
    x, y, epsilon = map(float, point)
    z = float(divergence.printed_minimiser(*balls(*point)))
    grid = np.linspace(x, y, 2001)
    assert min(cost(g, x, y, epsilon) for g in grid) >= cost(z, x, y, epsilon) - 1e-12


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
