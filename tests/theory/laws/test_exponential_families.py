"""Divergences of exponential families against quadrature, sums and mpmath, in every number system."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from scipy import integrate, stats

from banditproof.theory import to_ball, working_precision
from banditproof.theory.laws import exponential_families as families
from banditproof.theory.numbers.poisson_mass import mass_between, poisson_mass

ORDERS = [0.01, 0.3, 0.5, 0.9, 0.999999, 1.0000001, 1.5, 2.0, 30.0]
POISSON_PAIRS = [(0.0, 0.5), (0.001, 1.0), (1.0, 2.0), (3.0, 3.0000001), (5.0, 20.0), (100.0, 100.5)]


def poisson_law(mean, size=250):
    """The probabilities of 0, ..., size - 1."""
    mean = mpmath.mpf(mean)
    law = [mpmath.exp(-mean)]
    for k in range(1, size):
        law.append(law[-1] * mean / k)
    return law


def renyi_sum(p, q, alpha):
    alpha = mpmath.mpf(alpha)
    if alpha > 1 and any(b == 0 < a for a, b in zip(p, q, strict=True)):
        return mpmath.inf
    terms = (a**alpha * b ** (1 - alpha) for a, b in zip(p, q, strict=True) if a > 0 and b > 0)
    return mpmath.log(mpmath.fsum(terms)) / (alpha - 1)


@pytest.mark.parametrize(("x", "y"), POISSON_PAIRS)
def test_poisson_divergences_are_sums_over_the_counts(x, y):
    with mpmath.workdps(60):
        p, q = poisson_law(x), poisson_law(y)
        tv = mpmath.fsum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2
        kl = mpmath.fsum(a * mpmath.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)
        for value, expected in ((families.tv_poisson(x, y), tv), (families.kl_poisson(x, y), kl)):
            assert abs(value / expected - 1) < 1e-14
        assert families.tv_poisson(y, x) == families.tv_poisson(x, y)
        for alpha in ORDERS[:-1]:  # at 30 the sum needs more counts
            assert abs(families.renyi_poisson(x, y, alpha) / renyi_sum(p, q, alpha) - 1) < 1e-13


@pytest.mark.parametrize(("x", "y"), [(1.0, 2.0), (2.0, 1.0), (0.1, 5.0), (3.0, 3.01)])
def test_exponential_divergences_are_integrals_of_the_densities(x, y):
    p, q = stats.expon(scale=x).pdf, stats.expon(scale=y).pdf
    crossing = x * y * math.log(y / x) / (y - x)
    halves = [integrate.quad(lambda t: abs(p(t) - q(t)) / 2, *ends)[0] for ends in ((0, crossing), (crossing, np.inf))]
    assert families.tv_exponential(x, y) == pytest.approx(sum(halves), rel=1e-8)  # the error of quad
    kl = integrate.quad(lambda t: p(t) * (math.log(y / x) - t / x + t / y), 0, np.inf)[0]
    assert families.kl_exponential(x, y) == pytest.approx(kl, rel=1e-8)
    for alpha in (0.3, 0.9, 1.5):
        rate = alpha / x + (1 - alpha) / y
        expected = math.inf
        if rate > 0:
            power = integrate.quad(lambda t, a=alpha: p(t) ** a * q(t) ** (1 - a), 0, 60 * max(x, y))[0]
            expected = math.log(power) / (alpha - 1)
        assert families.renyi_exponential(x, y, alpha) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("x", "y", "sigma"), [(0.0, 1.0, 1.0), (2.0, -1.5, 0.5), (0.25, 0.75, 3.0)])
def test_gaussian_divergences_are_integrals_of_the_densities(x, y, sigma):
    p, q = stats.norm(x, sigma), stats.norm(y, sigma)
    assert families.tv_gaussian(x, y, sigma) == pytest.approx(abs(p.cdf((x + y) / 2) - q.cdf((x + y) / 2)), rel=1e-12)
    ends = (min(x, y) - 20 * sigma, max(x, y) + 20 * sigma)
    kl = integrate.quad(lambda t: p.pdf(t) * (p.logpdf(t) - q.logpdf(t)), *ends, limit=200)[0]
    assert families.kl_gaussian(x, y, sigma) == pytest.approx(kl, rel=1e-8)
    power = integrate.quad(lambda t: math.exp(2 * p.logpdf(t) - q.logpdf(t)), *ends, limit=200)[0]
    assert families.renyi_gaussian(x, y, 2, sigma) == pytest.approx(math.log(power), rel=1e-8)


@pytest.mark.parametrize(("p", "q"), [(0.2, 0.3), (0.5, 0.5000001), (0.0, 0.3), (0.001, 0.999), (1.0, 0.2), (0.3, 0.0)])
@pytest.mark.parametrize("alpha", ORDERS)
def test_bernoulli_renyi_divergence_is_a_sum_over_two_outcomes(p, q, alpha):
    with mpmath.workdps(60):
        first, second = ([mpmath.mpf(m), 1 - mpmath.mpf(m)] for m in (p, q))
        expected = renyi_sum(first, second, alpha)
        value = families.renyi_bernoulli(p, q, alpha)
        assert value == expected or abs(value / expected - 1) < 1e-14


@pytest.mark.parametrize("gap", ["1e-6", "1e-12", "1e-15"])
def test_nothing_cancels_near_the_diagonal(gap):
    x = 3.0
    y = x + float(gap)
    with mpmath.workdps(80):
        exact_gap, mean = mpmath.mpf(y) - 3, mpmath.mpf(3)
        kl_poisson = mean * mpmath.log(mean / (mean + exact_gap)) + exact_gap
        kl_exponential = mpmath.log((mean + exact_gap) / mean) + mean / (mean + exact_gap) - 1
        assert abs(families.kl_poisson(x, y) / kl_poisson - 1) < 1e-15
        assert abs(families.kl_exponential(x, y) / kl_exponential - 1) < 2e-15
        power = mean**2 / (mean + exact_gap) - 2 * mean + (mean + exact_gap)
        assert abs(families.renyi_poisson(x, y, 2) / power - 1) < 2e-15
        renyi = mpmath.log((mean + exact_gap) / mean) - mpmath.log1p(exact_gap / (mean + exact_gap))
        assert abs(families.renyi_exponential(x, y, 2) / renyi - 1) < 2e-15


ALL = [
    (families.kl_poisson, (1.5, 2.25)), (families.tv_poisson, (1.5, 2.25)), (families.renyi_poisson, (1.5, 2.25, 2.5)),
    (families.kl_exponential, (1.5, 2.25)), (families.tv_exponential, (1.5, 2.25)),
    (families.renyi_exponential, (1.5, 2.25, 0.75)), (families.renyi_bernoulli, (0.25, 0.5, 3.0)),
    (families.kl_gaussian, (1.5, 2.25, 0.5)), (families.tv_gaussian, (1.5, 2.25, 0.5)),
    (families.renyi_gaussian, (1.5, 2.25, 3.0, 0.5)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments"), ALL)
def test_every_number_system_gives_the_same_value(function, arguments):
    with mpmath.workdps(40), working_precision(120):
        value = function(*arguments)
        precise = function(*map(mpmath.mpf, arguments))
        ball = function(*map(to_ball, arguments))
        symbolic = function(*map(sympy.Rational, arguments))
        assert abs(value / precise - 1) < 1e-14
        assert ball.rel_accuracy_bits() > 100
        assert abs(mpmath.mpf(ball.mid().str(36, radius=False)) / precise - 1) < mpmath.mpf("1e-29")
        assert abs(mpmath.mpf(sympy.N(symbolic, 40)) / precise - 1) < mpmath.mpf("1e-29")
        assert float(function(*map(Fraction, arguments))) == pytest.approx(value, rel=1e-14)
        assert function(*(np.array([a, a]) for a in arguments)) == pytest.approx(value)


@pytest.mark.parametrize(("function", "arguments"), ALL)
def test_wide_balls_enclose_the_range_and_little_more(function, arguments):
    radius = to_ball(Fraction(1, 8)) / 4
    wide = function(to_ball(arguments[0]) + radius.union(-radius), *map(to_ball, arguments[1:]))
    values = [function(arguments[0] + t / 32, *arguments[1:]) for t in (-1, -0.5, 0, 0.5, 1)]
    assert all(
        wide.contains(to_ball(v)) or abs(float(wide.mid()) - v) <= float(wide.rad()) * (1 + 1e-9) for v in values
    )
    assert float(wide.rad()) <= 0.6 * (max(values) - min(values))


@pytest.mark.parametrize(("function", "arguments"), ALL)
def test_series_carry_the_derivative_in_the_first_argument(function, arguments):
    from flint import arb_series

    series = function(arb_series([to_ball(arguments[0]), 1], prec=2), *map(to_ball, arguments[1:]))
    with mpmath.workdps(40):
        rest = [mpmath.mpf(a) for a in arguments[1:]]
        slope = mpmath.diff(lambda t: function(t, *rest), mpmath.mpf(arguments[0]))
        assert abs(float(series[1].mid()) / slope - 1) < 1e-9


def test_limits_and_ties():
    assert families.kl_poisson(0, 0) == 0 and families.kl_poisson(1, 0) == np.inf and families.kl_poisson(0, 2) == 2
    assert families.tv_poisson(2, 2) == 0 and families.tv_exponential(2, 2) == 0 and families.kl_exponential(2, 2) == 0
    assert families.renyi_poisson(0, 2, 3) == 2 and families.renyi_poisson(2, 0, 0.5) == 2
    assert families.renyi_poisson(2, 0, 2) == np.inf
    assert families.renyi_exponential(3, 1, 2) == np.inf and families.renyi_exponential(2, 1, 2) == np.inf
    assert families.renyi_poisson(1, 2, 1) == families.kl_poisson(1, 2)
    assert families.renyi_exponential(1, 2, 1) == families.kl_exponential(1, 2)
    assert families.renyi_bernoulli(0.25, 0.25, 5) == 0


def test_symbolic_formulas_are_the_textbook_ones():
    x, y = sympy.symbols("x y", positive=True)
    assert sympy.simplify(families.kl_poisson(x, y) - (x * sympy.log(x / y) - x + y)) == 0
    assert sympy.simplify(families.kl_exponential(x, y) - (sympy.log(y / x) + x / y - 1)) == 0
    assert sympy.simplify(families.kl_gaussian(x, y, 2) - (x - y) ** 2 / 8) == 0


def test_poisson_masses_are_sharp_for_large_counts():
    for k, u in ((0, 0.5), (3, 2.0), (15, 12.0), (16, 20.0), (10**6, 10**6 + 500.0)):
        with mpmath.workdps(40):
            expected = mpmath.exp(k * mpmath.log(u) - u - mpmath.loggamma(k + 1))
        assert abs(poisson_mass(k, u) / expected - 1) < 1e-13
    with mpmath.workdps(60):
        expected = mpmath.gammainc(101, 100, mpmath.inf, True) - mpmath.gammainc(
            101, mpmath.mpf(100.5), mpmath.inf, True
        )
        assert abs(mass_between(100, 100.0, 100.5) / expected - 1) < 1e-14
