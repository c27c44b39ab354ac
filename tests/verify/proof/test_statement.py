"""A body is held against its term: where it gives another value for numbers, the term is not what it says."""

import pytest

from banditproof.theory.numbers.term import Term
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
