"""The regret lower bounds side by side: regimes, order, edges and bad input."""

import math
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory import Exponential, FinitelySupported, Gaussian, Instance, InvalidInput, Poisson
from banditproof.theory.bounds.lower_bounds import _regime_of, regret_lower_bound

INSTANCES = {
    "mu_1": ["0.75", "0.7", "0.7", "0.7", "0.7"],
    "mu_2": ["0.75", "0.625", "0.5", "0.375", "0.25"],
    "mu_3": ["0.75", "0.53125", "0.375", "0.28125", "0.25"],
    "mu_4": ["0.75", "0.71875", "0.625", "0.46875", "0.25"],
    "figure_8": ["0.8", "0.1", "0.1", "0.1", "0.1"],
}
NAMES = ["lai-robbins", "d-epsilon", "two-regime", "min-kl-tv", "earlier-tv", "kl-tv", "d-inf"]


def kl(p, q):
    return p * mpmath.log(p / q) + (1 - p) * mpmath.log((1 - p) / (1 - q))


def test_the_names_and_sources_of_the_bounds_are_fixed():
    bounds = regret_lower_bound([0.5, 0.4], 1).bounds
    assert list(bounds) == NAMES
    sources = ["BDP-EQ3", "BDP-T3.1", "BDP-EQ8", "BDP-EQ7", "BDP-S1.5", "TH-T4.16", "BDP-EQ9"]
    assert [bound.source for bound in bounds.values()] == sources
    assert list(regret_lower_bound([Poisson(1), Poisson(2)], 1).bounds) == [
        "lai-robbins", "kl-tv", "d-inf", "d-epsilon",
    ]  # fmt: skip


def test_without_a_budget_only_the_non_private_bound_is_given():
    assert list(regret_lower_bound([0.5, 0.4]).bounds) == ["lai-robbins"]


def test_regimes_follow_the_threshold_of_each_arm():
    bound = regret_lower_bound(INSTANCES["mu_2"], "1.1")["d-epsilon"]
    thresholds = [math.log(0.75 / m) + math.log((1 - m) / 0.25) for m in (0.625, 0.5, 0.375, 0.25)]
    assert bound.regimes == (None, *("low" if threshold <= 1.1 else "high" for threshold in thresholds))
    assert regret_lower_bound([0.5, 0.0], 1e6)["two-regime"].regimes == (None, "high")
    assert regret_lower_bound([0.5, 0.4], 1)["lai-robbins"].regimes == (None, None)


def test_a_regime_is_that_of_the_bound_itself():
    bounds = regret_lower_bound(["0.7", "0.5"], "0.1")  # epsilon Delta_a = 0.02, kl = 0.087
    high = {name for name, bound in bounds.bounds.items() if bound.regimes[1] == "high"}
    assert high == {"d-epsilon", "two-regime", "kl-tv", "d-inf"}
    for name, bound in bounds.bounds.items():
        assert (name in high) == (bound.constant.lower > bounds["lai-robbins"].constant.upper)


arms = st.lists(st.fractions(0, Fraction(99, 100), max_denominator=1000), min_size=1, max_size=5)


@given(arms, st.fractions(Fraction(1, 1000), 20, max_denominator=1000))
def test_the_double_change_bound_is_at_least_the_others_where_they_apply(means, epsilon):
    bounds = regret_lower_bound(means, epsilon)
    assert all(bound.applies for bound in bounds.bounds.values())
    for weaker in ("lai-robbins", "min-kl-tv", "earlier-tv", "kl-tv"):
        assert bounds["d-epsilon"].constant.upper >= bounds[weaker].constant.lower
    for other in ("two-regime", "d-inf"):
        same = bounds["d-epsilon"].constant, bounds[other].constant
        assert same[0].lower <= same[1].upper and same[1].lower <= same[0].upper
    assert bounds.best.value.upper >= max(bound.value.lower for bound in bounds.bounds.values())


def test_an_infinite_budget_gives_the_non_private_bound():
    bounds = regret_lower_bound(INSTANCES["mu_2"], math.inf)
    assert {str(bound.constant) for bound in bounds.bounds.values()} == {str(bounds["lai-robbins"].constant)}


def test_a_horizon_multiplies_by_its_logarithm():
    bound = regret_lower_bound(INSTANCES["mu_1"], 0.25, horizon="1e6")["d-epsilon"]
    expected = float(bound.constant.lower) * math.log(1e6)
    assert float(bound.value.lower) == pytest.approx(expected, rel=1e-15)
    assert regret_lower_bound([0.5, 0.4], 1, horizon=1)["d-epsilon"].value.upper == 0


def test_at_best_mean_one_the_bounds_without_an_infimum_do_not_apply():
    bounds = regret_lower_bound([1, "0.5"], "0.25")
    assert {name: bound.applies for name, bound in bounds.bounds.items()} == {
        "lai-robbins": True, "d-epsilon": False, "two-regime": False, "min-kl-tv": False, "earlier-tv": True,
        "kl-tv": True, "d-inf": True,
    }  # fmt: skip
    assert bounds["lai-robbins"].constant.upper == 0 and bounds["earlier-tv"].constant.upper == 0
    assert bounds["d-epsilon"].constant.contains(4) and bounds["two-regime"].constant.contains(4)
    assert bounds["min-kl-tv"].constant.contains("2/3")
    assert "no Bernoulli alternative" in bounds["d-epsilon"].why


