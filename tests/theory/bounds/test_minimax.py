"""Minimax lower bounds: printed values, certified optima, where they apply, and what they refuse."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from banditproof.theory import Enclosure, minimax_lower_bound, privacy_regime_change
from banditproof.theory.bounds.hard_instances import hard_instance


def divergence(model, size, horizon, gap, epsilon=None, rho=None):
    """The smallest bound on the relative entropy, written out with the normal distribution function."""
    rewards, others = horizon - 1, size - 1 if model == "arms" else 1
    t = 2 * norm.cdf(gap) - 1
    options = [2 * gap**2 * rewards / others]
    if epsilon is not None:
        options.append(epsilon * rewards * t / others)
    if rho is not None:
        spread = t * (1 - t) if t <= 0.5 else 0.25
        options.append(rho * (rewards * t + math.sqrt(rewards * spread)) ** 2 / others)
    return min(options)


def forced_regret(model, size, horizon, gap, **budget):
    information = divergence(model, size, horizon, gap, **budget)
    overlap = 1 - min(math.sqrt(information / 2), math.sqrt(-math.expm1(-information)))
    return gap * horizon * overlap * (size if model == "dimension" else 0.5)


CASES = [
    ("arms", 2, 1000, {}, "minimax"),
    ("arms", 10, 10_000, {"epsilon": 0.01}, "view"),
    ("arms", 3, 50, {"epsilon": 5.0}, "view"),
    ("arms", 100, 10**6, {"rho": 1e-6}, "zcdp"),
    ("arms", 5, 4, {"rho": 0.5}, "zcdp"),
    ("dimension", 4, 2000, {"epsilon": 0.02}, "view"),
    ("dimension", 7, 300, {"rho": 0.001}, "zcdp"),
]


@pytest.mark.parametrize(("model", "size", "horizon", "budget", "name"), CASES)
def test_the_sharpened_bound_is_the_optimum_that_a_float_optimiser_finds(model, size, horizon, budget, name):
    limit = 0.5 if model == "arms" else 0.5 / size
    grid = np.geomspace(limit * 1e-8, limit, 4000)
    values = [forced_regret(model, size, horizon, gap, **budget) for gap in grid]
    best = int(np.argmax(values))
    around = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    minimum = minimize_scalar(
        lambda gap: -forced_regret(model, size, horizon, gap, **budget),
        bounds=around,
        method="bounded",
        options={"xatol": around[1] * 1e-12},
    )
    optimum = max(-minimum.fun, forced_regret(model, size, horizon, limit, **budget))
    bounds = minimax_lower_bound(**{model: size}, horizon=horizon, **budget)
    value = bounds[f"{name}-sharpened"].value
    assert value.width <= value.lower * Fraction(1, 10**9)
    assert optimum == pytest.approx(float(value.lower), rel=1e-9)  # floats lose 1 - sqrt(D/2) to about 1e-12
    assert bounds.recheck()


@pytest.mark.parametrize("budget", [{}, {"epsilon": Fraction(1, 7)}, {"rho": Fraction(1, 900)}])
def test_printed_values_are_those_of_the_theorems(budget):
    T, K, d = 4321, 13, 6
    with mpmath.workdps(30):
        epsilon, rho = (
            (mpmath.mpf(1) / 7 if "epsilon" in budget else None),
            (mpmath.mpf(1) / 900 if "rho" in budget else None),
        )
        arms, linear = [mpmath.sqrt(T * (K - 1)) / 27], [mpmath.exp(-2) / 8 * d * mpmath.sqrt(T)]
        if epsilon:
            arms, linear = [*arms, (K - 1) / epsilon / 22], [*linear, mpmath.exp(-1) / 4 * d / epsilon]
        if rho:
            arms = [*arms, mpmath.sqrt((K - 1) / rho) / 124]
            linear = [*linear, mpmath.exp(mpmath.mpf("-2.25")) / 4 * d / mpmath.sqrt(rho)]
        name = "view" if epsilon else "zcdp" if rho else "minimax"
        for bounds, terms in (
            (minimax_lower_bound(arms=K, horizon=T, **budget), arms),
            (minimax_lower_bound(dimension=d, horizon=T, **budget), linear),
        ):
            printed = bounds[name]
            assert float(printed.value.lower) == pytest.approx(float(max(terms)), rel=1e-14)
            assert printed.regime == (None if len(terms) == 1 else "high" if terms[1] > terms[0] else "low")


def thresholds_on_two_rounds(gap):
    """Exact worst regret over both environments of every policy that plays arm 2 first and then looks at its reward."""
    cut = np.linspace(-6, 6, 2001)
    back_to_first = norm.cdf(cut), norm.cdf(cut - 2 * gap)  # P(reward <= cut) with means 0 and 2 gap
    return np.maximum(gap * (2 - back_to_first[0]), gap * back_to_first[1])


def test_no_threshold_policy_on_two_rounds_is_below_the_bound():
    """Means (Delta, 0) and (Delta, 2 Delta): regret of the two rounds, after arm 2 first and after arm 1 first."""
    sharp = minimax_lower_bound(arms=2, horizon=2)["minimax-sharpened"]
    gap = float(sharp.instance.gap)
    chance = np.linspace(0, 1, 101)  # arm 1 first tells nothing: then arm 1 with this probability
    after_first = np.maximum(gap * (1 - chance), gap * (1 + chance))
    assert min(thresholds_on_two_rounds(gap).min(), after_first.min()) >= float(sharp.value.lower)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
@pytest.mark.parametrize("span", [Fraction(1, 2), 1, 3])
def test_no_private_policy_on_two_rounds_is_below_the_bound_by_d_epsilon(epsilon, span):
    """The mean regret over both environments, exactly: arm 1 first tells nothing, and after arm 2 first the chances of
    a private second action differ by tanh(epsilon/2) at most, at a threshold of the reward."""
    bound = minimax_lower_bound(arms=2, horizon=2, epsilon=epsilon, span=span)["d-epsilon"]
    gap = float(bound.instance.gap)
    exact = gap * (1 - math.tanh(float(epsilon) / 2) * (2 * norm.cdf(gap) - 1) / 2)
    assert bound.value.lower <= exact < gap and bound.source == "SHARP-3"


def clipped_divergence(move, epsilon):
    """d_epsilon of N(0, 1) and N(move, 1) as the largest E_P f - log E_Q e^f, f the clipped logarithm of the ratio."""
    x = np.linspace(-12, 12 + move, 40_001)
    p, q = norm.pdf(x) * (x[1] - x[0]), norm.pdf(x - move) * (x[1] - x[0])

    def dual(level):
        f = np.clip(move * move / 2 - move * x, level, level + epsilon)
        return p @ f - math.log(q @ np.exp(f))

    return -minimize_scalar(lambda c: -dual(c), bounds=(-epsilon, 0), method="bounded", options={"xatol": 1e-10}).fun


@pytest.mark.parametrize(
    ("size", "horizon", "epsilon", "gain"),
    [({"arms": 10}, 10_000, "0.05", 1.22), ({"dimension": 4}, 2000, "0.05", 1.08), ({"arms": 3}, 50, "5", 1)],
)
def test_d_epsilon_arm_by_arm_forces_more(size, horizon, epsilon, gain):
    bounds = minimax_lower_bound(**size, horizon=horizon, epsilon=epsilon)
    sharp, bound = bounds["view-sharpened"], bounds["d-epsilon"]
    others, scale = (size["arms"] - 1, 0.5) if "arms" in size else (1, size["dimension"])

    def forced(gap):
        information = (horizon - 1) / others * clipped_divergence(2 * gap, float(epsilon))
        return scale * gap * horizon * (1 - min(math.sqrt(information / 2), math.sqrt(-math.expm1(-information))))

    gap = float(bound.instance.gap)
    assert forced(gap) == pytest.approx(float(bound.value.lower), rel=1e-6)
    near = [forced(min(gap * k / 20, float(bound.instance.limit))) for k in range(10, 41)]
    assert max(near) <= 1.01 * float(bound.value.lower)  # a gap from floats, within a per cent of the best
    assert gain <= bound.value.lower / sharp.value.lower and bounds.recheck()


def test_what_d_epsilon_forces_is_proved_by_its_own_gap_and_price_alone():
    bounds = minimax_lower_bound(arms=2, horizon=100, epsilon="0.1")
    bound = bounds["d-epsilon"]
    lies = {"gap": bound.instance.gap * 2, "epsilon": Fraction(1, 20), "value": bounds["view-sharpened"].value}
    lies |= {"distance": "chance", "horizon": 10, "limit": Fraction(1, 10**6)}
    for name, value in lies.items():
        assert not replace(bound.instance, **{name: value}).recheck(), name
    for other in (replace(bound, value=Enclosure(3, 3)), replace(bound, instance=None)):
        assert not replace(bounds, bounds=bounds.bounds | {"d-epsilon": other}).recheck()
    unbounded = minimax_lower_bound(arms=2, horizon=100, epsilon="0.1", span=math.inf)
    assert unbounded["d-epsilon"].value.lower == math.inf and unbounded.recheck()


@pytest.mark.one_in(5)  # every size, horizon, budget and span
@pytest.mark.parametrize("size", [{"arms": 2}, {"arms": 30}, {"dimension": 1}, {"dimension": 9}])
@pytest.mark.parametrize("horizon", [1, 2, 29, 10**5])
@pytest.mark.parametrize("budget", ["1e-7", "0.01", "1", "30"])
@pytest.mark.parametrize("span", [Fraction(1, 3), 1, 20])
def test_no_applicable_bound_exceeds_the_regret_of_a_policy_that_never_looks(size, horizon, budget, span):
    bounds = minimax_lower_bound(**size, horizon=horizon, epsilon=budget, rho=budget, span=span)
    share = 1 - Fraction(1, size["arms"]) if "arms" in size else Fraction(1, 2)
    assert bounds.ceiling.contains(span * share * horizon)
    for bound in bounds.bounds.values():
        assert not bound.applies or bound.value.lower <= span * share * horizon
        assert bound.applies or bound.value.lower > bounds[f"{bound.name}-sharpened"].value.lower


def test_printed_private_bounds_do_not_apply_to_bounded_means_and_tiny_budgets():
    bounds = minimax_lower_bound(arms=2, horizon=1, epsilon="0.01", rho="1e-6")
    assert [name for name, bound in bounds.bounds.items() if not bound.applies] == ["view", "zcdp"]
    assert "never looks at a reward" in bounds["view"].why
    assert bounds.best.value.upper < Fraction(1, 2)


def test_a_printed_bound_outside_its_range_is_said_to_be_outside():
    bounds = minimax_lower_bound(arms=1000, horizon=2, rho=3)
    assert not bounds["minimax"].applies and "T >= K - 1" in bounds["minimax"].why
    assert "rho <= 1" in bounds["zcdp"].why


def test_without_a_range_of_the_means_everything_applies_and_the_minimax_regret_is_infinite():
    bounds = minimax_lower_bound(arms=2, horizon=1, epsilon="1e-9", rho="1e-9", span=math.inf)
    assert all(bound.applies for bound in bounds.bounds.values())
    assert bounds.best.value == Enclosure(math.inf, math.inf)
    assert bounds.recheck()


def test_an_infinite_budget_is_no_privacy():
    bounds = minimax_lower_bound(arms=4, horizon=500, epsilon=math.inf, rho=math.inf)
    for name in ("view", "zcdp"):
        assert bounds[f"{name}-sharpened"].value == bounds["minimax-sharpened"].value
        assert bounds[name].value == bounds["minimax"].value and bounds[name].regime == "low"


def test_bounds_do_not_grow_with_the_budget():
    values = [
        minimax_lower_bound(arms=5, horizon=1000, epsilon=e)["view-sharpened"].value for e in ("0.001", "0.1", "3")
    ]
    assert values[0].lower > values[1].upper and values[1].upper >= values[2].lower


def found():
    return hard_instance(10, 1, 10_000, Fraction(1, 100), None, Fraction(1, 2))


def test_a_certificate_is_accepted_and_each_corruption_of_it_is_not():
    instance = found()
    curve = instance.information, instance.distance
    kept = instance.cuts[curve]
    lower, upper = instance.value.lower, instance.value.upper
    corrupted = [
        replace(instance, value=Enclosure(upper, upper)),
        replace(instance, value=Enclosure(lower - 1, lower - Fraction(1, 2**40))),
        replace(instance, gap=instance.gap * 2),
        replace(instance, gap=Fraction(0)),
        replace(instance, limit=instance.gap / 2),
        replace(instance, information="kl"),
        replace(instance, information="none"),
        replace(instance, epsilon=Fraction(1, 50)),
        replace(instance, cuts={}),
        replace(instance, cuts={**instance.cuts, curve: kept[:-1]}),
        replace(instance, cuts={**instance.cuts, curve: kept[1:]}),
        replace(instance, cuts={**instance.cuts, curve: (kept[0], kept[-1])}),
        replace(instance, cuts={**instance.cuts, curve: kept[::-1]}),
    ]
    assert instance.recheck()
    assert [other.recheck() for other in corrupted] == [False] * len(corrupted)


def test_bounds_whose_value_is_not_that_of_the_certificate_are_rejected():
    bounds = minimax_lower_bound(arms=3, horizon=100)
    sharp = bounds["minimax-sharpened"]
    more = Enclosure(sharp.value.upper, sharp.value.upper)
    assert not replace(bounds, bounds={"minimax-sharpened": replace(sharp, value=more)}).recheck()


def test_regimes_change_where_the_printed_terms_are_equal():
    assert float(privacy_regime_change(arms=100, horizon=10**6).lower) == pytest.approx(27 / 22 * math.sqrt(99e-6))
    assert float(privacy_regime_change(dimension=5, horizon=400).lower) == pytest.approx(2 * math.e / 20)
    assert float(privacy_regime_change(arms=7, horizon=100, budget="rho").lower) == pytest.approx((27 / 124) ** 2 / 100)
    change = privacy_regime_change(dimension=2, horizon=100, budget="rho")
    assert float(change.lower) == pytest.approx(4 * math.exp(-0.5) / 100)
    for epsilon, regime in ((change.lower - Fraction(1, 10**9), "high"), (change.upper + Fraction(1, 10**9), "low")):
        assert minimax_lower_bound(dimension=2, horizon=100, rho=epsilon)["zcdp"].regime == regime
