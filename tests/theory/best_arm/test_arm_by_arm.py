"""The best-arm game priced by d_epsilon arm by arm: against linear programs over ties, limits, and corruption."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import optimize, stats

from banditproof.theory import Exponential, Gaussian, Instance, Poisson, characteristic_time, d_epsilon
from banditproof.theory.best_arm.arm_by_arm import ArmByArm, divergences
from banditproof.theory.numbers.numeric import to_ball, working_precision

THREE = ["0.9", "0.8", "0.5"]
LINES = {"Gaussian": Gaussian, "Poisson": Poisson, "Exponential": Exponential}


def sharp(epsilon, **options):
    return characteristic_time(epsilon=epsilon, divergence="d_epsilon", **options)


def priced(family, x, y, epsilon):
    """d_epsilon in floats, another way: by the mass that the clipped law has on a grid of outcomes."""
    if family == "Bernoulli":
        p, q = (np.stack([1 - m, m], axis=-1) for m in (np.float64(x), y))
    elif family == "Gaussian":
        grid = np.linspace(-10, 10, 1001) + float(x)
        p, q = (stats.norm(m).pdf(grid) * (grid[1] - grid[0]) for m in (x, y[:, None]))
    elif family == "Poisson":
        grid = np.arange(120)
        p, q = (stats.poisson(m).pmf(grid) for m in (x, y[:, None]))
    else:  # the mass of short intervals, at whose ends the ratios are as good as equal
        ends = np.linspace(0, 80, 5001)
        p, q = (np.diff(-np.exp(-ends / m)) for m in (x, y[:, None]))
    q = np.maximum(q, 1e-300)
    low, high = np.full((len(y), 1), -epsilon), np.zeros((len(y), 1))
    for _ in range(40):
        c = (low + high) / 2
        light = np.clip(p, np.exp(c) * q, np.exp(c + epsilon) * q).sum(1, keepdims=True) < 1
        low, high = np.where(light, c, low), np.where(light, high, c)
    f = np.clip(np.log(np.maximum(p, 1e-300) / q), c, c + epsilon)
    return np.maximum(f @ p - np.log((q * np.exp(f)).sum(1)), 0)


def program(family, means, epsilon, rounds=4, beta=None):
    """T* by a linear program over ties on a grid, which is refined around those that bind."""
    best, others = max(means), [m for m in means if m != max(means)]
    ties = [np.linspace(m, best, 25) for m in others]
    for _ in range(rounds):
        rows, where = [], []
        for a, (own, points) in enumerate(zip(others, ties, strict=True)):
            one, other = priced(family, best, points, epsilon), priced(family, own, points, epsilon)
            for point, x, y in zip(points, one, other, strict=True):
                row = np.zeros(len(others) + 2)
                row[0], row[a + 1], row[-1] = -x, -y, 1
                rows.append(row)
                where.append((a, point))
        rows = np.array(rows)
        unit = min(priced(family, best, np.array([own]), epsilon)[0] for own in others)  # solvers see 1e-7
        rows[:, :-1] /= unit
        rows /= np.abs(rows).max(axis=1, keepdims=True)
        equal = [[1.0] * (len(others) + 1) + [0.0]]
        fixed = [] if beta is None else [[1.0] + [0.0] * (len(others) + 1)]
        solved = optimize.linprog(
            [0.0] * (len(others) + 1) + [-1.0], A_ub=rows, b_ub=np.zeros(len(rows)), A_eq=np.array(equal + fixed),
            b_eq=[1.0] if beta is None else [1.0, beta], method="highs",
        )  # fmt: skip
        binding = [where[i] for i in np.flatnonzero(rows @ solved.x > -1e-6 * -solved.fun)]
        for a, points in enumerate(ties):
            near = [points[::6]]
            for tie in [t for b, t in binding if b == a]:
                at = int(np.searchsorted(points, tie))
                near.append(np.linspace(points[max(at - 1, 0)], points[min(at + 1, len(points) - 1)], 13))
            ties[a] = np.unique(np.concatenate(near))
    return 1 / (-solved.fun * unit)


HUNDREDTHS = {"Bernoulli": (2, 98), "Gaussian": (-100, 100), "Poisson": (20, 600), "Exponential": (30, 300)}


def instances(cases, seed):
    """Two to four different means of two digits, so that some ties are near."""
    random = np.random.default_rng(seed)
    for case in range(cases):
        family = ["Bernoulli", "Bernoulli", "Gaussian", "Poisson", "Exponential"][case % 5]
        means = random.choice(np.arange(*HUNDREDTHS[family]) / 100, int(random.integers(2, 5)), replace=False)
        yield family, means.tolist(), float(np.round(10 ** random.uniform(-1.3, 0.5), 3)), [None, None, 0.4][case % 3]


def wrong_times(cases, seed):
    wrong = []
    for family, means, epsilon, beta in instances(cases, seed):
        exact = [Fraction(str(m)) for m in means]
        arms = Instance(means=exact) if family == "Bernoulli" else Instance([LINES[family](m) for m in exact])
        budget, share = Fraction(str(epsilon)), None if beta is None else Fraction(str(beta))
        time = sharp(budget, instance=arms, beta=share)
        other = characteristic_time(arms, epsilon=budget, beta=share).value
        value = program(family, means, epsilon, beta=beta)
        tight = time.value.width <= time.value.lower / 10**8
        if not (tight and time.recheck() and time.value.upper >= other.lower):
            wrong.append((family, means, epsilon, beta, str(time.value)))
        if not math.isclose(float(time.value.lower), value, rel_tol=1e-4):
            wrong.append((family, means, epsilon, beta, float(time.value.lower), value))
    return wrong


def test_times_agree_with_a_linear_program_over_ties(every_point):
    assert wrong_times(200 if every_point else 2, 1) == []


@pytest.mark.parametrize(
    ("means", "epsilon", "value", "ratio"),
    [(THREE, "0.2", 146.982, 1.303), (["0.6", "0.4"], "0.3", 53.2143, 1.0715), (THREE, "0.5", 105.511, 1.0038)],
)
def test_the_table_of_the_issue(means, epsilon, value, ratio):
    time = sharp(epsilon, means=means)
    assert float(time.value.lower) == pytest.approx(value, rel=1e-5)
    assert float(time.value.lower / characteristic_time(means=means, epsilon=epsilon).value.lower) == pytest.approx(
        ratio, rel=1e-4
    )


@pytest.mark.parametrize("epsilon", ["1/100", "1/2", "20"])
@pytest.mark.parametrize(("law", "low", "high"), [(Gaussian, -2, 1), (Poisson, "1/2", 3), (Exponential, 1, 4)])
@working_precision(128)
def test_both_bounds_of_a_piece_are_at_most_what_is_paid_there(law, low, high, epsilon):
    low, high, prices = Fraction(low), Fraction(high), divergences(law(1), Fraction(epsilon))
    ties = [low + (high - low) * Fraction(k, 12) for k in range(13)]
    ends = np.array([prices.ends([(x, tie) for tie in ties]) for x in (high, low)])
    for weights in ([0.5, 0.5], [0.9, 0.1], [0.2, 0.8]):
        paid, slopes, total = weights @ ends[..., 0], weights @ ends[..., 2], sum(map(to_ball, weights))
        for first, last in [*pairwise(range(0, 13, 3)), (0, 12)]:
            at = [to_ball(ties[k]) for k in (first, last)], paid[[first, last]]
            bounds = prices._above_chord(*at, total), prices._above_tangents(*at, slopes[[first, last]], total)
            inside = range(first, last + 1)
            assert max(map(float, bounds)) <= min(float(paid[k]) for k in inside) * (1 + 1e-12)
            assert max(bounds) > 0 or last - first == 12
            for k in inside:
                there = prices._elsewhere(at[0][0], at[1][0], slopes[first], total, to_ball(ties[k]))
                assert float(there) <= float(paid[k]) * (1 + 1e-12)


def test_where_no_pair_of_arms_is_as_far_apart_as_the_budget_privacy_costs_nothing():
    """Which is why the second row of the issue's table, 1207.5 at epsilon = 0.3, cannot be: log odds differ by 0.25."""
    means = ["0.75", "0.7", "0.7"]
    time = sharp("0.3", means=means)
    assert time.value.contains(characteristic_time(means=means).value.ball().mid())
    assert {one.price for one in time.alternatives} == {"kl"}
    more = sharp("0.3", means=[*means, "0.5"])
    assert float(more.value.lower) == pytest.approx(940.754178, rel=1e-8)
    assert {(one.challenger, one.price) for one in more.alternatives} == {(1, "kl"), (2, "kl"), (3, "d_epsilon")}