@pytest.mark.filterwarnings("ignore:every arm has the largest mean")
def test_optimal_arms_contribute_nothing():
    for means in ([0.3], [0.5, 0.5], [1, 1]):
        bounds = regret_lower_bound(means, 1)
        assert all(bound.applies and bound.constant.upper == 0 for bound in bounds.bounds.values())
        assert all(term is None for bound in bounds.bounds.values() for term in bound.terms)


def test_floats_are_taken_for_the_dyadic_rationals_that_they_are():
    assert regret_lower_bound([0.75, 0.7], 0.25).instance.means[1] == Fraction(0.7) != Fraction(7, 10)
    assert regret_lower_bound(np.array([0.75, 0.5]), np.float64(0.25)).instance == Instance(means=[0.75, 0.5])


def test_gaussian_bounds_are_sums_of_their_closed_forms():
    bounds = regret_lower_bound([Gaussian(1), Gaussian("0.5"), Gaussian(0)], "0.25")
    with mpmath.workdps(40):
        eps, gaps = mpmath.mpf("0.25"), [mpmath.mpf("0.5"), mpmath.mpf(1)]
        tv = [mpmath.erf(gap / mpmath.sqrt(8)) for gap in gaps]
        expected = {
            "lai-robbins": sum(2 / gap for gap in gaps),
            "kl-tv": sum(gap / min(gap**2 / 2, eps * t) for gap, t in zip(gaps, tv, strict=True)),
        }
        for name, value in expected.items():
            low, high = bounds[name].constant.floats
            assert low <= value <= high and high - low <= 4e-15 * value  # floats rounded outward
    assert bounds["kl-tv"].regimes == (None, "high", "high")
    assert bounds["d-inf"].constant.lower >= bounds["kl-tv"].constant.upper
    assert bounds.best.name == "d-epsilon" and bounds["d-epsilon"].regimes == (None, "high", "high")


@pytest.mark.parametrize("law", [Gaussian, Poisson, Exponential])
def test_any_law_between_gives_the_largest_bound(law):
    bounds = regret_lower_bound([law(2), law(1)], 1)
    assert bounds["d-epsilon"].constant.lower > bounds["d-inf"].constant.upper
    known = law(1).d_epsilon(law(2), 1).value
    assert bounds["d-epsilon"].constant.contains(Fraction(1) / known.lower)
    farther = law(1).d_epsilon(law("2.01"), 1).value  # better laws show more
    assert farther.lower > known.upper
    assert regret_lower_bound([law(2), law(1)], 200)["d-epsilon"].constant.upper >= 1 / law(1).kl(law(2)).upper


@given(arms, st.fractions(Fraction(1, 1000), 20, max_denominator=1000))
def test_closed_forms_of_bernoulli_arms_agree_with_certified_infima(means, epsilon):
    instance = Instance(means=means)
    best, bounds = instance.best_mean, regret_lower_bound(instance, epsilon)
    for place, (arm, gap) in enumerate(zip(instance.arms, instance.gaps, strict=True)):
        for name, infimum in (("lai-robbins", arm.kl_inf(best)), ("d-inf", arm.d_inf(best, epsilon))):
            term = bounds[name].terms[place]
            assert (term is None) == (gap == 0)
            if term is not None:
                assert term.lower * infimum.value.lower <= gap <= term.upper * infimum.value.upper


def test_the_bounds_of_a_near_tie_are_as_sharp_as_others():
    gap = Fraction(1, 10**60)
    for bound in regret_lower_bound([Fraction(1, 2), Fraction(1, 2) - gap], "0.25").bounds.values():
        assert bound.constant.width < bound.constant.lower / 10**30
    exact = regret_lower_bound([Fraction(1, 2), Fraction(1, 2) - gap])["lai-robbins"].constant
    assert float(exact.lower * 2 * gap) == pytest.approx(1, rel=1e-15)  # kl(1/2 - h, 1/2) = 2 h^2 (1 + O(h^2))


@pytest.mark.parametrize(
    ("others", "constant"),  # d_epsilon(mu_a, 1) = epsilon (1 - mu_a), so that each arm counts for 1 / epsilon
    [(["0.5"], 4), ([0, "0.5"], 8), ([0, "0.1", "0.5", Fraction(1, 2) - Fraction(1, 10**300)], 16)],
)
def test_the_best_mean_may_be_next_to_one(others, constant):
    bound = regret_lower_bound([*others, 1 - Fraction(1, 10**300)], "0.25")["d-epsilon"]
    assert bound.constant.lower <= constant * (1 + Fraction(1, 10**9)) and bound.constant.upper >= constant
    assert bound.constant.width < Fraction(1, 10**9)


def test_a_largest_point_far_away_does_not_hide_the_regime():
    points = [0, 1, 10**50]
    best, arm = FinitelySupported(points, [0, 1, 0]), FinitelySupported(points, ["1/2", "1/2", 0])
    bounds = regret_lower_bound([best, arm], "0.25")
    assert bounds["kl-tv"].regimes[1] == "high"
    assert float(bounds["lai-robbins"].constant.lower) == pytest.approx(1e50, rel=1e-4)


def test_a_regime_that_the_numbers_do_not_decide_is_refused():
    undecided = SimpleNamespace(kl_inf=arb(1, 0.1), best=SimpleNamespace(epsilon=Fraction(1)))
    with pytest.raises(InvalidInput, match="epsilon"):
        _regime_of(lambda one: arb(1, 0.2))(undecided)
    assert _regime_of(lambda one: one.kl_inf)(undecided) == "low"
