"""Counts and special functions: the same values in every number system, and one node of a term each."""

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
import sympy

from banditproof.theory.numbers.numeric import BALL, SYMBOL, TERM, comb, exactly, factorial, to_ball
from banditproof.theory.numbers.special import (
    binomial_tail,
    doublings,
    erfc,
    hurwitz_zeta,
    laplace_density,
    laplace_second_moment,
    laplace_tail,
    largest_laplace_tail,
    log_gamma,
    normal_density,
    pi,
    tricomi,
)
from banditproof.theory.numbers.term import FINITE_AS, NoTerm, finite_as, quantity, tex, text, var

THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("function", "arguments", "truth"),
    [
        (erfc, ("1.25",), lambda x: mpmath.erfc(x)),
        (normal_density, ("1.25",), lambda x: mpmath.npdf(x)),
        (log_gamma, ("7.3",), lambda x: mpmath.loggamma(x)),
        (hurwitz_zeta, ("2", "3.5"), lambda s, a: mpmath.zeta(s, a)),
        (tricomi, ("1.5", "2.25", "0.7"), lambda a, b, x: mpmath.hyperu(a, b, x)),
    ],
)
def test_special_functions_agree_in_all_systems(function, arguments, truth):
    with mpmath.workdps(30):
        value = truth(*map(mpmath.mpf, arguments))
        assert mpmath.almosteq(function(*map(mpmath.mpf, arguments)), value)
    assert function(*map(float, arguments)) == pytest.approx(float(value), rel=1e-12)
    assert function(*map(to_ball, arguments)).overlaps(to_ball(value))
    if function is not tricomi:
        assert float(function(*map(sympy.Rational, arguments))) == pytest.approx(float(value), rel=1e-12)


def test_pi_is_of_the_system_that_it_stands_in():
    assert pi() == np.pi
    with exactly(BALL):
        assert pi().overlaps(to_ball(0).pi())
    with exactly(SYMBOL):
        assert pi() is sympy.pi
    with exactly(TERM):
        assert text(2 * pi()) == "2 π" and tex(pi() ** 2) == r"\pi^{2}"


@pytest.mark.parametrize("n", range(1, 70))
def test_doublings_reach_the_number_and_no_fewer_do(n):
    assert 2 ** doublings(n) >= n and (n == 1 or 2 ** (doublings(n) - 1) < n)


def test_counts_of_sets_and_orders():
    assert factorial(5) == 120
    n = var("n")
    assert text(comb(n, 2) * factorial(n)) == "comb(n, 2) (n)!" and comb(6, 2) == 15


def test_binomial_tails_are_exact_for_exact_chances():
    tails = [binomial_tail(5, THIRD, k) for k in range(7)]
    assert tails[0] == 1 and tails[6] == 0 and tails[5] == THIRD**5
    assert tails[1] - tails[2] == 5 * THIRD * (1 - THIRD) ** 4
    assert binomial_tail(5, to_ball(THIRD), 3).overlaps(to_ball(tails[3]))


@pytest.mark.parametrize("level", ["-2", "-1/3", "0", "1/7", "4"])
def test_laplace_tails_on_both_sides(level):
    x = Fraction(level)
    truth = 1 - mpmath.quad(lambda t: mpmath.exp(-abs(t)) / 2, [-mpmath.inf, min(0, float(x)), float(x)])
    assert laplace_tail(float(x)) == pytest.approx(float(truth), abs=1e-12)
    assert (laplace_tail(to_ball(x)) + laplace_tail(-to_ball(x)) - 1).contains(0)
    wide = laplace_tail(to_ball(x).union(to_ball(x + 1)))
    assert wide.contains(laplace_tail(to_ball(x))) and wide.contains(laplace_tail(to_ball(x + 1)))


@pytest.mark.parametrize(("centre", "scale"), [(0.0, 1.0), (0.7, 0.25), (-2.0, 3.0)])
def test_densities_and_second_moments_of_laplace_variables(centre, scale):
    def weighed(y):
        return float(laplace_density((y - centre) / scale)) / scale * y**2

    ends = [centre - 60 * scale, centre, centre + 60 * scale]
    integral = mpmath.quad(weighed, ends)
    assert laplace_second_moment(centre, scale) == pytest.approx(float(integral), rel=1e-9)
    mass = mpmath.quad(lambda y: float(laplace_density(y)), [1.5, 60])
    assert laplace_tail(1.5) == pytest.approx(float(mass), abs=1e-12)


def test_the_largest_of_independent_laplace_variables():
    """By the chance of each pattern of sizes below the level and not below it."""
    for n, x in ((1, 0.5), (2, 0.25), (4, 1.75)):
        outside = 2 * mpmath.quad(lambda t: mpmath.exp(-t) / 2, [x, mpmath.inf])
        patterns = product((outside, 1 - outside), repeat=n)
        some = sum(math.prod(p) for k, p in enumerate(patterns) if k != 2**n - 1)
        assert largest_laplace_tail(n, x) == pytest.approx(float(some), abs=1e-12)


def test_a_name_belongs_to_one_quantity():
    def erfc(x):
        return x

    with pytest.raises(NoTerm, match="erfc is a quantity of banditproof.theory.numbers.special already"):
        quantity(erfc)


def test_a_refused_quantity_leaves_no_formula_of_where_its_namesake_is_finite():
    """Proofs would ask it of the other one."""
    before = dict(FINITE_AS)
    for namesake in ("erfc", "binary_exponent"):

        def other(x):
            return x

        other.__name__ = namesake
        with pytest.raises(NoTerm, match="already"):
            finite_as(lambda x: 0 * x)(other)
    assert before == FINITE_AS