@pytest.mark.parametrize("arms", [Instance(means=THREE), Instance([Gaussian(1), Gaussian(0)])])
def test_limits(arms):
    free, whole = sharp("inf", instance=arms), characteristic_time(arms).value
    assert {one.price for one in free.alternatives} == {"kl"}
    assert float(free.value.lower) == pytest.approx(float(whole.lower), rel=1e-8) and free.recheck()
    small, tv = sharp("1e-4", instance=arms), characteristic_time(arms, divergence="tv").value
    assert float(small.value.lower) / 1e4 == pytest.approx(float(tv.lower), rel=1e-3)


def test_the_mixture_of_alternatives_makes_the_allocation_optimal():
    time = sharp("0.22", means=["0.5", "0.9", "0.8", "0.85"])
    assert time.best_arm == 1 and math.isclose(math.fsum(a.weight for a in time.alternatives), 1)
    earned, means = np.zeros(4), [0.5, 0.9, 0.8, 0.85]
    for one in time.alternatives:
        odds = [math.log(m / (1 - m)) for m in (means[1], float(one.mean), means[one.challenger])]
        assert one.price == ("kl" if max(odds[0] - odds[1], odds[1] - odds[2]) <= 0.22 else "d_epsilon")
        for arm in (1, one.challenger):
            earned[arm] += one.weight * d_epsilon(means[arm], float(one.mean), 0.22)
    assert earned == pytest.approx(1 / float(time.value.lower), rel=1e-6)
    assert sum(time.allocation) == pytest.approx(1) and "d_epsilon game, epsilon = 0.22" in str(time)


