"""Results against older ones: what is lost is named and ends with status 1, whatever else came in between."""

import json

import pytest

from banditproof.claims.report.comparing import compared
from banditproof.claims.report.terminal import lines_of_comparison
from tests.cases import rows, texts
from tests.claims.report.test_findings import record
from tests.cli.calling import status

TEXTS = texts(__file__)


def results(*records, command="banditproof check", papers=None, claims=None, aside=()):
    run = {"command": command, "asked": {"papers": papers, "claims": claims}, "rested_on": list(aside)}
    run |= {"profile": "quick", "root_seed": 0}
    return {"schema": 1, "run": run, "claims": list(records)}


def lines(old, new, **options):
    comparison = compared(old, new, **options)
    return int(bool(comparison.lost)), list(lines_of_comparison(comparison, "old.json"))


@pytest.mark.parametrize(("before", "now", "told"), rows(TEXTS["lost"], data=(1,)))
def test_a_verdict_is_lost_where_it_is_weaker(before, now, told):
    status, (first, *_) = lines(results(record("D-1", verdict=before)), results(record("D-1", verdict=now)))
    assert first == told and status == told.startswith("lost")


def test_nothing_is_told_of_what_is_the_same():
    same = results(record("D-1", verdict="proved"), record("D-2"))
    assert lines(same, same) == (0, ["compared with old.json: 0 lost, 0 gained, 0 changed; findings: 0 new, 0 gone"])


def test_a_check_that_raises_now_loses_what_it_had():
    now = record("D-1", verdict="proved", status="error")
    assert lines(results(record("D-1", verdict="proved")), results(now))[1][0] == "lost: D-1: proved, now error"


def test_a_claim_that_no_longer_exists_is_named():
    old = results(record("D-1", verdict="proved"), record("D-2", verdict="undecided"))
    status, told = lines(old, results())
    assert status == 1
    assert told[:2] == ["lost: D-1: proved, now no longer a claim", "gone: D-2: undecided, now no longer a claim"]


def test_a_verdict_that_stays_for_another_statement_is_told():
    old, new = record("D-1", verdict="proved"), record("D-1", verdict="proved", statement="less", rests_on=["D-2"])
    status, (first, *_) = lines(results(old), results(new))
    assert status == 0
    assert first == ("same verdict, changed claim: D-1: proved, now proved (changed: statement, rests on)")


OLD = results(record("D-1", verdict="proved"), record("D-1/a", role="part", verdict="proved"), record("D-2"))


@pytest.mark.parametrize(
    ("asked", "lost"),
    [
        ({"command": "banditproof check --claim D-2", "claims": ["D-2"]}, 0),
        ({"command": "banditproof check --claim=D-2", "claims": ["D-2"]}, 0),
        ({"command": "banditproof check --module draft.py", "claims": ["D-2"]}, 2),
        ({"command": "banditproof check --paper draft", "papers": ["draft"]}, 2),
        ({"command": "banditproof check --paper other", "papers": ["other"]}, 2),  # it holds claims of the draft
        ({}, 2),
    ],
)
def test_only_what_the_run_was_asked_for_can_be_missing(asked, lost):
    comparison = compared(OLD, results(record("D-2"), **asked))
    assert len(comparison.lost) == lost and comparison.not_asked == ({} if lost else {"draft": 2})


def test_a_part_of_an_item_that_was_asked_for_can_be_missing():
    new = results(record("D-1", verdict="proved"), command="banditproof check --claim D-1", claims=["D-1"])
    assert [str(change) for change in compared(OLD, new).lost] == ["D-1/a: proved, now no longer a claim"]


def test_what_was_only_rested_on_is_not_missed():
    assert compared(results(record("D-1", verdict="proved"), aside=["D-1"]), results()).lost == ()


def test_findings_are_new_gone_and_graded_anew():
    old = results(record("D-1"), record("D-2"))
    repair = {"id": "D-2/mended", "role": "repair", "verdict": "proved"}
    mended = [record("D-2", repair=repair), record("D-2/mended", role="repair", verdict="proved")]
    new = results(record("D-1", verdict="proved"), *mended, record("D-3", role="item"))
    comparison = compared(old, new)
    assert (comparison.new_findings, comparison.gone_findings) == (("A D-3",), ("A D-1",))
    assert comparison.regraded_findings == ("B D-2, before A",)
    assert comparison.new == {"proved": 1, "refuted": 1}


def test_another_profile_is_said():
    other = results()
    other["run"]["profile"] = "full"
    assert lines(results(), other)[1][0] == "the runs differ: profile quick, now full"


def test_two_files_are_compared_without_a_check(tmp_path, capsys):
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(OLD))
    new.write_text(json.dumps(results(record("D-2"))))
    assert status(["findings", str(new), "--against", str(old)]) == 1
    assert "lost: D-1/a: proved, now no longer a claim" in capsys.readouterr().out
    assert status(["findings", str(old), "--against", str(old), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lost"] == []
    assert status(["findings", str(new), "--against", str(old), "--latex"]) == 2
    new.write_text(json.dumps(results({"id": "D-1", "paper": "draft"})))
    assert status(["findings", str(new), "--against", str(old)]) == 2
    assert "complete records" in capsys.readouterr().err.splitlines()[-1]


DRAFT = "\n" + TEXTS["draft"]


def test_a_check_is_held_against_the_results_that_it_writes_again(banditproof, tmp_path):
    draft = tmp_path / "draft_against.py"
    draft.write_text(DRAFT)
    options = ["--module", "draft_against.py", "--output", "out", "--format", "junit", "--workers", "1", "--quiet"]

    def check(*more):
        done = banditproof("check", *options, *more, folder=tmp_path)
        return done.returncode, done.stdout

    assert check()[0] == 0
    code, said = check("--against", "out/results.json")
    assert code == 0 and "compared with out/results.json: 0 lost, 0 gained, 0 changed" in said
    old = json.loads((tmp_path / "out/results.json").read_text())
    old["claims"].append(old["claims"][0] | {"id": "AGAINST-2"})
    (tmp_path / "old.json").write_text(json.dumps(old))
    code, said = check("--against", "old.json")
    assert code == 1 and "lost: AGAINST-2: proved, now no longer a claim" in said
    assert check("--against", "absent.json")[0] == 2
