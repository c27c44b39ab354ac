"""The index beside results: it says what the results say, is made again where these differ, and may be missing."""

import json

import pytest

from banditproof.claims import REGISTER, examine, load
from banditproof.claims.report.answers import findings_of
from banditproof.claims.report.lookup import FILE, indexed, looked_up
from banditproof.claims.report.telling import told
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble, write_results
from banditproof.cli.rechecking import load_results

load()
FAILING = ("BDP-S1.6/twice-differentiable", "TH-S2.1f/root-k-for-every-budget")


@pytest.fixture(scope="module")
def results():
    return assemble([examine(REGISTER[name], Settings()) for name in FAILING], Settings(), "banditproof check", 1.0)


@pytest.fixture
def path(results, tmp_path):
    write_results(results, tmp_path / "results.json")
    return tmp_path / "results.json"


def unread(*_):
    raise AssertionError("the index has it")


def test_findings_and_their_words_are_those_of_the_results(path, results):
    listed = findings_of(results)
    expected = told(listed, results["claims"], REGISTER)
    assert {failure.claim for finding in listed for failure in finding.failures} == set(FAILING)
    indexed(path, results).renew(listed, REGISTER)
    index = looked_up(path, unread)
    again = findings_of(index.results)
    assert [finding.to_json() for finding in again] == [finding.to_json() for finding in listed]
    words = index.told(again, unread)
    for claim, said in expected.items():
        assert [words[claim].why, words[claim].notes, words[claim].corrected] == [said.why, said.notes, said.corrected]
        assert words[claim].counterexample == said.counterexample != ""
    assert index.changed == ""


def test_an_index_that_another_user_wrote_is_not_believed(path, results):
    index = looked_up(path, load_results)
    held = {"of": index.of, "changed": "", "words": {}, "results": {**index.results, "claims": []}}
    path.with_name(FILE).write_text(f"{'0' * 48}\n{json.dumps(held)}")
    assert looked_up(path, load_results).results == index.results


@pytest.mark.parametrize("held", [None, "", "[]", '{"of": 1}'])
def test_an_index_of_other_results_is_made_again(path, results, held):
    looked_up(path, load_results)
    results = json.loads(path.read_text())
    results["claims"][0]["reach"] = "another reach"
    path.write_text(json.dumps(results))
    if held is not None:
        path.with_name(FILE).write_text(held)
    index = looked_up(path, load_results)
    assert index.results["claims"][0]["reach"] == "another reach" and "was changed" in index.changed
    assert looked_up(path, unread).results == index.results


def test_where_it_cannot_be_written_the_results_are_read(path, results, monkeypatch):
    def full(*_):
        raise OSError(28, "no room")

    monkeypatch.setattr("banditproof.claims.report.lookup.write_atomically", full)
    index = looked_up(path, load_results)
    listed = findings_of(index.results)
    assert set(index.told(listed, lambda: REGISTER)) == set(FAILING) and not path.with_name(FILE).exists()
