"""A body is held against its term: where it gives another value for numbers, the term is not what it says."""

from fractions import Fraction

import pytest

from banditproof.claims.check import Check
from banditproof.theory.numbers.term import Term, quantity, total
from banditproof.verify.proof.compare import formula_named
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.statement import spoken_otherwise, trace

COUNTS = Domain.of(n="integer [1, inf)")


def quotient(n):
    return n / (n + 1), "<=", 1


def larger_on_numbers(n):
    return (n if isinstance(n, Term) else n * (1 + 2**-20)) / (n + 1), "<=", 1


def rounded_below_what_is_compared(n):
    return (n if isinstance(n, Term) else n * (1 + 2**-40)) / (n + 1), "<=", 1


@pytest.mark.parametrize(
    ("body", "told"), [(quotient, False), (larger_on_numbers, True), (rounded_below_what_is_compared, False)]
)
def test_a_float_of_a_body_is_compared_with_its_term(body, told):
    assert bool(spoken_otherwise(trace(body, COUNTS, {}), body, {})) is told


def test_statements_are_told_apart_though_a_term_is_not_asked_by_equality():
    statement = trace(quotient, COUNTS, {})
    assert statement == trace(quotient, COUNTS, {}) and hash(statement) == hash(trace(quotient, COUNTS, {}))
    others = (lambda n: (n / (n + 2), "<=", 1), lambda n: (n / (n + 1), "<", 1), lambda n: (n / (n + 1), "<=", 2))
    assert statement not in [trace(other, COUNTS, {}) for other in others]
    assert statement != trace(quotient, Domain.of(n="integer [2, inf)"), {})


LISTS = Domain.of(x="(0, 1)", weights="all: every list of weights")


@quantity
def weight_at(weights, place):
    return weights[place]


@quantity
def weights_in(weights):
    return len(weights)


def below_their_sum(x, weights):
    return x, "<=", total(lambda place: weight_at(weights, place), 0, weights_in(weights) - 1)


def test_a_quantity_of_a_document_takes_what_is_no_number():
    said = trace(below_their_sum, LISTS, {})
    assert str(said) == "x <= sum[k1 = 0 .. weights_in(weights) - 1](weight_at(weights, k1))"
    assert said.described == ["weights"] and said.unused == frozenset()
    point = {"x": Fraction(1, 2), "weights": [Fraction(1, 3), Fraction(1, 6)]}
    assert said.sides(point, rational=True) == (Fraction(1, 2), "<=", Fraction(1, 2))
    again = formula_named(said.name)
    assert again(**point)[0] == Fraction(1, 2)


def test_no_prover_takes_a_statement_of_what_is_no_number():
    check = Check("LISTS", LISTS, {}, relation=below_their_sum)
    assert check.deduction(below_their_sum) and check.interval(below_their_sum)
    assert check.evidence == () and {method for method, _ in check.attempts} == {"deduction", "interval"}
    assert all(why == "weights is every list of weights, which is not a number" for _, why in check.attempts)
