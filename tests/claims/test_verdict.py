"""The verdict as a function of domain and evidence, case by case."""

from fractions import Fraction
from unittest.mock import patch

import pytest

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER, item, settle
from banditproof.claims.verdict import Verdict, combine, decide, no_stronger
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import (
    RULE,
    Certificate,
    Counterexample,
    Deduction,
    Enumeration,
    IntervalProof,
    Statistics,
    Trend,
)

LINE = Domain.of(x="[0, 1]")
ROUTES = ("a", "b")


def interval(low, high, tree="P", covers=None):
    covers = covers or Domain.of(x=f"[{low}, {high}]")
    return IntervalProof(covers, ROUTES, "m:f", {}, {"x": (Fraction(low), Fraction(high))}, tree, 64, rule=RULE)


def deduction(covers):
    return Deduction(covers, ROUTES, "m:f", {}, ["faces", 0, []], 1, rule=RULE)


def counterexample(x):
    return Counterexample(LINE, ROUTES, "m:f", {}, {"x": Fraction(x)}, False, 2, "<=", 1, rule=RULE)


def counts(successes, fresh=None):
    def test(k):
        return {"event": "e", "successes": k, "trials": 1000, "operator": ">=", "probability": Fraction(1, 2)}

    again = [] if fresh is None else [test(fresh)]
    return Statistics(LINE, ROUTES, [test(successes)], Fraction(1, 10**9), "seed", "", again)


def trend(values):
    return Trend(LINE, ROUTES, "vanishes", {"tolerance": Fraction(1, 100)}, list(enumerate(values)), "s")


def certificate(assumes):
    return Certificate(LINE, ROUTES, "m:v", {}, {}, assumes)


def enumeration(points):
    return Enumeration(Domain.of(x=points), ROUTES, "m:f", {}, [], len(points), True, rule=RULE)


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        ([], "undecided"),
        ([interval("0", "1")], "proved"),
        ([interval("0", "1/2"), interval("1/2", "1")], "proved"),
        ([interval("0", "1/2"), interval("3/5", "1")], "supported"),
        ([interval("0", "1", "0PU")], "supported"),
        ([interval("0", "1", "U")], "undecided"),
        ([deduction(Domain.of(x="(0, 1]")), enumeration([0])], "proved"),
        ([deduction(Domain.of(x="(0, 1]"))], "supported"),
        ([enumeration([0, 1])], "supported"),
        ([certificate("")], "supported"),
        ([certificate("Markov's inequality")], "supported"),
        ([counterexample("1/2")], "refuted"),
        ([interval("0", "1"), counterexample("1/2")], "refuted"),
        ([counterexample("2")], "undecided"),
        ([interval("0", "1"), counterexample("2")], "proved"),
        ([counts(700)], "supported"),
        ([counts(500)], "undecided"),
        ([counts(300, fresh=300)], "refuted"),
        ([counts(300, fresh=500)], "undecided"),
        ([trend([1, 1, 0.1, 0.001])], "supported"),
        ([trend([1, 2, 3, 4])], "undecided"),
        ([counts(700), trend([1, 2, 3, 4])], "undecided"),
    ],
)
def test_the_verdict_on(evidence, verdict):
    assert decide(LINE, evidence).name == verdict


def test_the_reach_names_what_no_proof_covers():
    assert "; open: x = 0" in decide(LINE, [deduction(Domain.of(x="(0, 1]"))]).reach


PROVED, REFUTED, SUPPORTED, TRIVIAL = (Verdict(n, "r") for n in ("proved", "refuted", "supported", "trivially true"))


