"""Formulas as they are shown: in a line, and as LaTeX."""

from fractions import Fraction

import pytest

from banditproof.verify.kernel.printing import shown, tex
from banditproof.verify.kernel.rules import eq, le, mean, nat
from banditproof.verify.kernel.terms import All, Term, term, var

X, LAW = var("x"), Term("law", ("M", var("d")))
F = Term("app", ("f", X))


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (le(X - 1, 2 * X), "x - 1 <= 2 x"),
        (le(0, (X + 1) * X), "0 <= (x + 1) x"),
        (eq(mean("x", LAW, F), 1 / X), "E[x ~ M(d): f(x)] = 1/x"),
        (nat(X), "x is a natural number"),
        (All(("x",), (le(0, X),), le(-X, 0)), "for all x with 0 <= x: -x <= 0"),
        (All((), (le(0, X), nat(X)), le(-X, 0)), "if 0 <= x; x is a natural number: -x <= 0"),
        (le(Term("ind", (X, F)), Term("exp", (X,))), "1[x <= f(x)] <= exp(x)"),
        (eq(mean("x", Term("dirac", (X,)), F), F), "E[x ~ always x: f(x)] = f(x)"),
    ],
)
def test_a_formula_in_a_line(formula, text):
    assert shown(formula) == str(formula) == text


def test_different_terms_look_different():
    a, b = var("a"), var("b")
    terms = [b - a, b * -a, 2 * term(-3), term(2) - 3, 1 / (a * b), (1 / a) * b, 1 / (2 * b), b * (1 / term(2))]
    terms += [(1 / a) * (1 / b), 1 / (a * (1 / b)), term(Fraction(1, 2)) * a, 2 * term(3), term(23)]
    for style in (shown, tex):
        assert len({style(t) for t in terms}) == len(terms), style.__name__
    assert shown(b * -a) == "b (-a)" and shown((1 / a) * b) == "(1/a) b" and shown(1 / (a * b)) == "1/(a b)"
