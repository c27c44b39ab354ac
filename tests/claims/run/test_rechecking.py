"""A results document of an untouched run is accepted, whatever its claims are written with."""

import json

import pytest

from banditproof.claims.loading import load_module
from banditproof.claims.register import REGISTER
from banditproof.claims.run.examine import Settings
from banditproof.claims.run.rechecking import rechecked
from banditproof.claims.run.results import assemble
from banditproof.claims.run.runner import run

DRAFT = r'''
from fractions import Fraction

from banditproof.claims import claim, enumerated
from banditproof.claims.sets import Count
from banditproof.theory import log
from banditproof.theory.numbers.term import total


@claim("AGAIN-1", enumerated(n=range(1, 60)), false={"extra": "0.9"})
def by_a_loop(n: Count, extra=1):
    r"""$\sum_{k=1}^n\frac1k\le1+\log n$: a program, of which the alternatives are the variants"""
    return sum((Fraction(1, k) for k in range(1, n + 1)), Fraction(0)), "<=", extra + log(n)


@claim("AGAIN-2", enumerated(n=range(1, 20)), false={"extra": "0.9"})
def by_a_sum(n: Count, extra=1):
    r"""$\sum_{k=1}^n\frac1k\le1+\log n$: a term, whose body divides counts, in Python a float"""
    return total(lambda k: 1 / k, 1, n + 1), "<=", extra + log(n)
'''


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("again")
    path = folder / "draft_again.py"
    path.write_text(DRAFT)
    before = dict(REGISTER)
    load_module(path)
    claims = [claim for name, claim in REGISTER.items() if name not in before]
    ran = run(claims, Settings(), folder, modules=[path], selftest=True, workers=1)
    document = assemble(ran, Settings(), "check", 0.0, {"claims": [c.id for c in claims]})
    yield {record["id"]: record for record in json.loads(json.dumps(document))["claims"]}
    REGISTER.clear()
    REGISTER.update(before)


def test_its_false_variants_are_caught_also_at_a_point_where_counts_are_divided(records):
    assert [(m["constants"], m["caught"]) for r in records.values() for m in r["mutations"]] == [
        ({"extra": "9/10"}, True)
    ] * 2


@pytest.mark.parametrize("name", ["AGAIN-1", "AGAIN-2"])
def test_it_is_what_its_steps_give(records, name):
    assert rechecked(records[name], Settings()).problems == []


def test_a_resolution_that_its_alternatives_do_not_give_is_noticed(records):
    spoiled = records["AGAIN-1"] | {"resolution": records["AGAIN-1"]["resolution"] | {"refuted": 2}}
    assert "its resolution is not what the register and its steps give" in rechecked(spoiled, Settings()).problems
