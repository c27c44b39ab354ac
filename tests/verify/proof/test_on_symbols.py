"""What formulas ask to have a value, and where the quantities of theory have one."""

import math
from fractions import Fraction

import pytest
import sympy

from banditproof.theory import d_epsilon, kl_bernoulli, log, sqrt, to_ball, where
from banditproof.theory.numbers.numeric import TERM, exactly, least_integer
from banditproof.theory.numbers.term import FINITE_AS, NoTerm, number, quantity, total, var
from banditproof.verify.proof.on_symbols import on_symbols

X = sympy.Symbol("x", positive=True)
x, n = var("x"), var("n")


def at(term, **values):
    (value,), asked = on_symbols([number(term)], values)
    return value, set(asked)


@pytest.mark.parametrize(
    ("term", "value", "asked"),
    [
        (x / x, 1, {("nonzero", X)}),
        (log(x) - log(x), 0, {("positive", X)}),
        (sqrt(x) * 0, 0, {("nonnegative", X)}),
        ((1 / x) ** 0, 1, {("nonzero", X)}),
        (x ** Fraction(-1, 2), 1 / sympy.sqrt(X), {("positive", X)}),
        (where(x, ">", 0, 1, lambda: 1 / (x - 1)), 1, set()),
        (where(x, ">", 1, 1, lambda: 1 / x), None, {("nonzero", X)}),
        (where(x, "<", math.inf, x, lambda: 1 / (x - x)), X, set()),
        (total(lambda k: 1 / k, 1, number(3)), sympy.Rational(3, 2), {("nonzero", 1), ("nonzero", 2)}),
    ],
)
def test_each_step_says_what_it_asks_although_sympy_cancels_it(term, value, asked):
    found, said = at(term, x=X)
    assert said == asked and (value is None or sympy.simplify(found - value) == 0)


def test_a_ceiling_exceeds_what_it_is_taken_of_by_less_than_one():
    found, _ = at(least_integer(x) - x, x=X)
    assert found.is_nonnegative and sympy.factor(1 - found).is_positive
    count = sympy.Symbol("n", integer=True)
    assert at(least_integer(n), n=count) == (count, set())


def test_a_sum_as_long_as_a_variable_and_a_quantity_that_is_a_program_are_refused():
    with pytest.raises(NoTerm, match="length is a variable"):
        at(total(lambda k: k, 0, x), x=X)

    @quantity
    def rounded_to_a_float(t):
        return float(t)

    with exactly(TERM), pytest.raises(NoTerm, match="is a quantity of the document, and no proof looks into it"):
        at(rounded_to_a_float(x), x=X)


def test_symbols_of_one_name_with_other_assumptions_are_other_symbols():
    """A proof asks for the same formula twice and computes it once."""
    branch = where(x, ">", 0, 1, 2)
    assert at(branch, x=sympy.Symbol("x", positive=True))[0] == 1
    assert at(branch, x=sympy.Symbol("x", nonpositive=True))[0] == 2
    assert at(branch, x=sympy.Symbol("x", positive=True))[0] == 1


CORNERS = [Fraction(v) for v in ("0", "1/3", "1")]


def is_finite(value):
    return bool(to_ball(value).is_finite())


@pytest.mark.parametrize("p", CORNERS)
@pytest.mark.parametrize("q", CORNERS)
def test_a_divergence_is_finite_just_where_its_formula_has_a_value(p, q):
    """kl at (0, 0) is 0, at (1/3, 0) infinite; d_epsilon is finite for every finite budget."""

    def has_value(name, *values):
        try:
            with exactly():
                return is_finite(to_ball(FINITE_AS[name](*map(to_ball, values))))
        except (ValueError, ZeroDivisionError):
            return False

    assert has_value("kl_bernoulli", p, q) == is_finite(kl_bernoulli(to_ball(p), to_ball(q)))
    assert has_value("d_epsilon", p, q, 2) and is_finite(d_epsilon(to_ball(p), to_ball(q), to_ball(2)))
    assert has_value("d_epsilon", p, q, math.inf) == has_value("kl_bernoulli", p, q)
