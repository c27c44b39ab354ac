"""Polynomials of terms: one polynomial for what algebra makes equal, another for what differs."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory.numbers.numeric import exp, expm1, log, log1p, maximum, sqrt
from banditproof.theory.numbers.term import number, source, var
from banditproof.verify.proof.polynomial import TooLong, constant, linear_in, polynomial

x, y, z = var("x"), var("y"), var("z")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((x + y) ** 3, x**3 + 3 * x * y * (x + y) + y**3),
        (x / y / z, x / (y * z)),
        (1 / (2 * x + 2 * y), 1 / (x + y) / 2),
        (exp(x) * exp(y), exp(x + y)),
        (exp(-2 * x) * exp(x) ** 2, number(1)),
        (expm1(x), exp(x) - 1),
        (log1p(x), log(1 + x)),
        (sqrt(x + y) ** 2, x + y),
        (sqrt(x) * sqrt(x) * sqrt(y), x * sqrt(y)),
        (maximum(x + x, 1), maximum(2 * x, 1)),
    ],
)
def test_what_algebra_makes_equal_has_one_polynomial(one, other):
    assert polynomial(one) == polynomial(other) and polynomial(one - other) == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (log(x * y), log(x) + log(y)),
        (sqrt(x**2), x),
        (1 / (x + y), 1 / x + 1 / y),
        (exp(x * y), exp(x) * exp(y)),
        (x**y, y**x),
        (maximum(x, y), maximum(y, x)),
    ],
)
def test_what_it_leaves_apart_differs(one, other):
    assert polynomial(one) != polynomial(other)


def test_numbers_and_lines_are_recognised():
    assert constant(polynomial((x + 1) ** 2 - x**2 - 2 * x)) == 1 and constant(polynomial(x - x)) == 0
    assert constant(polynomial(x + 1)) is None
    assert linear_in(polynomial(3 - 2 * x)) == ("x", -2, 3)
    assert linear_in(polynomial(x * y)) is None and linear_in(polynomial(x**2)) is None
    with pytest.raises(TooLong):
        polynomial((1 + x + y + z) ** 12 * (1 + 2 * x + 3 * y + 4 * z) ** 12)


leaves = st.sampled_from([x, y, number(2), number(Fraction(-1, 3))])
formulas = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda sign, a, b: {"+": a + b, "-": a - b, "*": a * b, "/": a / b}[sign], st.sampled_from("+-*/"), inner, inner
    ),
    max_leaves=6,
)


def value(term, point):
    lines, (code,), constants = source([term])
    space = {**point, **constants, "ratio_": lambda a, b: Fraction(a) / b}
    exec("\n".join(lines), space)
    return eval(code, space)


def worth(one, point):
    """The value of a polynomial over variables and quotients."""
    total = Fraction(0)
    for monomial, coefficient in one.items():
        for atom, power in monomial:
            base = 1 / worth(dict(atom[1]), point) if isinstance(atom, tuple) else point[atom.args[0]]
            coefficient *= base ** int(power)
        total += coefficient
    return total


@given(formulas, st.fractions(1, 9, max_denominator=7), st.fractions(1, 9, max_denominator=7))
def test_a_polynomial_has_the_values_of_its_term(term, a, b):
    point = {"x": a, "y": b}
    try:
        expected = value(term, point)
    except ZeroDivisionError:
        return
    assert worth(polynomial(term), point) == expected
