"""Formulas in text become terms, or a refusal that says what is let in; nothing of them runs."""

from fractions import Fraction

import pytest

from banditproof.theory.laws.bernoulli import d_epsilon
from banditproof.theory.numbers.numeric import absolute, log, maximum
from banditproof.theory.numbers.term import var
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.parsing import parsed

X, Y = var("x"), var("y")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("x + 2*y - 0.1", X + 2 * Y - Fraction(1, 10)),
        ("-x**2 / +y", -(X**2) / Y),
        ("maximum(log(x), absolute(y))", maximum(log(X), absolute(Y))),
        ("d_epsilon(x, y, 1e-3)", d_epsilon(X, Y, Fraction(1, 1000))),
    ],
)
def test_a_text_is_the_term_that_the_same_python_gives(text, term):
    assert parsed(text) is term


def test_constraints_without_functions_are_decided_exactly_also_under_brackets():
    domain = Domain.of(p="[0, 1]", q="[0, 1]", where=["3*(p - q) == 1"])
    assert domain.contains({"p": Fraction(2, 3), "q": Fraction(1, 3)})
    assert not domain.contains({"p": Fraction(2, 3) + Fraction(1, 10**40), "q": Fraction(1, 3)})


def test_endless_powers_are_compared_in_balls():
    assert Domain.of(x="[0, 1]", where=["x < ((9**99999)**99999)**99999"]).contains({"x": 1})
