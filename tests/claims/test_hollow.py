"""Claims that say nothing are noticed, and identities and conditions are not taken for such."""

from typing import Annotated, Any

import pytest

from banditproof.claims import REGISTER, Count, Positive, Settings, claim, examine, step
from banditproof.claims.hollow import hollow
from banditproof.claims.loading import load
from banditproof.claims.paragraphs import _functions
from banditproof.claims.run.examine import empty
from banditproof.claims.sets import domain_of
from banditproof.claims.steps import fails_at
from banditproof.theory import sqrt
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.judge.reading.blocks import statement_in
from banditproof.verify.proof.statement import trace

found = step(lambda check, relation: check.deduction(relation, 60), "deduction")


def of(formula):
    """The statement of a formula as a paragraph has it."""
    return statement_in(formula, _functions())[0]


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("2*x <= 2*x for x > 0", "the same term"),
        ("0 <= 208 sqrt(n*x) + exp(-x)/x for integer n >= 1, x > 0", "nonnegative terms"),
        ("n/x >= 0 for integer n >= 1, x > 0", "nonnegative terms"),
        ("1*x^1 + 0 = x for x > 0", "the same term"),
        ("(x + y)^2 <= x^2 + 2*x*y + y*y for x, y > 0", "sides are equal"),
        ("(sqrt(x) exp(y))^2 >= x exp(2*y) for x, y > 0", "sides are equal"),
        ("x - 1 <= x + 90 for x > 0", "differ by the constant 91"),
        ("2*x < 2 for x in (0, 1)", "end of the range of x"),
        ("n >= 1 for integer n >= 1", "end of the range of n"),
        ("d_epsilon(x, y, 1) <= d_epsilon(x, 1*y, 1) for x, y in [0, 1]", "the same term"),
    ],
)
def test_a_claim_that_says_nothing_is_noticed(formula, why):
    assert why in hollow(of(formula))


@pytest.mark.parametrize(
    "formula",
    [
        "(x + y)^2 = x^2 + 2*x*y + y^2 for x, y > 0",
        "log(x) <= x - 1 for x > 0",
        "x < 3 for x in (0, 1)",
        "d_epsilon(x, y, 1) <= d_epsilon(y, x, 1) for x, y in [0, 1]",
        "x^n > 0 for integer n >= 1, x > 0",
        "0 <= (1 - x) y for x in (0, 1), y > 0",
    ],
)
def test_a_claim_that_says_something_is_none_of_them(formula):
    assert hollow(of(formula)) is None


def told(relation, where=()):
    return hollow(trace(relation, domain_of(relation, where), {}))


def idle(x: Positive, y: Positive):
    return x, ">=", -x


def fixed(x: Positive, k: Annotated[Any, "integer [3, 3]"]):
    return x, "<=", x**2 + 1


def condition(x: Positive, y: Positive):
    return x**2, "<=", x


def test_a_variable_that_is_not_used_is_named_unless_it_is_one_number():
    assert "names y but does not use it" in told(idle) and told(fixed) is None


def test_what_a_condition_names_is_used():
    assert told(condition, ["x <= y", "y <= 1"]) is None and "names y" in told(condition)


def twice(x: Positive):
    return 2 * x, "<=", 2 * x


def test_a_claim_that_says_nothing_is_never_proved():
    try:
        claim("HOLLOW-1", "A number is itself.", found)(twice)
        record = examine(REGISTER["HOLLOW-1"], Settings())
    finally:
        REGISTER.pop("HOLLOW-1", None)
    assert record["verdict"] == "undecided" and record["reach"].endswith("both sides are the same term")


def measured(n: Count, x: Positive, *, regret=0):
    return regret, "<=", sqrt(n * x)


def substituted(x: Positive, *, u=None):
    return (1 / x if u is None else u), "<=", 1 + 1 / x**2


def test_what_runs_measure_is_no_number_of_a_formula():
    """At its default, 0, the bound would be all that is said: true, and about nothing."""
    with pytest.raises(NoTerm, match="computes with regret, the numbers of recorded runs"):
        trace(measured, domain_of(measured), {})
    assert told(substituted) is None


def test_no_registered_claim_says_nothing():
    load()
    refuted = {c.id for c in REGISTER.values() if any(isinstance(step, fails_at) for step in c.steps)}
    own = [c for c in REGISTER.values() if c.relation is not None and not c.same_check_as and c.id not in refuted]
    assert {c.id: why for c in own if (why := empty(c))} == {}
