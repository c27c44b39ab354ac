"""What is said twice, or of nothing, is refused where it is registered or compared."""

from fractions import Fraction
from typing import Annotated
from unittest.mock import patch

import pytest

from banditproof.claims import REGISTER, Probability, claim, interval, mutation, tried_at
from banditproof.claims.run.record import Settings
from banditproof.claims.run.selftest import try_mutations
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.compare import holds
from banditproof.verify.proof.domain import Domain, constant


def in_two_sets(x: Annotated[Probability, "[0, 2]"]):
    """x <= 1."""
    return x, "<=", 1


def in_one_set(x: Probability, c=1):
    """x <= c."""
    return x, "<=", c


def by_a_function(check):
    """x <= 1."""


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (in_two_sets, {}),
        (in_one_set, {"domain": Domain.of(x="[0, 2]")}),
        (in_one_set, {"constants": {"c": 2}}),
        (by_a_function, {"domain": Domain.of(x="[0, 2]"), "where": ["x <= 1"]}),
    ],
)
def test_a_domain_is_said_once(function, options):
    with pytest.raises(InvalidInput):
        claim("REFUSED-1", interval(), **options)(function)


@pytest.mark.parametrize("text", ["1e-3", "1E3", "+5", " 5", "-1/2", "inf", "-inf", ".5"])
def test_a_constant_that_reads_as_a_number_is_one(text):
    assert constant(text) == (float(text) if "inf" in text else Fraction(text.strip()))


@pytest.mark.parametrize("operator", ["=<", "=", "≤", "<= ", "le", "", None, 3])
def test_an_operator_is_one_of_six(operator):
    with pytest.raises(InvalidInput):
        holds(1, operator, 2)


@pytest.mark.parametrize(
    ("left", "operator", "right"), [("10", "<", "9"), ("ten", "!=", 10), ("1", "==", "1"), (None, "!=", 1)]
)
def test_texts_are_names_and_no_numbers(left, operator, right):
    with pytest.raises(InvalidInput):
        holds(left, operator, right)


def stronger(x, c):
    return x, "<=", Fraction(3, 4)


def test_a_true_variant_is_not_caught_by_the_failure_of_another_relation():
    with patch.dict(REGISTER):
        claim("REFUSED-2", tried_at(x=1, of=stronger), interval(), mutations=[mutation(c=2)])(in_one_set)
        (tried,) = try_mutations(REGISTER["REFUSED-2"], Settings())
    assert not tried["caught"]
