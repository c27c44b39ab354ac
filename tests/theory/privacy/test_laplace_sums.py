"""Tails of Laplace sums and noisy Bernoulli sums against quadrature, recursion and simulation-free references."""

import itertools
import time
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from banditproof.theory import laplace_sum_tail, noisy_sum_tail, tail_coefficients, working_precision


def test_the_first_coefficients_are_those_of_the_known_tails():
    assert tail_coefficients(1) == (Fraction(1, 2),)
    assert tail_coefficients(2) == (Fraction(1, 2), Fraction(1, 4))  # e^-u (2 + u) / 4


@pytest.mark.parametrize("m", range(1, 9))
def test_coefficients_solve_the_convolution_with_one_more_laplace_variable(m):
    """tail_(m+1) - tail_(m+1)'' = tail_m: a factor 1 + t^2 removes one variable from the characteristic function."""
    u = sympy.Symbol("u")

    def tail(n):
        powers = (sympy.Rational(tau) * u**i for i, tau in enumerate(tail_coefficients(n)))
        return sum(powers) * sympy.exp(-u)

    assert sympy.simplify(tail(m + 1) - sympy.diff(tail(m + 1), u, 2) - tail(m)) == 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("m", "u"), [(1, 0.7), (2, 3.0), (3, 0.2), (5, 8.0), (8, 30.0), (12, 5.0)])
def test_the_tail_is_the_fourier_integral_of_the_characteristic_function(m, u):
    """P[Z >= z] = 1/2 - (1/pi) int_0^inf sin(t u) / (t (1 + t^2)^m) dt for symmetric Z."""
    with mpmath.workdps(30):
        if m == 1:
            integral = mpmath.quadosc(lambda t: mpmath.sin(t * u) / (t * (1 + t * t)), [0, mpmath.inf], omega=u)
        else:
            integral = mpmath.quad(lambda t: mpmath.sin(t * u) / (t * (1 + t * t) ** m), mpmath.linspace(0, 60, 400))
        reference = mpmath.mpf(1) / 2 - integral / mpmath.pi
        # the integral is cut at 60, where the integrand is below 60^-(2m+1)
        assert abs(laplace_sum_tail(m, mpmath.mpf(u)) - reference) < mpmath.mpf(60) ** (-2 * m) + mpmath.mpf("1e-20")


@pytest.mark.parametrize(("m", "u"), [(1, 0.5), (2, 2.0), (4, 6.0), (6, 0.1)])
def test_the_tail_agrees_with_numerical_convolution_of_gamma_laws(m, u):
    """Z_m is the difference of two Gamma(m) variables."""
    value, _ = integrate.quad(lambda g: stats.gamma.pdf(g, m) * stats.gamma.sf(u + g, m), 0, np.inf, epsabs=1e-13)
    assert laplace_sum_tail(m, u) == pytest.approx(value, abs=1e-11)


@given(st.integers(1, 40), st.floats(-50, 50))
def test_all_number_systems_agree_and_the_law_is_symmetric(m, u):
    with mpmath.workdps(40):
        truth = laplace_sum_tail(m, mpmath.mpf(u))
        assert abs(truth + laplace_sum_tail(m, -mpmath.mpf(u)) - 1) < mpmath.mpf("1e-38")
    assert laplace_sum_tail(m, u) == pytest.approx(float(truth), rel=1e-12)
    assert laplace_sum_tail(m, arb(u)).overlaps(arb(truth, 1e-30))
    box = laplace_sum_tail(m, arb(u, 0.5))
    assert all(box.overlaps(arb(float(laplace_sum_tail(m, u + s)), 1e-12)) for s in (-0.5, 0.2, 0.5))


def test_many_terms_far_out_do_not_overflow():
    tails = laplace_sum_tail(150, np.array([-1e4, 0.0, 1e4]))
    assert tails.tolist() == [1.0, 0.5, 0.0]


def test_the_symbolic_tail_is_a_piecewise():
    u = sympy.Symbol("u", real=True)
    assert laplace_sum_tail(2, u).subs(u, 2) == sympy.exp(-2)


# ------------------------------------------------------------------------------------------------------- noisy sums


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_the_noisy_sum_tail_is_the_sum_over_all_reward_lists(side):
    n, m, mu, epsilon, x = 4, 2, Fraction(2, 5), Fraction(3, 4), Fraction(17, 10)
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for rewards in itertools.product((0, 1), repeat=n):
            weight = mu ** sum(rewards) * (1 - mu) ** (n - sum(rewards))
            u = epsilon * (x - sum(rewards))
            tail = (1 if side == "upper" else -1) * mpmath.mpf(u.numerator) / u.denominator
            mass = mpmath.exp(-abs(tail)) * (2 + abs(tail)) / 4
            total += mpmath.mpf(weight.numerator) / weight.denominator * (mass if tail >= 0 else 1 - mass)
        with working_precision(120):
            tail = noisy_sum_tail(n, m, mu, epsilon, x, side)
            assert tail.ball().overlaps(arb(total, 1e-35)) and tail.width < 1e-33


@given(st.integers(0, 60), st.integers(1, 5), st.floats(0.01, 0.99), st.floats(0.05, 5), st.floats(-20, 80))
def test_both_sides_add_up_to_one(n, m, mu, epsilon, x):
    total = noisy_sum_tail(n, m, mu, epsilon, x) + noisy_sum_tail(n, m, mu, epsilon, x, "lower")
    assert total.contains(1) and total.width < 1e-12


def test_it_agrees_with_scipy_on_a_larger_sum():
    n, m, mu, epsilon, x = 500, 3, 0.3, 0.5, 170.0
    s = np.arange(n + 1)
    reference = np.sum(stats.binom.pmf(s, n, mu) * laplace_sum_tail(m, epsilon * (x - s)))
    assert float(noisy_sum_tail(n, m, mu, epsilon, x)) == pytest.approx(reference, rel=1e-10)


def test_certain_rewards_leave_the_noise_alone():
    for mu, shift in ((0, 0), (1, 7)):
        assert noisy_sum_tail(7, 2, mu, 1, shift + 3).ball().overlaps(laplace_sum_tail(2, arb(3)))


def test_ten_thousand_rewards_take_less_than_a_few_seconds_and_stay_sharp():
    start = time.perf_counter()
    tail = noisy_sum_tail(10_000, 8, "0.3", "0.5", 3500)
    assert time.perf_counter() - start < 5  # 0.1 s on an idle machine
    assert tail.width < tail.lower / 2**35
