"""What a quantity is on symbols, with numbers put in, is what it is on balls."""

from fractions import Fraction
from math import ceil

import pytest
import sympy

from banditproof.theory.numbers.numeric import exp, log, to_ball, working_precision
from banditproof.verify.forms.calculus import derivative, erf, exponential_tail, integral, pi_beside, power_series
from banditproof.verify.forms.geometric_sums import power, quotient
from banditproof.verify.proof.symbols import ceiling, excess, room

NUMBERS = [Fraction(n) for n in ("1/7", "1/2", "3/10", "9/4", "5")]
ONE_ARGUMENT = {
    "derivative": lambda x: derivative(lambda u: u * exp(-u) + log(1 + u), x),
    "second derivative": lambda x: derivative(lambda u: exp(u) / (1 + u), x, 2),
    "third derivative": lambda x: derivative(lambda u: log(u) * u, x, 3),
    "erf": erf,
    "pi": lambda x: x * pi_beside(x),
    "integral": lambda x: integral(lambda u, exp: u**2 * exp(-u), 0, x),
    "tail": lambda x: exponential_tail(x, 0),
    "tail from a point": lambda x: exponential_tail(1 / x, x + 2),
    "first series": lambda x: power_series(x / (1 + x), 1),
    "third series": lambda x: power_series(x / (1 + x), 3),
}


@pytest.fixture(autouse=True)
def precise():
    with working_precision(200):
        yield


def same(symbolic, ball):
    value = symbolic.evalf(40)
    assert value.is_real, symbolic
    return abs(to_ball(str(value)) - ball) < to_ball("1e-25")


@pytest.mark.parametrize("at", NUMBERS)
@pytest.mark.parametrize("name", ONE_ARGUMENT)
def test_calculus(name, at):
    x = sympy.Symbol("x", positive=True)
    symbolic = sympy.sympify(ONE_ARGUMENT[name](x)).subs(x, sympy.Rational(at.numerator, at.denominator))
    assert same(symbolic, ONE_ARGUMENT[name](to_ball(at)))


def test_a_wrong_form_is_seen():
    x = sympy.Symbol("x", positive=True)
    assert not same(exponential_tail(x, 1).subs(x, 2), exponential_tail(to_ball(2), to_ball("1.001")))


@pytest.mark.parametrize("alpha", ["3/2", "2", "7/3"])
@pytest.mark.parametrize("ahead", [0, 1, 2])
@pytest.mark.parametrize("form", [quotient, power])
def test_geometric_sums(form, ahead, alpha):
    a, alpha = sympy.Symbol("a", positive=True), Fraction(alpha)
    m = sympy.Symbol("m", integer=True, nonnegative=True)
    for batch in range(4):
        value = form(a, m, ahead).subs(quotient(a, m), (a**batch - 1) / (a - 1))
        value = value.subs(a, sympy.Rational(alpha.numerator, alpha.denominator))
        assert Fraction(int(value.p), int(value.q)) == form(alpha, batch, ahead)


def test_ceilings_in_symbols_reach_every_excess():
    x = sympy.Symbol("x", positive=True)
    (unknown,) = ceiling(x).atoms(sympy.Function)
    for value in NUMBERS:
        over = ceil(value) - value
        put = {unknown: sympy.Rational(*(over / (1 - over)).as_integer_ratio())}
        at = {x: sympy.Rational(value.numerator, value.denominator)}
        assert ceiling(x).subs(put).subs(at) == ceiling(value) == ceil(value)
        assert excess(x).subs(put) + room(x).subs(put) == 1
    assert ceiling(sympy.Symbol("n", integer=True)).is_Symbol
