"""Characteristic times against convex programs, linear programs, games played for long, and roots to fifty digits."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from time import process_time

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog, minimize_scalar
from scipy.stats import expon, norm, poisson

from banditproof.theory.best_arm.characteristic_times import characteristic_time
from banditproof.theory.best_arm.transport_costs import BernoulliCosts, entropy_costs, variation
from banditproof.theory.laws.bernoulli import kl_bernoulli
from banditproof.theory.laws.exponential_families import kl_exponential, kl_poisson
from banditproof.theory.laws.families import Exponential, Gaussian, Poisson
from banditproof.theory.laws.instance import Instance
from banditproof.theory.numbers.numeric import to_ball, working_precision

THREE = ["0.9", "0.8", "0.5"]
GAMES = [{}, {"divergence": "tv"}, {"epsilon": "0.22"}, {"epsilon": "0.22", "beta": "0.3"}, {"beta": "0.7"}]


def spread(arms, best=0.9, high=0.8, low=0.1):
    return [best, *np.linspace(high, low, arms - 1).tolist()]


def kl_mp(p, q):
    p, q = mpmath.mpf(p), mpmath.mpf(q)
    first = p * mpmath.log(p / q) if p else mpmath.mpf(0)
    return first + ((1 - p) * mpmath.log((1 - p) / (1 - q)) if p < 1 else 0)


def relative_width(time):
    return float(time.value.width / time.value.lower)


# -------------------------------------------------------------------------------------------------- independent values


@pytest.mark.parametrize("pair", [("0.9", "0.8"), ("1", "0.3"), ("0.6", "0"), ("1/3", "0.3333")])
def test_with_two_arms_kl_is_one_over_the_chernoff_information(pair):
    with mpmath.workdps(50):
        one, other = (mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in pair)
        common = mpmath.findroot(
            lambda m: kl_mp(one, m) - kl_mp(other, m), ((3 * one + other) / 4, (one + 3 * other) / 4), solver="anderson"
        )
        assert characteristic_time(means=pair).value.contains(1 / kl_mp(one, common))


@pytest.mark.parametrize("epsilon", [None, 0.05, 0.22, 0.5, 3.0])
def test_cvxpy_finds_the_same_value_up_to_its_own_error(epsilon):
    cvxpy = pytest.importorskip("cvxpy")
    means = np.array([0.9, 0.8, 0.77, 0.5, 0.2])
    weights, level = cvxpy.Variable(5, nonneg=True), cvxpy.Variable()
    first, rest, others = weights[0], weights[1:], means[1:]
    total, ones = first + rest, first * means[0] + cvxpy.multiply(others, rest)
    phi = means * np.log(means) + (1 - means) * np.log(1 - means)
    cost = first * phi[0] + cvxpy.multiply(phi[1:], rest)
    constraints = [
        cvxpy.sum(weights) == 1,
        level <= cost - cvxpy.rel_entr(ones, total) - cvxpy.rel_entr(total - ones, total),
    ]
    if epsilon is not None:
        gaps = epsilon * (means[0] - others)
        constraints += [level <= gaps * first, level <= cvxpy.multiply(gaps, rest)]
    problem = cvxpy.Problem(cvxpy.Maximize(level), constraints)
    problem.solve(solver=cvxpy.CLARABEL)
    time = characteristic_time(means=means.tolist(), epsilon=epsilon)
    assert 1 / problem.value == pytest.approx(float(time.value.lower), rel=3e-6)


@pytest.mark.parametrize("options", [{}, {"epsilon": 0.2}, {"divergence": "tv"}])
def test_multiplicative_weights_played_for_long_enclose_the_value(options):
    means = np.array([0.9, 0.7, 0.6, 0.3])
    price, prices = options.get("epsilon", 1.0), len(means) - 1

    def entropy(p, q):
        return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))

    def replies(w):
        common = (w[0] * means[0] + w[1:] * means[1:]) / (w[0] + w[1:])
        rows = np.zeros((2 * prices, len(means)))
        for a in range(prices):
            rows[a, 0], rows[a, a + 1] = entropy(means[0], common[a]), entropy(means[a + 1], common[a])
            moved = 0 if w[0] < w[a + 1] else a + 1
            rows[prices + a, moved] = price * (means[0] - means[a + 1])
        chosen = (
            slice(prices, None) if options.get("divergence") else slice(None, None if "epsilon" in options else prices)
        )
        return rows[chosen]

    gains, average, guaranteed, rounds = np.zeros(4), np.zeros(4), 0.0, 10_000
    for n in range(1, rounds + 1):
        w = np.exp((gains - gains.max()) * 3 / math.sqrt(n))
        w /= w.sum()
        rows = replies(w)
        costs = rows @ w
        guaranteed = max(guaranteed, costs.min())
        gains += rows[costs.argmin()] / 0.3
        average += rows[costs.argmin()]
    value = 1 / float(characteristic_time(means=means.tolist(), **options).value.lower)
    assert guaranteed <= value * (1 + 1e-12) and value <= (average / rounds).max() * (1 + 1e-12)
    assert (average / rounds).max() < 1.05 * guaranteed


@pytest.mark.parametrize("means", [THREE, ["1", "0.5", "0.5", "0"], ["0.75", *["0.7"] * 4], ["1/3", "1/4", "1/5"]])
def test_total_variation_of_bernoulli_arms_is_a_linear_program_with_a_rational_value(means):
    exact = [Fraction(m) for m in means]
    gaps = [exact[0] - m for m in exact[1:]]
    rows = [
        [-gap if b in pair else 0 for b in range(len(means))] + [1]
        for a, gap in enumerate(gaps, 1)
        for pair in ((0,), (a,))
    ]
    program = linprog(
        [0] * len(means) + [-1],
        A_ub=np.array(rows, float),
        b_ub=np.zeros(len(rows)),
        A_eq=[[1] * len(means) + [0]],
        b_eq=[1],
        method="highs",
    )
    time = characteristic_time(means=means, divergence="tv")
    assert -1 / program.fun == pytest.approx(float(time.value.lower), rel=1e-9)
    weights = [1 / min(gaps), *(1 / gap for gap in gaps)]  # feasible and, by the program, optimal
    value = min(min(weights[0], w) * gap for w, gap in zip(weights[1:], gaps, strict=True)) / sum(weights)
    assert time.value.contains(1 / value)


@pytest.mark.parametrize("beta", ["0.001", "0.2", "1/2", "0.99"])
def test_with_a_fixed_proportion_three_arms_are_a_one_dimensional_problem(beta):
    means, b = [0.9, 0.8, 0.5], float(Fraction(beta))

    def guaranteed(share):
        return min(
            b * kl_bernoulli(0.9, m) + w * kl_bernoulli(mean, m)
            for mean, w in ((0.8, share * (1 - b)), (0.5, (1 - share) * (1 - b)))
            for m in [(b * 0.9 + w * mean) / (b + w)]
        )

    minimum = minimize_scalar(
        lambda s: -guaranteed(s), bounds=(1e-6, 1 - 1e-9), method="bounded", options={"xatol": 1e-13}
    )
    time = characteristic_time(means=means, beta=beta)
    assert -1 / minimum.fun == pytest.approx(float(time.value.lower), rel=1e-6)
    assert time.allocation[0] == float(Fraction(beta)) and sum(time.allocation) == pytest.approx(1)


def test_gaussian_closed_forms():
    pair = Instance([Gaussian("0.7", sigma="2"), Gaussian("0.4", sigma="2")])
    assert characteristic_time(pair).value.contains(Fraction(8 * 4) / Fraction(3, 10) ** 2)
    equal = Instance([Gaussian(1), *[Gaussian(0)] * 4])
    with working_precision(200):
        root = to_ball(4).sqrt()
        assert characteristic_time(equal).value.ball().overlaps(2 * (1 + root) ** 2)
    assert characteristic_time(equal, beta="1/2").value.contains(Fraction(2) * (2 + 8))  # 2 (1/beta + 4/(1-beta))


def test_equal_gaps_and_gaussian_total_variation():
    arms = Instance([Gaussian(1), Gaussian(0), Gaussian("-1")])
    distances = [2 * mpmath.ncdf(x) - 1 for x in (mpmath.mpf(1) / 2, mpmath.mpf(1))]
    value = float(2 / distances[0] + 1 / distances[1])
    assert float(characteristic_time(arms, divergence="tv").value.lower) == pytest.approx(value, rel=1e-12)


def law(family, mean):
    return {"Gaussian": norm(mean), "Poisson": poisson(mean), "Exponential": expon(scale=mean)}[family]


@pytest.mark.parametrize("family", [Gaussian, Poisson, Exponential])
def test_no_common_or_separate_means_are_cheaper_in_total_variation_than_moving_one_arm(family):
    best, other, grid = 3.0, 2.0, np.linspace(1.0, 4.5, 36)
    points = np.linspace(-6, 40, 200_001) if family is not Poisson else np.arange(60)
    dx = points[1] - points[0]

    def density(mean):
        return law(family.__name__, mean).pmf(points) if family is Poisson else law(family.__name__, mean).pdf(points)

    def tv(x, y):
        return float(np.abs(density(x) - density(y)).sum() * dx / 2)

    to_best, to_other = [tv(best, m) for m in grid], [tv(other, m) for m in grid]
    moved = float(variation(family(3), family(2)))
    assert moved == pytest.approx(tv(best, other), rel=1e-4)
    for weights in ((1.0, 0.5), (0.4, 0.6), (1.0, 1.0)):
        cheapest = min(
            weights[0] * to_best[i] + weights[1] * to_other[j] for i in range(len(grid)) for j in range(i, len(grid))
        )
        assert cheapest >= min(weights) * moved * (1 - 1e-3)


@pytest.mark.parametrize(
    ("family", "kl"), [(Poisson, kl_poisson), (Exponential, kl_exponential)], ids=["Poisson", "Exponential"]
)
def test_balls_and_floats_of_a_family_are_its_divergences(family, kl):
    costs = entropy_costs(family(3), [family(2), family("0.25")])
    share = np.array([0.3, 0.9])
    of_best, of_arm = costs.floats(share, 1 - share)
    for i, mean in enumerate((2.0, 0.25)):
        common = 3 - share[i] * (3 - mean)
        assert of_best[i] == pytest.approx(kl(3.0, common), rel=1e-12)
        assert of_arm[i] == pytest.approx(kl(mean, common), rel=1e-12)
        balls = costs.balls(i, to_ball(share[i]), 1 - to_ball(share[i]))
        assert [float(b) for b in balls] == pytest.approx([of_best[i], of_arm[i]], rel=1e-12)


def test_the_relaxed_time_by_its_printed_formula():
    beta, epsilon = 0.5, 0.05
    gaps = np.array([0.1, 0.4])
    scale = gaps * np.minimum(3 * epsilon, gaps) * 2  # 1 / (2 sigma^2) = 2

    def guaranteed(share):
        weights = (1 - beta) * np.array([share, 1 - share])
        return float(np.min(scale / (1 / beta + 1 / weights)))

    minimum = minimize_scalar(
        lambda s: -guaranteed(s), bounds=(0.01, 0.9999), method="bounded", options={"xatol": 1e-13}
    )
    time = characteristic_time(means=["0.9", "0.8", "0.5"], epsilon="0.05", beta="1/2", divergence="relaxed")
    assert -1 / minimum.fun == pytest.approx(float(time.value.lower), rel=1e-6)


@pytest.mark.parametrize(
    ("means", "kl", "tv"),
    [(["0.95", "0.9", "0.9", "0.9", "0.5"], 395.54, 82.22), (["0.75", *["0.7"] * 4], 1424.75, 100)],
)
def test_the_instances_of_the_experiments(means, kl, tv):
    assert float(characteristic_time(means=means).value.lower) == pytest.approx(kl, abs=0.005)
    assert float(characteristic_time(means=means, divergence="tv").value.lower) == pytest.approx(tv, abs=0.005)


# ----------------------------------------------------------------------------------------------------------- structure


def test_the_private_game_has_both_pure_games_as_limits():
    tv, kl = characteristic_time(means=THREE, divergence="tv"), characteristic_time(means=THREE)
    strict = characteristic_time(means=THREE, epsilon="0.001")
    assert strict.value.contains(Fraction(45, 2) * 1000) and tv.value.contains(Fraction(45, 2))
    for epsilon in (1000, math.inf):
        assert characteristic_time(means=THREE, epsilon=epsilon).value.lower == kl.value.lower


def test_at_the_crossover_the_private_game_is_strictly_harder_than_both():
    mixed = characteristic_time(means=THREE, epsilon="0.22")
    assert mixed.value.lower > 109 > characteristic_time(means=THREE).value.upper
    assert {a.price for a in mixed.alternatives} == {"kl", "tv"}


@pytest.mark.parametrize("options", GAMES)
def test_equal_arms_weigh_the_same_whether_they_are_grouped_or_not(options):
    grouped = characteristic_time(means=["0.9", "0.8", "0.8", "0.5"], **options)
    apart = characteristic_time(means=["0.9", "0.8", "0.79999999999", "0.5"], **options)
    assert float(grouped.value.lower) == pytest.approx(float(apart.value.lower), rel=1e-8)
    assert grouped.allocation[1] == grouped.allocation[2]


@pytest.mark.parametrize("options", GAMES)
def test_the_mixture_of_alternatives_makes_the_allocation_optimal(options):
    time = characteristic_time(means=["0.5", "0.9", "0.8", "0.85"], **options)
    assert time.best_arm == 1 and math.isclose(math.fsum(a.weight for a in time.alternatives), 1)
    earned, price = np.zeros(4), float(Fraction(options.get("epsilon", 1)))
    means = [0.5, 0.9, 0.8, 0.85]
    for a in time.alternatives:
        for arm in (1, a.challenger):
            moved = (means[arm], float(a.mean))
            earned[arm] += a.weight * (kl_bernoulli(*moved) if a.price == "kl" else price * abs(moved[0] - moved[1]))
    proportion = options.get("beta")
    value = max(earned)
    if proportion is not None:
        value = float(proportion) * earned[1] + (1 - float(proportion)) * max(np.delete(earned, 1))
    assert value == pytest.approx(1 / float(time.value.lower), rel=1e-9)


@pytest.mark.parametrize("means", [[1, 0], ["1", "0.5"], ["0.5", "0"], [1, 0, 0], [1, "0.999", 0]])
@pytest.mark.parametrize("options", GAMES)
def test_means_zero_and_one_are_ordinary(means, options):
    time = characteristic_time(means=means, **options)
    assert relative_width(time) < 1e-12 and time.recheck()


def test_random_games_are_tight_up_to_the_edges():
    random = np.random.default_rng(3)
    for trial in range(60):
        arms = int(random.integers(2, 9))
        draws = [random.random(arms), 10.0 ** -random.uniform(0, 12, arms), 1 - 10.0 ** -random.uniform(0, 10, arms)]
        means = np.unique(draws[trial % 3]).tolist()
        if len(means) < 2:
            continue
        gap, beta = means[-1] - means[-2], float(random.choice([1e-8, 0.3, 1 - 1e-8]))
        for options in ({}, {"divergence": "tv"}, {"epsilon": gap * 10 ** random.uniform(-1, 1)}, {"beta": beta}):
            assert relative_width(characteristic_time(means=means, **options)) < 1e-12


@pytest.mark.parametrize("seed", [19, 24, 32])
def test_many_arms_of_all_sizes_are_tight(seed):
    """Here a rough share would tell a wrong side of the optimum on which a level lies."""
    means = 10.0 ** -np.random.default_rng(seed).uniform(0, 12, 14)
    assert relative_width(characteristic_time(means=means.tolist())) < 1e-12


def test_bernoulli_costs_of_few_arms_are_those_of_many():
    means = [Fraction(k, 97) for k in range(90)]
    few, many = (BernoulliCosts(Fraction(90, 97), some).floats for some in (means[::9], means))
    share = np.random.default_rng(2).random(90)
    for one, other in zip(few(share[::9], 1 - share[::9]), many(share, 1 - share), strict=True):
        np.testing.assert_allclose(one, other[::9], rtol=16 * 2.0**-52)


@pytest.mark.parametrize("options", GAMES)
def test_a_thousand_and_ten_thousand_arms_are_as_tight_and_quick(options):
    assert relative_width(characteristic_time(means=spread(1_000), **options)) < 1e-12
    seconds, times = [], []
    while not seconds or seconds[-1] >= 2 and len(seconds) < 3:  # a collection of garbage may fall into one of them
        start = process_time()
        times.append(characteristic_time(means=spread(10_000), **options))
        seconds.append(process_time() - start)
    assert seconds[-1] < 2 and relative_width(times[0]) < 1e-9


# --------------------------------------------------------------------------------------------------------- certificate


@pytest.mark.parametrize("options", GAMES)
def test_a_certificate_is_checked_without_the_solver(options, monkeypatch):
    time = characteristic_time(means=THREE, **options)
    monkeypatch.setattr("banditproof.theory.best_arm.best_arm_game.Game.solve", lambda self: pytest.fail("solved"))
    assert time.recheck() and time.value.contains(time.certified())


@pytest.mark.parametrize("options", GAMES)
def test_a_corrupted_certificate_is_rejected(options):
    time = characteristic_time(means=THREE, **options)
    plan = time.certificate
    corrupted = [
        replace(plan, weights=(plan.weights[0], plan.weights[1] * 1.001, plan.weights[2])),
        replace(plan, weights=(1.0, -1.0, 1.0)),
        replace(plan, weights=(1.0, math.nan, 1.0)),
        replace(plan, weights=plan.weights[:2]),
        replace(plan, lowered=(0.0, 0.3, 0.3)),
        replace(plan, raised=(0.0, 5.0, 0.0)),
        replace(plan, replies=(1.0, 0.0, 0.0)),
        replace(plan, replies=(0.0,) * 3, raised=(0.0,) * 3, lowered=(0.0,) * 3),
    ]
    assert not any(replace(time, certificate=bad).recheck() for bad in corrupted)
    assert not replace(time, best_arm=1).recheck() and not replace(time, divergence="hellinger").recheck()
    lower, upper = time.value.floats
    assert not replace(time, value=type(time.value)(lower * 1.000001, upper * 1.1)).recheck()
    assert not replace(time, value=type(time.value)(lower * 0.9, upper * 0.999999)).recheck()


# --------------------------------------------------------------------------------------------------------- bad input


def golden_section_time(means):
    """T*_KL of Bernoulli arms: challengers' weights at a common level by bisection, the level by golden section."""

    def kl(p, q):
        return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))

    best, others = max(means), np.array(sorted(means)[:-1])

    def cost(x):
        common = (best + x * others) / (1 + x)
        return kl(best, common) + x * kl(others, common)

    def proportion_times_level(level):
        low, high = np.zeros_like(others), np.ones_like(others)
        while (cost(high) < level).any():
            high = np.where(cost(high) < level, 2 * high, high)
        for _ in range(60):
            middle = (low + high) / 2
            short = cost(middle) < level
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return level / (1 + high.sum())

    low, high, ratio = 0.0, float(kl(best, others).min()) * (1 - 1e-12), (np.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if proportion_times_level(left) > proportion_times_level(right) else (left, high)
    return 1 / proportion_times_level((low + high) / 2)


@pytest.mark.parametrize(("arms", "width"), [(1000, 1e-9), (10_000, 1e-6)])
def test_large_instances_are_enclosed_tightly_around_an_independent_value(arms, width):
    means = ["0.9", *(f"{0.1 + 0.7 * i / arms:.6f}" for i in range(arms - 1))]
    value = characteristic_time(means=means).value
    assert value.width <= width * value.lower
    assert golden_section_time([float(mean) for mean in means]) == pytest.approx(float(value.lower), rel=1e-12)


@pytest.mark.parametrize("size", [-18, -8, 0, 6])
def test_against_an_arm_that_never_pays_the_size_of_the_mean_changes_nothing(size):
    """With weight w on the best of two Poisson arms the worst case is -w log(w) mean: T* = e / mean."""
    mean = Fraction(10) ** size
    time = characteristic_time(Instance([Poisson(mean), Poisson(0)]))
    assert time.value.contains(Fraction(Decimal(1).exp()) / mean) and time.value.width * mean < 1e-13
    if size < -6:  # and Bernoulli arms are nearly that
        rare = characteristic_time(means=[mean, 0]).value
        assert float(rare.upper) == pytest.approx(math.e / float(mean), rel=1e-7) and rare.width * mean < 1e-13
