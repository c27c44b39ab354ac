"""Symbolic proofs succeed only with a correct certificate on the stated region."""

import random
from fractions import Fraction

import pytest
import sympy

from banditproof.theory.numbers.numeric import exp, joined, log
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import Symbolic
from banditproof.verify.proof.signs import draw_symbol, has_sign, is_zero
from banditproof.verify.proof.statement import stating, trace
from banditproof.verify.proof.symbolic import (
    SymbolicArgument,
    argument_of,
    may_be_undefined,
    prove_symbolically,
    random_point,
)

p, q = sympy.symbols("p q", positive=True)
REGION = Domain.of(x="(0, inf)", y="(0, inf)")


def means(x, y, factor):
    return factor * 2 * x * y, "<=", x * x + y * y


def square(factor):
    return SymbolicArgument({"x": p, "y": q}, (p - q) ** 2 + 2 * (1 - factor) * p * q, "nonnegative")


def wrong_square(factor):
    return SymbolicArgument({"x": p, "y": q}, (p + q) ** 2, "nonnegative")


def proof_of(relation, argument, region, constants):
    return prove_symbolically(stating(relation, region, constants), argument_of(argument, constants), seed=1)


def test_a_correct_certificate_proves():
    assert isinstance(proof_of(means, square, REGION, {"factor": 1}), Symbolic)


def test_a_certificate_that_is_not_the_difference_is_refused():
    assert "does not reduce" in proof_of(means, wrong_square, REGION, {"factor": 1})


def test_a_certificate_of_unclear_sign_is_refused():
    assert "by its form" in proof_of(means, square, REGION, {"factor": 2})


def test_a_parametrisation_that_leaves_the_region_is_noticed():
    region = Domain.of(x="(0, 1)", y="(0, 1)")
    assert "leaves the region" in proof_of(means, square, region, {"factor": 1})


def test_a_parametrisation_that_misses_part_of_the_region_is_noticed():
    closed = Domain.of(x="[0, inf)", y="(0, inf)")  # the positive symbol p never is 0
    assert "does not reach" in proof_of(means, square, closed, {"factor": 1}).uncovered[0]


def test_a_missing_tie_is_noticed():
    region = Domain.of(x="(0, inf)", y="(0, inf)", where=["x <= y"])
    assert "does not reach" in proof_of(means, below, region, {"factor": 1}).uncovered[0]
    strict = Domain.of(x="(0, inf)", y="(0, inf)", where=["x < y"])
    assert isinstance(proof_of(means, below, strict, {"factor": 1}), Symbolic)


def below(factor):
    x = q * p / (1 + p)
    return SymbolicArgument({"x": x, "y": q}, (x - q) ** 2, "nonnegative")


def test_zero_needs_no_forced_simplification():
    x = sympy.Symbol("x")  # no assumption: log(x**2) = 2 log(x) is false for negative x
    assert not is_zero(sympy.log(x**2) - 2 * sympy.log(x))
    assert is_zero(sympy.log(p**2) - 2 * sympy.log(p))


def test_signs_are_read_off_from_assumptions():
    assert has_sign(p / (1 + q), "positive") and not has_sign(p - q, "nonnegative")


def over(x, y):
    return (x - y) / (x - y), "==", 1


def positive_definite(x, y):
    return (x - y) / (x * x - x * y + y * y), "<=", 1


def decay(x, y):
    return y / (1 - exp(-x)), ">=", y


def entropy(x, y):
    return joined(x, "==", 0, 0, lambda: x * log(x / y)), ">=", x - y


def test_a_formula_has_a_value_where_nothing_that_it_divides_by_can_vanish():
    """What SymPy has cancelled counts too, and what the domain's constraints exclude is no divisor."""
    variables = {"x": sympy.Symbol("x", nonnegative=True), "y": q}
    domain = Domain.of(x="[0, inf)", y="(0, inf)")
    ordered = domain.restrict(where=["x < y"])

    def asked(relation, values=variables, domain=domain):
        return may_be_undefined(trace(relation, domain, {}), values)

    assert "is not nonzero" in asked(over) and asked(over, domain=ordered) is None
    assert asked(positive_definite) is None
    assert asked(entropy) is None  # log 0 stands in a branch that is not taken
    assert asked(decay, {"x": p, "y": q}) is None


@pytest.mark.parametrize(
    ("expression", "rational"),
    [
        ((1 + 2 * p) / (1 + p), True),
        (p * q / (p + q) ** 3 - sympy.Rational(2, 7), True),
        (p - p, True),
        (sympy.log(1 + p), False),
        (sympy.sqrt(p) + q, False),
        (p ** sympy.Rational(-3, 2), False),
    ],
)
def test_a_random_point_is_what_substitution_gives(expression, rational):
    drawn = random_point(SymbolicArgument({"x": p, "y": q, "z": expression}, None, ""), random.Random(4))
    draw = random.Random(4)
    by_sympy = expression.subs({s: draw_symbol(s, draw) for s in (p, q)})
    if rational:
        assert drawn["z"] == Fraction(int(by_sympy.p), int(by_sympy.q))
    else:
        assert abs(drawn["z"] - Fraction(str(sympy.N(by_sympy, 80)))) < Fraction(1, 10**50)
