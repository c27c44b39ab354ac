"""Exact laws and budgets against the privacy loss distributions of dp-accounting, wherever both apply.

Its curves are optimistic or pessimistic by the grid of its losses, so an exact delta lies between the two.
"""

import math
from fractions import Fraction

import mpmath
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

from banditproof.theory import to_ball
from banditproof.theory.privacy.noise_calibration import gaussian_delta
from banditproof.theory.privacy.privacy_composition import worst_composed_delta
from banditproof.theory.privacy.trade_off import trade_off_curve
from banditproof.verify.finite.channels import compose_independently, hockey_stick, randomised_response
from banditproof.verify.finite.kernels import random_law

GRID = 1e-4  # of the losses, by which a delta may be off
RATIOS = [Fraction(1), Fraction(5, 4), Fraction(2), Fraction(7)]  # e^epsilon


def assert_between(build, delta, uses=1):
    """The exact delta(ratio) lies between the other library's curves, `build(pessimistic_estimate=...)`."""
    low, high = (
        build(pessimistic_estimate=pessimistic, value_discretization_interval=GRID).self_compose(uses)
        for pessimistic in (False, True)
    )
    for ratio in RATIOS:
        epsilon, exact = math.log(ratio), float(delta(ratio))
        ends = [curve.get_delta_for_epsilon(epsilon) for curve in (low, high)]
        assert ends[0] - 1e-12 <= exact <= ends[1] + 1e-12 and ends[1] - ends[0] <= 2 * uses * GRID, (
            ratio,
            ends,
            exact,
        )


@pytest.mark.parametrize("scale", [0.4, 1.0, 4.0])
def test_laplace_noise(scale):
    """int (p - e^epsilon q)^+ at distance 1 is 1 - e^((epsilon - 1/scale)/2) where that is positive."""
    assert_between(
        lambda **options: pld.from_laplace_mechanism(scale, use_connect_dots=False, **options),
        lambda ratio: max(0.0, -math.expm1((math.log(ratio) - 1 / scale) / 2)),
    )


@pytest.mark.parametrize("uses", [1, 9])
@pytest.mark.parametrize("deviation", [1.0, 4.0])
def test_gaussian_noise_once_and_composed(deviation, uses):
    mu = to_ball(uses).sqrt() / to_ball(deviation)
    assert_between(
        lambda **options: pld.from_gaussian_mechanism(deviation, use_connect_dots=False, **options),
        lambda ratio: gaussian_delta(mu, to_ball(ratio).log()).mid(),
        uses,
    )


def discrete_laplace(shrink, centre, reach):
    """P(k) in proportion to shrink^|k - centre|, exact: beyond `reach` all outcomes tell the same and are one."""
    unit = (1 - shrink) / (1 + shrink)
    law = {k: unit * shrink ** abs(k - centre) for k in range(-reach, reach + 1)}
    return law | {"below": law[-reach] * shrink / (1 - shrink), "above": law[reach] * shrink / (1 - shrink)}


@pytest.mark.parametrize("shrink", [Fraction(1, 3), Fraction(9, 10)])
def test_discrete_laplace_noise(shrink):
    here, there = discrete_laplace(shrink, 0, 3), discrete_laplace(shrink, 1, 3)
    assert sum(here.values()) == 1 and trade_off_curve(here, there).least_delta(2) == hockey_stick(here, there, 2)[0]
    assert_between(
        lambda **options: pld.from_discrete_laplace_mechanism(-math.log(shrink), **options),
        lambda ratio: hockey_stick(here, there, ratio)[0],
    )


def test_discrete_gaussian_noise():
    def law(centre):
        with mpmath.workdps(30):
            masses = {k: mpmath.exp(-((k - centre) ** 2) / mpmath.mpf(8)) for k in range(-40, 42)}
            total = mpmath.fsum(masses.values())
            return {k: Fraction(str(mass / total)) for k, mass in masses.items()}

    here, there = law(0), law(1)
    assert_between(
        lambda **options: pld.from_discrete_gaussian_mechanism(2.0, **options),
        lambda ratio: hockey_stick(here, there, ratio)[0],
    )


@pytest.mark.parametrize("uses", [1, 5])
def test_randomised_response_once_and_composed(uses):
    odds = Fraction(3)
    composed = compose_independently([randomised_response(odds)] * uses)
    zeros, ones = (composed.laws[(bit,)] for bit in (0, 1))
    build = lambda **options: pld.from_randomized_response(float(2 / (1 + odds)), 2, **options)  # noqa: E731
    assert_between(build, lambda ratio: hockey_stick(zeros, ones, ratio)[0], uses)
    for ratio in RATIOS:
        worst = worst_composed_delta(uses, to_ball(odds).log(), to_ball(0), to_ball(ratio).log())
        assert worst.overlaps(to_ball(hockey_stick(zeros, ones, ratio)[0]))


@pytest.mark.parametrize("seed", range(4))
def test_any_two_finite_laws(seed):
    here, there = (dict(enumerate(random_law(seed, side, 6))) for side in "ab")
    logs = [{k: math.log(p) for k, p in law.items()} for law in (here, there)]
    assert_between(
        lambda **options: pld.from_two_probability_mass_functions(*logs, symmetric=False, **options),
        lambda ratio: max(hockey_stick(here, there, ratio)[0], hockey_stick(there, here, ratio)[0]),
    )
