"""The studies of linear and contextual bandits and their figures, by other routes and on few runs."""

import numpy as np
import pytest

from banditproof.claims.report.figures import FIGURES, svg
from banditproof.paper_checks.shared import linear_experiments as linear
from banditproof.paper_checks.thesis.app_c_proofs import c3_3_placements
from banditproof.paper_checks.thesis.ch5_algorithms.structured import s5_5_2_contextual as contextual
from banditproof.paper_checks.thesis.ch5_algorithms.structured import s5_5_2_linear as figure_5_5
from banditproof.theory.linear.phases import adac_phase_length, phase_level

SEED = np.random.SeedSequence(1)


@pytest.fixture(scope="module")
def sphere():
    return linear.run_linear(SEED, 3, linear.TIMES, linear.BUDGETS)


@pytest.fixture(scope="module")
def placements():
    return c3_3_placements.run_placements(SEED, 400, (2, 3))


def test_the_figures_are_drawn_from_their_studies(sphere, placements):
    runs = contextual.figure_5_6(SEED, runs=3, times=[100, 1000, 10_000])
    assert "over GOPE" in svg(FIGURES["adac-gope-price-of-privacy"], [sphere])
    assert "longer phases" in svg(FIGURES["noise-on-sums-regret"], [sphere])
    assert "beginning (sums)" in svg(FIGURES["noise-placements"], [placements])
    assert "T = 10 000" in svg(FIGURES["adac-oful-price-of-privacy"], [runs])


def test_the_parts_of_the_bound_are_those_of_the_phases_that_begin():
    lengths = [[float(adac_phase_length(3, 0.5**p, phase_level(0.001, 10, p), r)) for p in (1, 2)] for r in (np.inf, 1)]
    horizon = int(lengths[1][0]) + 10  # within the second phase
    expected = [4 * first + 2 * second for first, second in lengths]
    assert figure_5_5.parts_of_the_bound(1.0, horizon) == pytest.approx(expected, rel=1e-12)


def test_noise_in_the_middle_is_that_of_the_dimension(placements):
    """At an optimal design g^2 = d / c, up to rounding plays up."""
    for d in (2, 3):
        assert placements[f"middle, {d}, theory"][0] == pytest.approx(d, rel=0.02)
        assert placements[f"sums, {d}, theory"][0] > placements[f"middle, {d}, theory"][0]


def test_the_two_parts_of_a_width_have_the_ratio_they_are_named_by():
    arrays = linear.run_estimates(SEED, 50)
    for name in ("adac", "adar"):
        for price in linear.PRICES:
            case = f"{name}, 3, {price:g}"
            assert arrays[f"{case}, private"] == pytest.approx(price * arrays[f"{case}, plain"])
        tiny, huge = (arrays[f"{name}, 3, {price:g}, error"].mean() for price in (linear.PRICES[0], linear.PRICES[-1]))
        assert huge > 100 * tiny
