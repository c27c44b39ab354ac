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


LOG3, LOG24, KL = {"private", "private-relaxed"}, {"kl-log"}, {"kl", "private-kl", "d-epsilon"}
SAYING = {
    "0.33": LOG3 | LOG24 | KL,
    "1/3": LOG24 | KL,
    "0.41": LOG24 | KL,
    "5/12": KL,
    "0.499": KL,
    "1/2": set(),
    "0.9": set(),
}


@pytest.mark.parametrize("delta", SAYING)
def test_a_bound_applies_only_where_its_factor_is_positive_and_says_why(delta):
    """The factors are log(1/(3 delta)), log(1/(2.4 delta)) and, up to delta = 1/2, kl(delta, 1 - delta)."""
    bounds = sample_complexity_lower_bound(["0.9", "0.8"], delta, epsilon=1)
    assert {name for name, bound in bounds.items() if bound.applies} == SAYING[delta]
    assert all(bound.value.lower > 0 for bound in bounds.values() if bound.applies)
    assert "without a sample" in sample_complexity_lower_bound(["0.9", "0.8"], "0.9")["kl"].why
    if SAYING[delta]:
        assert bounds.best.applies
        return
    with pytest.raises(InvalidInput, match="none does .*private: from delta = 1/3 on the factor is not positive"):
        _ = bounds.best


@pytest.mark.parametrize(
    ("epsilon", "regimes"), [("0.01", ("high", "high")), ("0.23", ("mixed", "low")), ("5", ("low", "low"))]
)
def test_regimes(epsilon, regimes):
    bounds = sample_complexity_lower_bound(MEANS, "0.01", epsilon=epsilon)
    assert (bounds["private"].regime, bounds["private-relaxed"].regime) == regimes
    assert bounds["kl"].regime is None and bounds["private"].time.upper >= bounds["private-relaxed"].time.lower


def test_of_bounds_that_may_be_equal_the_best_has_a_source_that_is_not_refuted():
    bounds = sample_complexity_lower_bound(["0.85", "0.7", "0.65", "0.3"], delta="0.05", epsilon="3.2")
    assert bounds["kl"].verdict == "refuted" and bounds["kl"].value.upper >= bounds["d-epsilon"].value.lower
    assert bounds.best is bounds["d-epsilon"]


def test_the_best_bound_is_the_largest_that_applies():
    bounds = sample_complexity_lower_bound(MEANS, "0.01", epsilon="0.1")
    assert bounds.best.name == "d-epsilon" and bounds["d-epsilon"].value.lower > bounds["private-kl"].value.upper
    assert sample_complexity_lower_bound(MEANS, "0.01").best.name == "kl"
    assert set(sample_complexity_lower_bound(MEANS, "0.01").bounds) == {"kl", "kl-log"}


def test_gaussian_arms_and_an_infinite_budget():
    arms = Instance([Gaussian("0.5"), Gaussian(0)])
    bounds = sample_complexity_lower_bound(arms, Fraction(1, 100), epsilon=math.inf)
    assert (
        bounds["d-epsilon"].time.contains(32)
        and bounds["private"].time.contains(32)
        and bounds["private-relaxed"].regime == "low"
    )
    assert all(time.recheck() for time in bounds.times.values())


def test_a_wide_time_and_a_positive_factor_give_a_positive_bound():
    """T* of a mean next to 0 is known to many orders of magnitude only; a ball around it would reach below 0."""
    bound = sample_complexity_lower_bound(["1e-8", 0], "0.05")["kl"]
    assert bound.value.lower >= bound.time.lower * bound.factor.lower * Fraction(99, 100) > 0
