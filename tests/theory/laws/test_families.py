"""Least divergences to a better law: against convex programs, linear programs and corrupted certificates."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from banditproof.theory.laws.atomic_families import Bounded, FiniteClass, FinitelySupported
from banditproof.theory.laws.bernoulli import d_inf, kl_bernoulli
from banditproof.theory.laws.families import Bernoulli, Exponential, Gaussian, Poisson

FIVE_POINTS = FinitelySupported(["-1/2", 0, "1/3", 1, 2], ["1/5", "3/10", "1/5", "1/10", "1/5"])
NO_TOP = FinitelySupported([0, "1/4", "1/2", 1], ["1/2", "1/4", "1/4", 0])
SAMPLES = Bounded(samples=np.random.default_rng(7).beta(2, 3, 40))


def masses(law):
    """Atoms and probabilities as float arrays, with the point 1 for laws on [0, 1]."""
    points = dict.fromkeys(law.points, 0) if isinstance(law, FinitelySupported) else {Fraction(1): 0}
    points |= law.masses
    order = sorted(points)
    return np.array([float(x) for x in order]), np.array([float(points[x]) for x in order])


def kl_program(law, target, epsilon=None):
    """KL_inf, or d_inf for an epsilon, as a program over the relative-entropy cone."""
    import cvxpy as cp

    x, p = masses(law)
    q, better = cp.Variable(len(x), nonneg=True), cp.Variable(len(x), nonneg=True)
    constraints = [cp.sum(better) == 1, x @ better >= float(target)]
    objective = cp.sum(cp.rel_entr(p, better))
    if epsilon is not None:
        constraints.append(cp.sum(q) == 1)
        objective = epsilon * cp.norm1(p - q) / 2 + cp.sum(cp.rel_entr(q, better))
    return cp.Problem(cp.Minimize(objective), constraints).solve(solver=cp.CLARABEL)


def tv_program(law, target):
    """TV_inf as a linear program over transport plans away from the law."""
    x, p = masses(law)
    n = len(x)
    plan = optimize.linprog(
        (1 - np.eye(n)).ravel(),
        A_eq=np.kron(np.eye(n), np.ones(n)),
        b_eq=p,
        A_ub=-np.tile(x, n)[None, :],
        b_ub=[-float(target)],
    )
    return plan.fun


@pytest.mark.parametrize(
    ("law", "target"),
    [(FIVE_POINTS, "1"), (FIVE_POINTS, "1.9"), (NO_TOP, "0.3"), (NO_TOP, "0.9"), (SAMPLES, "0.5"), (SAMPLES, "0.85"),
     (Bounded(["1/2"], [1]), "3/4"), (Bounded([0, 1], ["0.7", "0.3"]), "0.5")],
)  # fmt: skip
def test_programs_over_point_masses_agree_with_general_solvers(law, target):
    target = Fraction(target)
    found = [(law.kl_inf(target), kl_program(law, target)), (law.tv_inf(target), tv_program(law, target))]
    found += [(law.d_inf(target, e), kl_program(law, target, float(e))) for e in (Fraction(1, 10), 1, 4)]
    for infimum, solved in found:
        assert float(infimum) == pytest.approx(solved, abs=2e-7)  # what the interior-point method reaches
        assert infimum.recheck() and infimum.value.width <= Fraction(1, 10**30)
        assert infimum.alternative.mean >= target and not infimum.attained


LAWS = [Bernoulli("1/4"), Gaussian(0), Poisson(1), Exponential(1), FIVE_POINTS, NO_TOP, SAMPLES]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_no_better_law_is_infinitely_far_and_a_better_law_is_at_no_distance(law):
    verbs = (law.kl_inf, law.tv_inf, lambda target: law.d_inf(target, 1))
    for verb in verbs:
        if law.largest_mean != math.inf:
            nothing = verb(law.largest_mean)
            assert nothing.value.lower == math.inf and nothing.alternative is None and nothing.recheck()
        below, here = verb(law.mean - 1), verb(law.mean)
        assert float(below) == 0 and below.attained and below.recheck()
        assert float(here) == 0 and not here.attained and here.recheck()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_the_double_change_lies_below_both_single_changes_and_meets_them_at_the_ends(law):
    target = Fraction(law.mean) + Fraction(1, 8)
    kl, tv = law.kl_inf(target).value, law.tv_inf(target).value
    for epsilon in ("0.001", "0.5", "3"):
        both = law.d_inf(target, epsilon).value
        assert both.lower <= kl.upper and both.lower <= Fraction(epsilon) * tv.upper
    assert law.d_inf(target, math.inf).value.upper >= kl.lower
    small = law.d_inf(target, "1e-6").value.lower / Fraction("1e-6")
    assert float(small) == pytest.approx(float(tv.lower), rel=1e-3)  # d_inf / epsilon tends to TV_inf


@given(st.fractions(0, 1, max_denominator=60), st.fractions(0, 1, max_denominator=60), st.fractions(Fraction(1, 50), 6))
@settings(deadline=None)
def test_two_point_laws_are_bernoulli_laws(mean, target, epsilon):
    law = FinitelySupported([0, 1], [1 - mean, mean])
    for infimum, value in (
        (law.d_inf(target, epsilon), d_inf(mean, target, epsilon)),
        (Bernoulli(mean).d_inf(target, epsilon), d_inf(mean, target, epsilon)),
        (law.kl_inf(target), d_inf(mean, target, math.inf)),
    ):
        assert infimum.recheck()
        assert float(infimum) == value or float(infimum) == pytest.approx(value, rel=1e-14)


def test_laws_on_the_unit_interval_put_mass_on_one():
    infimum = Bounded(["1/4", "1/2"], ["1/2", "1/2"]).tv_inf("3/4")
    # the lowest half moves to 1: mean (1/2 + 1)/2 = 3/4
    assert float(infimum) == 0.5 and infimum.alternative.masses == {
        Fraction(1, 2): Fraction(1, 2),
        Fraction(1): Fraction(1, 2),
    }
    point = Bounded(["1/2"], [1])
    assert float(point.tv_inf("3/4")) == 0.5  # Delta / (1 - m)
    assert float(Bounded([0, "1/2"], ["1/2", "1/2"]).tv_inf("1/2")) == 0.25  # Delta, as P({0}) >= Delta
    assert Fraction(1) in point.kl_inf("3/4").alternative.masses
    assert FinitelySupported(["1/2"], [1]).kl_inf("3/4").value.lower == math.inf


def test_the_strict_inequality_matters_in_finite_classes():
    members = [Bernoulli("1/4"), Bernoulli("1/2"), Bernoulli("3/4")]
    law = FiniteClass(members[0], members)
    strict, kl = law.kl_inf("1/2"), kl_bernoulli
    assert strict.attained and strict.alternative.law == members[2] and strict.recheck()
    assert float(strict) == pytest.approx(kl(0.25, 0.75), rel=1e-15)
    assert float(law.kl_inf("0.49")) == pytest.approx(kl(0.25, 0.5), rel=1e-15)
    assert float(law.tv_inf("1/2")) == 0.5 and float(law.tv_inf("1/4")) == 0.25
    # the intermediate law of d_inf is a member as well
    choices = [0.3 * (m - 0.25) + kl(m, 0.75) for m in (0.25, 0.5, 0.75)]
    assert float(law.d_inf("1/2", "0.3")) == pytest.approx(min(choices), rel=1e-14)
    assert float(law.d_inf("3/4", 1)) == math.inf and float(law.d_inf("1/8", 1)) == 0
    assert not replace(law.kl_inf("1/2"), alternative=FiniteClass(members[1], members)).recheck()
    on_target = FiniteClass(members[1], members)
    assert float(on_target.kl_inf("1/2")) == pytest.approx(kl(0.5, 0.75), rel=1e-15)
    zero = replace(on_target.kl_inf("1/2"), alternative=on_target, attained=False, value=law.kl_inf("1/8").value)
    assert not zero.recheck()


def test_divergences_of_finite_laws_are_sums():
    p, q = FinitelySupported([0, 1, 3], ["1/2", "1/4", "1/4"]), FinitelySupported([3, 0, 1], [0, "1/4", "3/4"])
    assert p.kl(q).lower == math.inf and p.tv(q).upper == Fraction(1, 2)
    a, b = np.array([0.25, 0.75, 0]), np.array([0.5, 0.25, 0.25])
    assert q.kl(p).floats == pytest.approx((np.sum(a[:2] * np.log(a[:2] / b[:2])),) * 2, rel=1e-14)
    expected = math.log(sum(x**2 / y for x, y in zip(a, b, strict=True)))
    assert q.renyi(p, 2).floats == pytest.approx((expected, expected), rel=1e-14)
    assert q.renyi(p, 1) == q.kl(p) and p.renyi(q, 2).lower == math.inf
    assert Bounded([0], [1]).tv(Bounded([1], [1])).lower == 1


NEXT_TO_ONE = 1 - Fraction(1, 10**60)


@pytest.mark.parametrize(
    "law",
    [
        Bounded([0, NEXT_TO_ONE], ["1/2", "1/2"]),
        Bounded(["0.2", NEXT_TO_ONE, 1], ["1/2", "1/4", "1/4"]),
        Bounded([0, "1/2"], [1 - NEXT_TO_ONE, NEXT_TO_ONE]),
    ],
)
@pytest.mark.parametrize("share", [Fraction(1, 10**40), Fraction(1, 1000), Fraction(999, 1000), NEXT_TO_ONE])
def test_enclosures_stay_sharp_for_atoms_and_targets_next_to_the_largest_point(law, share):
    target = law.mean + (1 - law.mean) * share
    for infimum in (law.kl_inf(target), law.d_inf(target, "0.01"), law.d_inf(target, 2)):
        assert infimum.recheck() and infimum.value.width <= infimum.value.upper * Fraction(1, 10**30)


@pytest.mark.parametrize("epsilon", [20, 100, 199, 250, 500, 10**7])
@pytest.mark.parametrize("target", ["1/2", "571428571429/1000000000000"])
def test_enclosures_stay_sharp_for_large_budgets_and_small_gaps(epsilon, target):
    law = Bounded(["4/7"], [1]) if len(target) > 3 else Bounded(["1/8"], [1])
    infimum = law.d_inf(target, epsilon)
    assert infimum.recheck() and infimum.value.width <= infimum.value.upper * Fraction(1, 10**30)
    # with two values m and 1 it is a rescaled Bernoulli law of mean 0
    rescaled = (Fraction(target) - law.mean) / (1 - law.mean)
    assert float(infimum) == pytest.approx(float(d_inf(0, rescaled, epsilon)), rel=1e-14)


@pytest.mark.parametrize("top", [Fraction(10) ** k for k in (10, 30, 49)])
def test_the_largest_point_may_be_far_above_the_others(top):
    """The multiplier is 1/(top - 1), so KL_inf is log(1 + 1/(top - 1)) / 2."""
    value = FinitelySupported([0, 1, top], ["1/2", "1/2", 0]).kl_inf(1).value
    with mpmath.workdps(200):
        exact = mpmath.log1p(1 / (mpmath.mpf(int(top)) - 1)) / 2
        assert mpmath.mpf(value.lower.numerator) / value.lower.denominator <= exact
        assert mpmath.mpf(value.upper.numerator) / value.upper.denominator >= exact
    assert value.width <= value.upper * Fraction(1, 10**5)


@pytest.mark.parametrize("digits", [5, 17, 20, 40])
def test_the_largest_point_may_have_next_to_no_mass(digits):
    """Mass moves from the one atom to the other, so KL_inf is kl of their masses."""
    share = Fraction(1, 10**digits)
    value = Bounded(["0.3", 1], [1 - share, share]).kl_inf("0.5").value
    with mpmath.workdps(60):
        p, q = mpmath.mpf(10) ** -digits, mpmath.mpf(2) / 7
        exact = p * mpmath.log(p / q) + (1 - p) * mpmath.log((1 - p) / (1 - q))
    assert float(value.lower) == pytest.approx(float(exact), rel=1e-14)
    assert value.width <= value.upper * Fraction(1, 10**20)


@pytest.mark.parametrize("digits", [100, 170, 300])
def test_the_scale_of_the_points_does_not_matter(digits):
    unit = Fraction(1, 10**digits)
    small = FinitelySupported([0, unit, 2 * unit], ["1/3"] * 3).kl_inf(unit * 3 / 2).value
    assert float(small.lower) == pytest.approx(
        float(FinitelySupported([0, 1, 2], ["1/3"] * 3).kl_inf("3/2").value.lower)
    )