@pytest.mark.parametrize(
    ("own", "parts", "verdict"),
    [
        (PROVED, [], "proved"),
        (PROVED, [("c/a", "part", LINE, REFUTED)], "refuted"),
        (PROVED, [("c/a", "edge", Domain.of(x=[1]), REFUTED)], "refuted"),
        (PROVED, [("c/a", "edge", Domain.of(x=[2]), REFUTED)], "proved"),
        (PROVED, [("c/a", "step", LINE, REFUTED), ("c/b", "reading", LINE, REFUTED)], "proved"),
        (PROVED, [("c/a", "part", LINE, SUPPORTED)], "supported"),
        (None, [("c/a", "part", LINE, PROVED), ("c/b", "part", LINE, PROVED)], "proved"),
        (None, [("c/a", "part", LINE, Verdict("not checkable", "r")), ("c/b", "part", LINE, PROVED)], "supported"),
        (None, [("c/a", "part", LINE, Verdict("not checkable", "r")), ("c/b", "part", LINE, SUPPORTED)], "supported"),
        (PROVED, [("c/a", "step", LINE, Verdict("not checkable", "r"))], "proved"),
        (None, [("c/a", "step", LINE, PROVED)], "undecided"),
        (PROVED, [("c/a", "part", LINE, TRIVIAL)], "trivially true"),
        (TRIVIAL, [("c/a", "part", LINE, SUPPORTED)], "supported"),
    ],
)
def test_an_item_combines_its_parts(own, parts, verdict):
    assert combine(own, parts, LINE).name == verdict


def test_what_rests_on_something_trivially_true_is_proved():
    assert no_stronger(PROVED, [("c/a", TRIVIAL)]).name == "proved"
    assert no_stronger(PROVED, [("c/a", TRIVIAL), ("c/b", SUPPORTED)]).name == "supported"


PLANE = Domain.of(x="[0, 1]", y="[0, 1]", where=["x <= y"])


def test_an_item_that_fails_itself_for_certain_is_told_before_its_parts():
    trusted, certain = (
        Verdict("refuted", "fails at x = 1; taken on trust: that it plays so"),
        Verdict("refuted", "fails"),
    )
    part = [("c/a", "part", LINE, certain)]
    assert combine(certain, [("c/a", "part", LINE, trusted)], LINE) == certain
    assert combine(trusted, part, LINE) == combine(None, part, LINE) == Verdict("refuted", "c/a: fails")


def test_conditions_on_variables_that_the_item_lacks():
    """They narrow where an edge lies, and leave open what a part says of the item's own variables."""
    assert combine(PROVED, [("c/a", "edge", PLANE, REFUTED)], Domain.of()).name == "refuted"
    assert combine(PROVED, [("c/a", "edge", PLANE, REFUTED)], LINE).name == "refuted"
    assert combine(None, [("c/a", "part", PLANE, PROVED)], LINE).name == "supported"


def test_the_reach_says_how_many_boxes_a_proof_left_open():
    assert decide(LINE, [interval(0, 1, tree="0PU")]).reach.endswith("left open by the proof: 1 of 2 boxes")


LOW, HIGH, TOP = Domain.of(x="[0, 1/2]"), Domain.of(x="[1/2, 1]"), Domain.of(x=[1])
HALVES = [("c/low", "part", LOW, PROVED), ("c/high", "part", HIGH, PROVED)]


@pytest.mark.parametrize(
    ("parts", "cases", "verdict"),
    [
        (HALVES, ["c/low", "c/high"], "proved"),
        (HALVES, [], "supported"),  # each may be a conjunct that fails on the other half
        (HALVES, ["c/low"], "supported"),
        ([*HALVES, ("c/all", "part", LINE, PROVED)], ["c/low", "c/high"], "proved"),
        ([*HALVES, ("c/all", "part", LINE, PROVED)], [], "supported"),
        ([("c/most", "part", Domain.of(x="[0, 1)"), PROVED), ("c/end", "edge", TOP, PROVED)], [], "proved"),
        ([("c/most", "part", Domain.of(x="[0, 1)"), PROVED)], [], "supported"),
        ([("c/other", "part", Domain.of(y="[0, 1]"), PROVED), ("c/all", "part", LINE, PROVED)], [], "proved"),
        ([("c/other", "part", Domain.of(y="[0, 1]"), PROVED)], [], "supported"),
    ],
)
def test_parts_on_a_region_each_cover_an_item_only_where_they_are_said_to_be_its_cases(parts, cases, verdict):
    assert combine(None, parts, LINE, {}, cases).name == verdict


def test_cases_are_parts_of_the_item():
    load()
    refusal = "cases of CASES-1 must be the id of one of its parts, got 'CASES-1/miss"
    with patch.dict(REGISTER), pytest.raises(InvalidInput, match=refusal):
        item("CASES-1", "$x$ is small.", domain=LINE, cases=["missing"])
        settle()
