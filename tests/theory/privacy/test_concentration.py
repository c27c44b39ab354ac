"""The concentration bounds against their printed formulas and, rigorously, against exact tails."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb

from banditproof.theory.laws.bernoulli import d_epsilon
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.privacy.concentration import (
    clean_private_chernoff_bound,
    d_epsilon_extended,
    laplace_sum_bound,
    private_chernoff_bound,
    private_chernoff_constant,
)
from banditproof.theory.privacy.laplace_sums import laplace_sum_tail, noisy_sum_tail


def test_the_laplace_bound_is_the_printed_one():
    m, z, epsilon = sympy.Symbol("m"), sympy.Symbol("z"), sympy.Symbol("epsilon")
    printed = sympy.exp(-(epsilon * z - 1 - m * sympy.log(1 + m * epsilon * z)))
    bound = laplace_sum_bound(3, z, epsilon)
    assert sympy.simplify(bound / printed.subs(m, 3)) == 1


@pytest.mark.parametrize("m", [1, 2, 3, 8])
def test_laplace_tails_lie_below_the_bound_rigorously(m):
    for u in (Fraction(k, 7) for k in range(0, 400, 3)):
        assert laplace_sum_tail(m, to_ball(u)) < laplace_sum_bound(m, to_ball(u), 1)


def printed_constant(n, m, mu, epsilon, x, side):
    """The maximum over y taken literally, on a grid that holds both ends."""
    ends = (mu, x / n) if side == "upper" else (x / n, mu)
    sign, p = (1, mu) if side == "upper" else (-1, 1 - mu)
    inside = max(np.e * (1 + m * epsilon * sign * (x - y * n)) ** m * np.log(1 / p) for y in np.linspace(*ends, 101))
    deviation = sign * (x - n * mu)
    return deviation * inside + np.e * (1 + m * epsilon * deviation) ** m + 1


@pytest.mark.parametrize(("side", "x"), [("upper", 37.0), ("upper", 130.0), ("lower", 11.0), ("lower", -20.0)])
def test_the_private_chernoff_constant_is_the_printed_one(side, x):
    printed = printed_constant(100, 3, 0.3, 0.5, x, side)
    assert private_chernoff_constant(100, 3, 0.3, 0.5, x, side) == pytest.approx(printed, rel=1e-12)


def test_the_bound_is_the_constant_times_the_exponential():
    bound = private_chernoff_bound(100, 2, 0.3, 0.5, 50.0)
    expected = private_chernoff_constant(100, 2, 0.3, 0.5, 50.0) * np.exp(-100 * d_epsilon(0.5, 0.3, 0.5))
    assert bound == pytest.approx(expected, rel=1e-12)


def cases(n_cases: int):
    """Random n, m, mu, epsilon and deviations to both sides, some leaving [0, n]."""
    rng = np.random.default_rng(12)
    for _ in range(n_cases):
        n, m = int(rng.integers(1, 120)), int(rng.integers(1, 9))
        mu, epsilon = Fraction(int(rng.integers(1, 100)), 100), Fraction(int(rng.integers(1, 300)), 100)
        yield n, m, mu, epsilon, Fraction(int(rng.integers(0, 100 * n)), 100), rng.choice(["upper", "lower"])


def test_exact_tails_lie_below_every_bound_rigorously():
    for n, m, mu, epsilon, deviation, side in cases(150):
        x = n * mu + deviation if side == "upper" else n * mu - deviation
        tail = noisy_sum_tail(n, m, mu, epsilon, x, side)
        arguments = (n, m, to_ball(mu), to_ball(epsilon), to_ball(x), side)
        assert tail < private_chernoff_bound(*arguments)
        assert tail < clean_private_chernoff_bound(*arguments)
        assert tail < clean_private_chernoff_bound(*arguments, form="simple")


def test_the_exponent_of_one_laplace_variable_is_d_epsilon():
    rates = [-float(noisy_sum_tail(n, 1, "0.3", "0.5", n // 2).log()) / n for n in (100, 1000, 10_000)]
    distances = np.array(rates) - d_epsilon(0.5, 0.3, 0.5)
    assert np.all(distances > 0) and np.all(distances[1:] < distances[:-1] / 5)  # they fall like log(n) / n


@pytest.mark.parametrize("x", [-0.7, -1e-9, 0.0, 0.2, 1.0, 1.3])
def test_the_extension_is_the_dual_maximum_for_every_real_x(x):
    """max over |lam| <= epsilon of lam x - log(1 - y + y e^lam), on a fine grid of lam."""
    y, epsilon = 0.4, 0.8
    lam = np.linspace(-epsilon, epsilon, 200_001)
    objective = lam * x - np.log1p(y * np.expm1(lam))
    assert d_epsilon_extended(x, y, epsilon) == pytest.approx(objective.max(), abs=1e-10)
    assert d_epsilon_extended(arb(x), y, epsilon).overlaps(arb(objective.max(), 1e-10))
    with mpmath.workdps(30):
        assert float(d_epsilon_extended(mpmath.mpf(x), y, epsilon)) == pytest.approx(objective.max(), abs=1e-10)


def test_inside_the_square_the_extension_changes_nothing():
    x = np.linspace(0, 1, 101)
    np.testing.assert_array_equal(d_epsilon_extended(x, 0.4, 0.8), d_epsilon(x, 0.4, 0.8))


def test_arrays_of_thresholds_are_taken_at_once():
    x = np.array([30.0, 50.0, 120.0])
    together = clean_private_chernoff_bound(100, 2, 0.3, 0.5, x)
    assert together.tolist() == [clean_private_chernoff_bound(100, 2, 0.3, 0.5, value) for value in x]