@pytest.mark.parametrize("means", [[1, 0], ["1", "0.5"], ["0.5", "0"], [1, "0.999", 0]])
@pytest.mark.parametrize("epsilon", ["1e-3", "0.3", "5", "1000"])
def test_means_zero_and_one_are_ordinary(means, epsilon):
    time = sharp(epsilon, means=means)
    assert time.value.width <= time.value.lower / 10**5 and time.recheck()


def test_a_function_that_is_clipped_just_at_a_count_proves_something():
    time = sharp("2.685", instance=Instance([Poisson(mean) for mean in ("1.59", "5.53", "5.28")]))
    assert time.value.width <= time.value.lower / 10**8 and time.recheck()


def test_equal_arms_weigh_the_same_and_a_hundred_arms_are_quick():
    time = sharp("0.2", means=["0.9", "0.8", "0.8", "0.5"])
    assert time.allocation[1] == time.allocation[2]
    many = sharp("0.2", means=["0.9", *np.linspace(0.1, 0.8, 99).tolist()])
    assert many.value.width <= many.value.lower / 10**8


@pytest.mark.parametrize(
    "arms", [Instance(means=THREE), Instance([Poisson(2), Poisson("1.5"), Poisson(0)])], ids=["Bernoulli", "Poisson"]
)
def test_a_corrupted_certificate_is_rejected(arms, monkeypatch):
    time = sharp("0.2", instance=arms)
    monkeypatch.setattr(ArmByArm, "solve", lambda self: pytest.fail("solved"))
    plan, (first, *rest) = time.certificate, time.certificate.replies
    assert time.recheck()
    corrupted = [
        replace(plan, weights=(plan.weights[0], plan.weights[1] * 1.001, plan.weights[2])),
        replace(plan, weights=(1.0, -1.0, 1.0)),
        replace(plan, weights=(1.0, math.nan, 1.0)),
        replace(plan, weights=plan.weights[:2]),
        replace(plan, replies=()),
        replace(plan, replies=tuple(rest)),
        replace(plan, replies=((first[0], first[1], first[2] * 1.01), *rest)),
        replace(plan, replies=((first[0], first[1] + Fraction(1, 1000), first[2]), *rest)),
        replace(plan, replies=((0, first[1], first[2]), *rest)),
        replace(plan, replies=((first[0], Fraction(7), first[2]), *rest)),
        replace(plan, replies=((first[0], first[1], -1.0), *rest)),
    ]
    assert [replace(time, certificate=bad).recheck() for bad in corrupted] == [False] * len(corrupted)
    assert not replace(time, epsilon=time.epsilon * 2).recheck() and not replace(time, divergence="private").recheck()
    lower, upper = time.value.floats
    assert not replace(time, value=type(time.value)(lower * 1.000001, upper * 1.1)).recheck()
    assert not replace(time, value=type(time.value)(lower * 0.9, upper * 0.999999)).recheck()
    private = characteristic_time(arms, epsilon="0.2")
    assert not replace(private, certificate=plan).recheck() and not replace(private, divergence="d_epsilon").recheck()
