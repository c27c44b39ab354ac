"""Where a statement has no value: what is certain refutes, what is rounding or a convention accuses nobody."""

from fractions import Fraction

import pytest

from banditproof.claims.check import Check
from banditproof.claims.verdict import decide
from banditproof.theory import d_epsilon, exp, kl_bernoulli, log, sqrt
from banditproof.theory.numbers.numeric import log1p, minimum, where
from banditproof.theory.numbers.term import quantity, total
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.recheck import recheck
from banditproof.verify.proof.statement import stating
from banditproof.verify.proof.values import UNKNOWN, no_value_at

ROOT, LOGARITHM, DIVISION = (
    "the square root of a negative number",
    "the logarithm of a negative number",
    "a division by 0",
)


@quantity
def nothing_but_failures(x):
    raise ZeroDivisionError(x)


HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
WITHOUT = [
    (lambda x: sqrt(1 - 4 * x), {"x": HALF}, ROOT),
    (lambda x: log1p(-2 * x), {"x": Fraction(1)}, LOGARITHM),
    (lambda x: log(1 - x * exp(3)), {"x": HALF}, LOGARITHM),
    (lambda x: 1 / log(x), {"x": 1}, DIVISION),
    (lambda x: 1 / (exp(x) - 1), {"x": Fraction(0)}, DIVISION),
    (lambda x: x / (x + 2 * THIRD - 1), {"x": THIRD}, DIVISION),
    (lambda x: sqrt(2 * log(log(x))), {"x": 1}, ROOT),
    (lambda x: (-x) ** HALF, {"x": HALF}, "a root of a negative number"),
    (lambda x: x**-2, {"x": Fraction(0)}, DIVISION),
    (lambda x: x * (1 / x), {"x": Fraction(0)}, DIVISION),
    (lambda x: sqrt(log(2) / log(x) ** 2) * log(x), {"x": 1}, DIVISION),
    (lambda x: total(lambda k: 1 / (k - x), 0, 5), {"x": 5}, DIVISION),
    (lambda x: where(x, "<", 0, 1, lambda: sqrt(-x)), {"x": HALF}, ROOT),
    (lambda x: minimum(1, sqrt(-x)), {"x": HALF}, ROOT),
    (lambda x: kl_bernoulli(2 * x, HALF), {"x": Fraction(3, 4)}, "outside of its domain"),
]
WITH = [
    (lambda x: sqrt(1 - 4 * x), {"x": Fraction(1, 4)}),
    (lambda x: x * log(1 / x), {"x": Fraction(0)}),
    (lambda x: log(x), {"x": Fraction(0)}),
    (lambda x: kl_bernoulli(x, 1 - x), {"x": Fraction(0)}),
    (lambda x: d_epsilon(x, 1 - x, x), {"x": Fraction(0)}),
    (lambda x: x**0, {"x": Fraction(0)}),
    (lambda x: sqrt(x + 2 * THIRD - 1), {"x": THIRD}),
    (lambda x: where(x, "<", 0, lambda: sqrt(x), 1), {"x": HALF}),
    (lambda x: total(lambda k: 1 / (k - x), 0, 5), {"x": 6}),
]
OPEN = [
    (lambda x: sqrt(log(x) - log(x)), {"x": Fraction(2)}),  # it is 0, but a ball is on both sides of it
    (lambda x: minimum(1, 1 / x), {"x": Fraction(0)}),  # print means 1
    (lambda x: 1 / nothing_but_failures(x), {"x": HALF}),
    (lambda x: 1 / (log(2 * x) - log(x) - log(2)), {"x": Fraction(3)}),
]


def of(side):
    return stating(lambda x: (side(x), "<=", 10**6 + 0 * x), Domain.of(x="(-inf, inf)"), {})


@pytest.mark.parametrize(("side", "point", "why"), WITHOUT)
def test_a_part_that_certainly_has_no_value_is_named(side, point, why):
    assert why in no_value_at(of(side), point)


@pytest.mark.parametrize(("side", "point"), WITH)
def test_a_value_or_a_convention_is_a_value(side, point):
    assert no_value_at(of(side), point) == ""


@pytest.mark.parametrize(("side", "point"), OPEN)
def test_what_is_rounding_or_unknown_is_left_open(side, point):
    assert no_value_at(of(side), point) == UNKNOWN


def root_of_the_rest(rho):
    return sqrt(1 - 4 * rho), "<=", 1


def quotient_by_a_logarithm(t):
    return 1 / log(t), ">=", 0


def log_of_a_double(x):
    return log1p(-2 * x), "<=", 0


def divergence_beyond_one(x):
    return kl_bernoulli(2 * x, HALF), ">=", 0


def entropy(x):
    return x * log(1 / x), "<=", 1


def never_evaluated(x):
    return sqrt(log(x) - log(x)), "<=", 1


REFUTED = [
    (root_of_the_rest, {"rho": "[0, 3/10]"}, lambda c, r: c.interval(r, boxes=200)),
    (quotient_by_a_logarithm, {"t": "integer [1, 50]"}, lambda c, r: c.enumerate(r, {"t": range(1, 51)})),
    (log_of_a_double, {"x": "[0, 1]"}, lambda c, r: c.search(r, [{"x": Fraction(1, 4)}])),
    (divergence_beyond_one, {"x": "[0, 1]"}, lambda c, r: c.enumerate(r, {"x": ["1/8", "1/4"]})),
]


def checked(relation, sets, gather):
    check = Check("VALUES", Domain.of(**sets), {}, relation=relation)
    gather(check, relation)
    check.look_for_values()
    return decide(check.domain, check.evidence), check.evidence


@pytest.mark.parametrize(("relation", "sets", "gather"), REFUTED)
def test_a_point_without_a_value_refutes_whichever_step_shows_the_claim(relation, sets, gather):
    verdict, evidence = checked(relation, sets, gather)
    assert verdict.name == "refuted" and "has no value at" in verdict.reach
    assert "no value" in (evidence[-1].left, evidence[-1].right) and recheck(evidence[-1].to_json()) is None


def test_a_point_with_a_value_is_no_evidence_that_there_is_none():
    _, evidence = checked(*REFUTED[0])
    forged = evidence[-1].to_json() | {"point": {"rho": "1/8"}}
    assert "nothing shows" in recheck(forged)


def test_a_convention_refutes_nothing():
    verdict, _ = checked(entropy, {"x": "[0, 1]"}, lambda c, r: c.enumerate(r, {"x": ["1/4", "1/2"]}))
    assert verdict.name == "supported"


def test_an_evaluation_that_fails_at_most_points_supports_nothing():
    gather = lambda c, r: c.enumerate(r, {"x": [1]})  # noqa: E731
    verdict, evidence = checked(never_evaluated, {"x": "[1, 2]"}, gather)
    assert verdict.name == "undecided" and evidence[-1].kind == "not evaluated"
