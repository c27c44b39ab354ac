"""The regimes against direct minimisation, and the machinery of proofs against planted false statements."""

import random
from fractions import Fraction

import mpmath
import pytest
import sympy

from banditproof.claims.by_regime import prove
from banditproof.claims.check import Check
from banditproof.paper_checks.bernoulli_dp.section_3.s3_lower_bound import at_most_kl
from banditproof.theory.laws.bernoulli import d_epsilon
from banditproof.theory.numbers.numeric import exp
from banditproof.verify.proof.domain import Domain, uncovered
from banditproof.verify.proof.regimes import (
    SQUARE,
    STRICTLY_BELOW,
    by_regime,
    comparable,
    entropy_class,
    log_growth,
    regime,
    region,
    relative_entropy,
)
from banditproof.verify.proof.symbols import abs_of, settled

NAMES = ("x", "y", "epsilon")
CLOSED_SQUARE = Domain.of(x="[0, 1]", y="[0, 1]", epsilon="(0, inf)")
SUBOPTIMAL = Domain.of(mu_a="[0, 1)", mu_star="(0, 1]", epsilon="(0, inf)", where=["mu_a < mu_star"])


def xlog(p, q):
    return mpmath.mpf(0) if p == 0 else p * mpmath.log(p / q)


def kl(p, q):
    return xlog(p, q) + xlog(1 - p, 1 - q)


def minimised(x, y, epsilon):
    """(z*, value) by bisection on the derivative of the convex objective between x and y."""
    if x == y or y in (0, 1):
        return y, epsilon * abs(x - y)
    sign = 1 if x < y else -1
    price = lambda z: sign * epsilon + mpmath.log(z / y) - mpmath.log((1 - z) / (1 - y))  # noqa: E731
    low, high = min(x, y), max(x, y)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if price(middle) > 0 else (middle, high)
    z = (low + high) / 2
    return z, epsilon * abs(x - z) + kl(z, y)


def numbers(name, seed):
    """x, y, epsilon, z* and the slack of a regime at random values of its symbols."""
    here, draw = regime(name), random.Random(f"{name}{seed}")
    formulas = [sympy.sympify(v) for v in (here.x, here.y, here.epsilon, here.minimiser, here.slack)]
    values = {s: sympy.Rational(draw.randint(1, 60), 20) for f in formulas for s in f.free_symbols}
    return [mpmath.mpf(sympy.N(f.subs(values), 40)) for f in formulas]


@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("seed", range(4))
def test_the_minimiser_of_a_regime_is_where_bisection_finds_it(name, seed):
    with mpmath.workdps(40):
        x, y, epsilon, z, slack = numbers(name, seed)
        found, value = minimised(x, y, epsilon)
        assert abs(found - z) < 1e-30
        assert abs(value - d_epsilon(x, y, epsilon)) < 1e-30
        if x not in (0, 1) and y not in (0, 1):
            threshold = abs(mpmath.log(y / (1 - y)) - mpmath.log(x / (1 - x)))
            assert abs(slack - max(0, epsilon - threshold)) < 1e-30


def test_the_regimes_cover_the_closed_square_and_none_can_be_spared():
    regions = {name: region(CLOSED_SQUARE, name, NAMES) for name in SQUARE}
    assert uncovered(CLOSED_SQUARE, regions.values()) is None
    for name in SQUARE:
        assert uncovered(CLOSED_SQUARE, [r for n, r in regions.items() if n != name]) is not None, name


def test_an_entropy_term_is_written_out_by_expand():
    p, q = sympy.symbols("p q", positive=True)
    written = sympy.expand(entropy_class()(p, q))
    assert sympy.simplify(written - (p * sympy.log(p) - p * sympy.log(q) - p + q)) == 0


def test_an_entropy_term_knows_its_sign_and_its_zeros():
    a, s = sympy.symbols("a s", positive=True)
    E = entropy_class()
    assert E(a, a) == 0 and E(0, a) == a
    assert E(a, a + s).is_positive and E(a, s).is_nonnegative
    assert E(a, s).is_positive is None  # a may equal s
    assert E(a, sympy.Symbol("c", real=True)).is_nonnegative is None


@pytest.mark.parametrize(("p", "q"), [("1/4", "1/2"), ("9/10", "1/5"), ("1/1000", "1/3")])
def test_relative_entropy_is_kl(p, q):
    p, q = sympy.Rational(p), sympy.Rational(q)
    stated = mpmath.mpf(sympy.N(sympy.expand(relative_entropy(p, q)), 30))
    assert abs(stated - kl(*(mpmath.mpf(v.p) / v.q for v in (p, q)))) < 1e-14


def test_a_branch_that_the_assumptions_leave_open_is_an_error():
    a, b = sympy.symbols("a b", positive=True)
    with pytest.raises(ValueError, match="do not settle"):
        settled(sympy.Piecewise((a, a < b), (b, True)))
    assert settled(sympy.Piecewise((a, a < a + b), (b, True))) == a
    assert settled(sympy.Max(a, a + b)) == a + b and settled(sympy.Min(a, a + b)) == a


def test_balls_and_numbers_pass_through_settled():
    assert settled(0.25) == 0.25


def test_absolute_values_and_logarithms_take_their_sign_from_the_assumptions():
    a = sympy.Symbol("a", positive=True)
    assert abs_of(-a) == a
    assert log_growth(a / (1 + a)).is_positive


def test_an_infinite_cost_is_compared_through_exp():
    a = sympy.Symbol("a", positive=True)
    assert comparable(a, "<=", sympy.oo) == (0, "<=", sympy.exp(-a))
    assert comparable(a, "<=", 2 * a) == (a, "<=", 2 * a)


@by_regime(STRICTLY_BELOW, variables=("mu_a", "mu_star", "epsilon"))
def kl_to_the_minimiser(here):
    """kl(x, y) - d_epsilon(x, y) = kl(x, z*)."""
    return exp(-here.epsilon * here.gap) if here.y == 1 else relative_entropy(here.x, here.minimiser)


@pytest.mark.parametrize(("factor", "expected"), [(Fraction(1), False), (Fraction(99, 100), True)])
def test_a_false_inequality_is_refuted_and_a_true_one_is_not(factor, expected):
    check = Check("a planted statement", SUBOPTIMAL, {"factor": factor})
    assert prove(check, at_most_kl, kl_to_the_minimiser) is not expected
    assert check.refuted is expected
