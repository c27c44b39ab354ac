"""d_epsilon of two laws: against convex programs, quadrature of the clipped law, both bounds by hand, and limits."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from banditproof.theory import (
    Bernoulli,
    Bounded,
    Exponential,
    FiniteClass,
    FinitelySupported,
    Gaussian,
    InvalidInput,
    Poisson,
    d_epsilon,
)

PAIRS = [
    (Bernoulli("0.3"), Bernoulli("0.8")),
    (Gaussian(0), Gaussian(1)),
    (Gaussian("1/3", sigma=2), Gaussian("-5/2", sigma=2)),
    (Poisson(3), Poisson("5/2")),
    (Poisson("1/10"), Poisson(2)),
    (Exponential(1), Exponential(3)),
    (Exponential(2), Exponential("3/2")),
    (FinitelySupported([0, 1, 3], ["1/2", "1/4", "1/4"]), FinitelySupported([0, 1, 3], ["1/5", "1/5", "3/5"])),
    tuple(FiniteClass(Gaussian(m), [Gaussian(0), Gaussian(1)]) for m in (0, 1)),
    (Bounded(["0.1", "0.4"], ["1/2", "1/2"]), Bounded(["0.1", "0.9"], ["1/4", "3/4"])),
]


SOLVERS = {"CLARABEL": (1e-6, {}), "SCS": (1e-4, {"eps_abs": 1e-8, "eps_rel": 1e-8, "max_iters": 200_000})}
"""How close they come: one by interior points, one by splitting, which stops early where the program is lopsided."""


def random_law(random, atoms, zeros=0.2):
    """Counts over their sum, some of them 0, and their law on 0, 1, 2, ..."""
    counts = random.integers(1, 10 ** random.integers(1, 4), atoms) * (random.random(atoms) > zeros)
    counts[random.integers(atoms)] += 1
    return FinitelySupported(range(atoms), [Fraction(int(k), int(counts.sum())) for k in counts])


def weights(law):
    return np.array([float(p) for p in law.probabilities])


@cache
def program(atoms):
    """The primal as a convex program with parameters p, q and epsilon, on the atoms of q: what p has besides moves."""
    import cvxpy as cp

    p, q, price = cp.Parameter(atoms, nonneg=True), cp.Parameter(atoms, nonneg=True), cp.Parameter(nonneg=True)
    r, moved = cp.Variable(atoms, nonneg=True), cp.Variable(nonneg=True)
    constraints = [cp.sum(r) == 1, cp.sum(cp.pos(p - r)) <= moved]
    return cp.Problem(cp.Minimize(price * moved + cp.sum(cp.rel_entr(r, q))), constraints), p, q, price


def disagreements(cases, seed):
    random, wrong = np.random.default_rng(seed), []
    for _ in range(cases):
        atoms = int(random.integers(2, 7))
        one, other = random_law(random, atoms), random_law(random, atoms)
        epsilon = Fraction(10.0 ** random.uniform(-2, 1))
        found = one.d_epsilon(other, epsilon)
        inside = weights(other) > 0
        problem, p, q, price = program(int(inside.sum()))
        p.value, q.value, price.value = weights(one)[inside], weights(other)[inside], float(epsilon)
        close: list[bool] = []
        for name, (error, options) in SOLVERS.items():
            value = problem.solve(solver=name, **options) + price.value * (1 - p.value.sum())
            if problem.status == "optimal":  # "inaccurate" is no answer
                close.append(math.isclose(float(found), value, rel_tol=10 * error, abs_tol=error))
        if not (close and all(close) and found.recheck() and found.value.width <= found.value.upper / 2**64):
            wrong.append((one, other, epsilon))
    return wrong


def test_ten_thousand_pairs_of_finite_laws_agree_with_a_convex_program():
    pytest.importorskip("cvxpy")
    assert disagreements(10_000, 2) == []


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 4.0])
def test_any_law_between_is_an_upper_bound_and_any_function_a_lower_one(epsilon):
    random = np.random.default_rng(5)
    for _ in range(50):
        laws = [random_law(random, 4, 0.0) for _ in range(2)]
        p, q = map(weights, laws)
        value = float(laws[0].d_epsilon(laws[1], epsilon))
        for _ in range(20):
            r = random.dirichlet(random.choice([p, q, (p + q) / 2]) * 10 ** random.uniform(0, 5))
            r = np.maximum(r, 1e-300)
            f = epsilon * random.choice([random.random(4), random.integers(0, 2, 4), np.argsort(q / p) / 3.0])
            assert value <= epsilon * np.abs(p - r).sum() / 2 + float((r * np.log(r / q)).sum()) + 1e-12
            assert value >= p @ f - np.log(q @ np.exp(f)) - 1e-12
        free = np.log(p / q)  # what varies by more than epsilon may promise too much
        assert np.ptp(free) <= epsilon or value < p @ free - np.log(q @ np.exp(free))


def by_quadrature(density, other, epsilon, points):
    """epsilon TV(P, R) + KL(R, Q) of the law whose ratio is clipped, c by bisection on its mass."""

    def total(function):
        parts = zip(points, points[1:], strict=False)
        return math.fsum(integrate.quad(function, a, b, epsabs=1e-13, epsrel=1e-12, limit=200)[0] for a, b in parts)

    return clipped_value(density, other, epsilon, total)


def clipped_value(p, q, epsilon, total):
    def median(c):
        return lambda x: sorted((p(x), math.exp(c) * q(x), math.exp(c + epsilon) * q(x)))[1]

    c = optimize.brentq(lambda c: total(median(c)) - 1, -epsilon, 0, xtol=1e-14)
    r = median(c)
    moved = total(lambda x: max(p(x) - r(x), 0))
    return epsilon * moved + total(lambda x: r(x) * math.log(r(x) / q(x)) if r(x) > 0 else 0)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("law", [stats.norm, stats.expon])
@pytest.mark.parametrize("means", [(1.0, 1.3), (1.0, 3.0), (3.0, 1.0)])
def test_gaussian_and_exponential_laws_agree_with_quadrature(law, means, epsilon):
    if law is stats.norm:
        p, q = (lambda x, m=m: math.exp(-((x - m) ** 2) / 2) / math.sqrt(2 * math.pi) for m in means)
        one, other, places = *map(Gaussian, means), np.linspace(-8, 12, 61)
    else:
        p, q = (lambda x, m=m: math.exp(-x / m) / m for m in means)
        one, other, places = *map(Exponential, means), np.linspace(0, 120, 121)
    value = by_quadrature(p, q, epsilon, places)
    assert float(one.d_epsilon(other, epsilon)) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("means", [(1.0, 3.0), (3.0, 1.0), (0.01, 2.0), (30.0, 33.0), (0.0, 2.0), (2.0, 0.0)])
def test_poisson_laws_agree_with_the_sum(means, epsilon):
    p, q = (stats.poisson(m).pmf(np.arange(200)) for m in means)
    if not means[1]:  # all mass on positive counts has to move
        value = epsilon * (1 - p[0])
    else:
        value = clipped_value(
            lambda k: p[k], lambda k: max(q[k], 1e-300), epsilon, lambda f: math.fsum(map(f, range(200)))
        )
    assert float(Poisson(means[0]).d_epsilon(Poisson(means[1]), epsilon)) == pytest.approx(value, rel=1e-9)


def test_on_two_atoms_it_is_the_bernoulli_divergence():
    random = np.random.default_rng(11)
    for _ in range(200):
        x, y = (Fraction(int(random.integers(0, 65)), 64) for _ in range(2))
        epsilon = Fraction(10.0 ** random.uniform(-3, 1.5))
        two = [FinitelySupported([0, 1], [1 - m, m]) for m in (x, y)]
        for found in (two[0].d_epsilon(two[1], epsilon), Bernoulli(x).d_epsilon(Bernoulli(y), epsilon)):
            assert float(found) == pytest.approx(d_epsilon(x, y, epsilon), rel=1e-14)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_limits_and_order(one, other):
    kl, tv = one.kl(other), one.tv(other)
    without = one.d_epsilon(other, math.inf)
    assert without.value == kl and without.level is None and without.recheck()
    small = one.d_epsilon(other, "1e-9").value.lower * 10**9
    assert float(small) == pytest.approx(float(tv.lower), rel=1e-7)
    values = [one.d_epsilon(other, e) for e in ("1e-3", "1/10", 1, 3, 20, 10**5, "1e300")]
    assert all(v.recheck() and v.value.width <= v.value.upper / 2**64 for v in values[:-1]) and values[-1].recheck()
    assert all(a.value.lower <= b.value.upper for a, b in zip(values, values[1:], strict=False))
    for found in values:
        assert found.value.lower <= min(kl.upper, Fraction(found.epsilon) * tv.upper)
    nothing = one.d_epsilon(one, 1)
    assert nothing.value.upper == 0 and nothing.level is None and nothing.recheck()
    if one.d_epsilon(other, 20).value.upper < math.inf > kl.upper:
        assert float(one.d_epsilon(other, 10**5)) == pytest.approx(float(kl.upper), rel=1e-9)


@pytest.mark.parametrize("epsilon", ["1e-9", "1/2", 30, "1e300"])
def test_disjoint_laws_cost_the_budget_and_atoms_out_of_reach_are_moved(epsilon):
    one, other = FinitelySupported([0, 1], [1, 0]), FinitelySupported([0, 1], [0, 1])
    assert one.d_epsilon(other, epsilon).value.contains(Fraction(epsilon))
    half = FinitelySupported([0, 1], ["1/2", "1/2"])
    assert float(half.d_epsilon(one, epsilon)) == pytest.approx(float(Fraction(epsilon)) / 2, rel=1e-12)
    assert float(one.d_epsilon(half, epsilon)) <= math.log(2) * (1 + 1e-12)


def test_tiny_gaps_keep_their_digits():
    for law in (Gaussian, Poisson, Exponential):
        found = law(1).d_epsilon(law(1 + Fraction(1, 10**30)), 1)
        assert float(found) == pytest.approx(5e-61, rel=1e-9) and found.value.width < found.value.upper / 2**64


@pytest.mark.parametrize("law", [Gaussian, Poisson, Exponential])
def test_a_law_between_outside_of_the_family_is_cheaper_and_the_issue_has_the_figures(law):
    for epsilon in ("1/2", 1, 2):
        assert law(1).d_epsilon(law(2), epsilon).value.upper < law(1).d_inf(2, epsilon).value.lower
    assert round(float(Gaussian(0).d_epsilon(Gaussian(1), 1)), 4) == 0.2857
    assert round(float(Gaussian(0).d_inf(1, 1)), 4) == 0.3156


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_corrupted_certificate_is_rejected(one, other):
    found = one.d_epsilon(other, "1/2")
    for level in (found.level + Fraction(1, 1000), found.level * 2, Fraction(1), None, 0.5, Fraction(-10)):
        assert not replace(found, level=level).recheck()
    value = found.value
    assert not replace(found, value=type(value)(value.lower * Fraction(1.001), value.upper * 2)).recheck()
    assert not replace(found, epsilon=found.epsilon * 2).recheck() and not replace(found, other=one).recheck()
    assert not replace(one.d_epsilon(other, math.inf), level=Fraction(0)).recheck()


@pytest.mark.parametrize(
    ("other", "epsilon"), [(Gaussian(0), 1), (2, 1), *((Poisson(2), e) for e in (-1, 0, math.nan))]
)
def test_bad_input_is_one_clear_error(other, epsilon):
    with pytest.raises(InvalidInput, match="epsilon must be" if isinstance(other, Poisson) else "other must be"):
        Poisson(1).d_epsilon(other, epsilon)
