"""What is taken on trust is said, and nothing is proved or certified with it; formulas that round decide nothing."""

from fractions import Fraction

import pytest

from banditproof.claims import Check, decide
from banditproof.verify.proof.domain import Domain

COUNTS = Domain.of(n="integer [1, 6]")
UNIT = Domain.of(x="[0, 1]")


def at_least_one(n):
    return n, ">=", 1


def at_least_two(n):
    return n, ">=", 2


def small(x):
    return x * x, "<=", 2


def third(n):
    return Fraction(n / 3), "<=", 2


def half(n):
    return Fraction(n / 3), ">=", Fraction(1, 2)


def is_one(data):
    return data, "==", 1


def outcome(relation, domain, gather, **options):
    check = Check("TRUST", domain, {}, relation=relation, **options)
    gather(check)
    return decide(domain, check.evidence), check


def every_count(relation):
    return lambda check: check.enumerate(relation, {"n": range(1, 7)})


def a_tree(check):
    check.deduction(small, 60)


def boxes(check):
    check.interval(small)


@pytest.mark.parametrize(
    ("relation", "domain", "gather"),
    [(at_least_one, COUNTS, every_count(at_least_one)), (small, UNIT, a_tree), (small, UNIT, boxes)],
)
def test_the_own_relation_is_proved_unless_something_is_assumed(relation, domain, gather):
    assert outcome(relation, domain, gather)[0].name == "proved"
    verdict, _ = outcome(relation, domain, gather, assuming="Markov's inequality")
    assert verdict.name == "supported" and "Markov's inequality" in verdict.reach


@pytest.mark.parametrize(("domain", "gather"), [(COUNTS, every_count(at_least_one)), (UNIT, a_tree), (UNIT, boxes)])
def test_another_relation_supports_only(domain, gather):
    verdict, _ = outcome(at_least_two, domain, gather)
    assert verdict.name == "supported" and "implies the claim" in verdict.reach


def test_a_certificate_supports_only():
    verdict, check = outcome(at_least_one, COUNTS, lambda check: check.certificate(is_one, 1))
    assert check.evidence and verdict.name == "supported"


def test_a_counterexample_says_what_it_takes_on_trust():
    def refute(check):
        check.counterexample(at_least_two, {"n": 1})

    assert outcome(at_least_two, COUNTS, refute)[0].reach == "fails at n = 1"
    verdict, _ = outcome(at_least_two, COUNTS, refute, assuming="that n counts pulls")
    assert verdict.name == "refuted" and verdict.reach == "fails at n = 1; taken on trust: that n counts pulls"


def test_a_formula_that_rounds_neither_proves_nor_refutes_what_is_printed():
    verdict, _ = outcome(third, COUNTS, every_count(third))
    assert verdict.name == "supported" and "a program computes both sides" in verdict.reach
    verdict, check = outcome(half, COUNTS, every_count(half))
    assert verdict.name == "undecided" and "is the float" in check.attempts[0][1]
    assert outcome(half, COUNTS, every_count(half), printed=False)[0].name == "refuted"  # a variant is noticed
