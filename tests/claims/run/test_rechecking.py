"""A results document of an untouched run is accepted, whatever its claims are written with."""

import copy
import json
from unittest.mock import patch

import pytest

from banditproof.claims import REGISTER, load_module
from banditproof.claims.run import rechecking
from banditproof.claims.run.rechecking import alike, rechecked
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble
from banditproof.claims.run.runner import run
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("again")
    path = folder / "draft_again.py"
    path.write_text(DRAFT)
    before = set(REGISTER)
    with patch.dict(REGISTER):
        load_module(path)
        claims = [claim for name, claim in REGISTER.items() if name not in before]
        ran = run(claims, Settings(), folder, modules=[path], selftest=True, workers=1)
        document = assemble(ran, Settings(), "check", 0.0, {"claims": [c.id for c in claims]})
        yield {record["id"]: record for record in json.loads(json.dumps(document))["claims"]}


def test_its_false_variants_are_caught_also_at_a_point_where_counts_are_divided(records):
    assert [(m["constants"], m["caught"]) for r in records.values() for m in r["mutations"]] == [
        ({"extra": "9/10"}, True)
    ] * 3


@pytest.mark.parametrize("name", ["AGAIN-1", "AGAIN-2", "AGAIN-3"])
def test_it_is_what_its_steps_give(records, name):
    by_redo = {redo: rechecked([records[name]], Settings(), redo)[0] for redo in (False, True)}
    assert [by_redo[redo].problems for redo in by_redo] == [[], []]
    assert by_redo[False].taken and not by_redo[True].taken


def test_a_recheck_says_too_that_every_point_to_try_lies_outside_of_the_domain(records):
    told = [["points", "n = 0: it lies outside of the domain"]]
    assert records["AGAIN-1"]["attempts"] == rechecked([records["AGAIN-1"]], Settings())[0].record["attempts"] == told


def test_a_resolution_that_its_alternatives_do_not_give_is_noticed(records):
    spoiled = records["AGAIN-1"] | {"resolution": records["AGAIN-1"]["resolution"] | {"refuted": 2}}
    found = rechecked([spoiled], Settings(), redo=True)[0].problems
    assert "its resolution is not what the register and its steps give" in found


def examined(document, monkeypatch):
    """The problems with each record of a document, and the claims whose steps ran for it."""
    ran = []

    def counted(claim, *arguments):
        ran.append(claim.id)
        return genuine(claim, *arguments)

    genuine = rechecking.examine
    monkeypatch.setattr(rechecking, "examine", counted)
    problems = {}
    for places in alike(document):
        together = [document[place] for place in places]
        for record, outcome in zip(together, rechecked(together, Settings()), strict=True):
            problems[record["id"]] = outcome.problems
    return problems, ran


def test_the_steps_of_a_claim_and_of_what_restates_it_run_once(records, monkeypatch):
    problems, ran = examined([*records.values()], monkeypatch)
    assert problems == dict.fromkeys(records, []) and ran == ["AGAIN-1", "AGAIN-2"]


def test_each_of_the_records_that_restate_one_another_is_compared_with_what_the_steps_give(records, monkeypatch):
    document = [record | {"statement": "else", "seed": 1} for record in records.values()]
    problems, ran = examined(document, monkeypatch)
    assert all(len(said) == 2 for said in problems.values()) and ran == ["AGAIN-1", "AGAIN-2"]


def test_a_restatement_of_which_something_else_is_shown_is_checked_by_itself(records, monkeypatch):
    document = copy.deepcopy([*records.values()])
    document[2]["evidence"][0]["points"]["grid"]["n"].append(100)
    problems, ran = examined(document, monkeypatch)
    assert ran == ["AGAIN-1", "AGAIN-2", "AGAIN-3"] and not problems["AGAIN-2"]
    assert any("differs from what its step gives in: points" in said for said in problems["AGAIN-3"])


def test_evidence_that_a_claim_and_its_restatement_share_is_refused_for_both(records, monkeypatch):
    document = copy.deepcopy([*records.values()])
    for record in document[1:]:
        record["evidence"][0]["count"] += 1
    problems, ran = examined(document, monkeypatch)
    assert ran == ["AGAIN-1", "AGAIN-2"]
    assert all(
        any("differs from what its step gives" in said for said in problems[name]) for name in ("AGAIN-2", "AGAIN-3")
    )
