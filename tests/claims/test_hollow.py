"""Claims that say nothing are noticed, and identities and conditions are not taken for such."""

from typing import Annotated, Any

import pytest

from banditproof.claims import REGISTER, Count, Inside, Positive, Probability, Settings, claim, examine, step
from banditproof.claims.hollow import hollow
from banditproof.claims.loading import load
from banditproof.claims.run.examine import empty
from banditproof.claims.sets import domain_of
from banditproof.claims.steps import fails_at
from banditproof.theory import d_epsilon, exp, log, sqrt
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.proof.statement import trace

found = step(lambda check, relation: check.deduction(relation, 60), "deduction")


def told(relation, where=()):
    return hollow(trace(relation, domain_of(relation, where), {}))


def twice(x: Positive):
    return 2 * x, "<=", 2 * x


def renamed(x: Positive):
    return 1 * x**1 + 0, "==", x


def expanded(x: Positive, y: Positive):
    return (x + y) ** 2, "<=", x**2 + 2 * x * y + y * y


def roots(x: Positive, y: Positive):
    return (sqrt(x) * exp(y)) ** 2, ">=", x * exp(2 * y)


def shifted(x: Positive):
    return x - 1, "<=", x + 90


def end(x: Inside):
    return 2 * x, "<", 2


def count(n: Count):
    return n, ">=", 1


def idle(x: Positive, y: Positive):
    return x, ">=", -x


def quantities(x: Probability, y: Probability):
    return d_epsilon(x, y, 1), "<=", d_epsilon(x, 1 * y, 1)


def bound_alone(n: Count, x: Positive):
    return 0, "<=", 208 * sqrt(n * x) + exp(-x) / x


def bound_alone_on_the_left(n: Count, x: Positive):
    return n / x, ">=", 0


@pytest.mark.parametrize(
    ("relation", "why"),
    [
        (twice, "the same term"),
        (bound_alone, "nonnegative terms"),
        (bound_alone_on_the_left, "nonnegative terms"),
        (renamed, "the same term"),
        (expanded, "sides are equal"),
        (roots, "sides are equal"),
        (shifted, "differ by the constant 91"),
        (end, "end of the range of x"),
        (count, "end of the range of n"),
        (idle, "names y but does not use it"),
        (quantities, "the same term"),
    ],
)
def test_a_claim_that_says_nothing_is_noticed(relation, why):
    assert why in told(relation)


def identity(x: Positive, y: Positive):
    return (x + y) ** 2, "==", x**2 + 2 * x * y + y**2


def tangent(x: Positive):
    return log(x), "<=", x - 1


def inside(x: Inside):
    return x, "<", 3


def condition(x: Positive, y: Positive):
    return x**2, "<=", x


def other_quantities(x: Probability, y: Probability):
    return d_epsilon(x, y, 1), "<=", d_epsilon(y, x, 1)


def positive(n: Count, x: Positive):
    return x**n, ">", 0


def least(x: Inside, y: Positive):
    return 0, "<=", (1 - x) * y


def fixed(x: Positive, k: Annotated[Any, "integer [3, 3]"]):
    return x, "<=", x**2 + 1


@pytest.mark.parametrize("relation", [identity, tangent, inside, other_quantities, fixed, positive, least])
def test_a_claim_that_says_something_is_none_of_them(relation):
    assert told(relation) is None


def test_what_a_condition_names_is_used():
    assert told(condition, ["x <= y", "y <= 1"]) is None and "names y" in told(condition)


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
