"""Lower bounds on the sample complexity: which is largest, where they apply, and what they refuse."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from banditproof.theory import Gaussian, Instance, InvalidInput, sample_complexity_lower_bound

MEANS = ["0.9", "0.8", "0.5"]


def test_the_printed_factors_never_exceed_kl_where_they_count(every_point):
    for delta in np.linspace(0.001, 0.5, 50 if every_point else 12):
        bounds = sample_complexity_lower_bound(MEANS, delta, epsilon=1)
        assert bounds["kl-log"].factor.upper <= bounds["kl"].factor.upper
        assert bounds["private"].value.upper <= bounds["private-kl"].value.upper


def test_above_one_half_the_bounds_with_kl_do_not_apply_and_say_why():
    bounds = sample_complexity_lower_bound(["0.9", "0.8"], "0.9", epsilon=1)
    assert {name for name, bound in bounds.bounds.items() if not bound.applies} == {
        "kl",
        "private-kl",
        "private-d-epsilon",
    }
    assert "without a sample" in bounds["kl"].why and bounds["kl"].value.lower > 1
    assert bounds.best.value.upper < 0


@pytest.mark.parametrize(
    ("epsilon", "regimes"), [("0.01", ("high", "high")), ("0.23", ("mixed", "low")), ("5", ("low", "low"))]
)
def test_regimes(epsilon, regimes):
    bounds = sample_complexity_lower_bound(MEANS, "0.01", epsilon=epsilon)
    assert (bounds["private"].regime, bounds["private-relaxed"].regime) == regimes
    assert bounds["kl"].regime is None and bounds["private"].time.upper >= bounds["private-relaxed"].time.lower


def test_the_best_bound_is_the_largest_that_applies():
    bounds = sample_complexity_lower_bound(MEANS, "0.01", epsilon="0.1")
    assert (
        bounds.best.name == "private-d-epsilon"
        and bounds["private-d-epsilon"].value.lower > bounds["private-kl"].value.upper
    )
    assert sample_complexity_lower_bound(MEANS, "0.01").best.name == "kl"
    assert set(sample_complexity_lower_bound(MEANS, "0.01").bounds) == {"kl", "kl-log"}


def test_gaussian_arms_and_an_infinite_budget():
    arms = Instance([Gaussian("0.5"), Gaussian(0)])
    bounds = sample_complexity_lower_bound(arms, Fraction(1, 100), epsilon=math.inf)
    assert (
        bounds["private-d-epsilon"].time.contains(32)
        and bounds["private"].time.contains(32)
        and bounds["private-relaxed"].regime == "low"
    )
    assert all(time.recheck() for time in bounds.times.values())


@pytest.mark.parametrize("delta", [0, 1, -0.1, math.nan, "x", None, True])
def test_delta_outside_its_range_is_an_error(delta):
    with pytest.raises(InvalidInput, match="delta must be"):
        sample_complexity_lower_bound(MEANS, delta)


def test_a_wide_time_and_a_positive_factor_give_a_positive_bound():
    """T* of a mean next to 0 is known to many orders of magnitude only; a ball around it would reach below 0."""
    bound = sample_complexity_lower_bound(["1e-8", 0], "0.05")["kl"]
    assert bound.value.lower >= bound.time.lower * bound.factor.lower * Fraction(99, 100) > 0
