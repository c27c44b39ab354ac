"""Answers to findings: kept beside the results, shown in every form, and marked where the finding has changed."""

import json

import pytest

from banditproof.claims.report.answers import accept, findings_of, read_answers, without_finding
from banditproof.claims.report.errata import as_json, as_latex, as_markdown
from banditproof.claims.report.html_page import pages
from banditproof.claims.report.terminal import print_findings, print_summary
from banditproof.claims.report.text import markdown
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import counted, write_results
from banditproof.cli import main
from banditproof.theory.errors import InvalidInput
from tests.claims.report.test_forms import at, record

CLAIMS = [
    record("RDP-T9", counterexample=at(3, 3, 2)),
    record("RDP-T9/line", role="step", counterexample=at(3, 7, 2), cause="RDP-T9"),
    record("RDP-T10", counterexample=at(1, 5, 2)),
    record("RDP-T10/a", role="part", counterexample=at(1, 4, 2)),
    record("RDP-T8", verdict="proved"),
]


def results(claims=CLAIMS, **more):
    run = {"command": "banditproof check", "asked": {}, "catalogue": {}, "versions": {}, "seconds": 0.0}
    run |= {"profile": "quick", "root_seed": 0, "finished": "2026-01-31T00:00:00+00:00", "counts": counted(claims)}
    return {"schema": 1, "run": run, "claims": list(claims)} | more


@pytest.fixture
def path(tmp_path):
    accept(results(), "RDP-T9", "B. Author", "We mean $x \\le 2$ <only>.", tmp_path / "answers.json")
    return tmp_path / "answers.json"


def answers_in(claims, path):
    return [a for f in findings_of(results(claims, answers=read_answers(path))) for a in f.answers]


def changed(path, place, **more):
    claims = [c | more if k == place else c for k, c in enumerate(CLAIMS)]
    (answer,) = answers_in(claims, path)
    return answer.changed


def test_an_answer_stands_beside_its_finding_alone_and_says_nothing_of_changes_that_are_none(path):
    (first, *others) = findings_of(results(answers=read_answers(path)))
    (answer,) = first.answers
    assert first.items[0] == "RDP-T9" and not any(f.answers for f in others)
    assert (answer.by, answer.note, answer.changed) == ("B. Author", "We mean $x \\le 2$ <only>.", ())


def test_every_form_shows_it(path, capsys):
    whole = results(answers=read_answers(path))
    found = findings_of(whole)
    print_findings(found, {})
    print_summary(found, {})
    listed, summary = capsys.readouterr().out.split("answer: B. Author"), "We mean x ≤ 2 <only>."
    assert summary in listed[0] and summary in listed[1]
    assert "B. Author" in as_markdown(found, {}) and "B. Author" in as_latex(found, {})
    assert json.loads(as_json(found, {}))[0]["answers"][0]["by"] == "B. Author"
    assert "B. Author" in markdown(whole, [])
    (page,) = pages(whole, [], Settings()).values()
    assert "B. Author" in page and "&lt;only&gt;" in page and "<only>" not in page


@pytest.mark.parametrize(
    ("place", "more", "told"),
    [
        (0, {"statement": "other words"}, "the statement of RDP-T9 has changed"),
        (0, {"counterexample": at(4, 3, 2)}, "the counterexample to RDP-T9 has changed"),
        (0, {"slip": "a misprint"}, "its severity was A"),
        (0, {"counterexample": at(3, 3, 2) | {"assumes": "a step"}}, "the certainty of RDP-T9 has changed"),
        (1, {"own_verdict": "proved", "verdict": "proved"}, "RDP-T9/line no longer fails"),
        (4, {"own_verdict": "refuted", "verdict": "refuted", "cause": "RDP-T9"}, "RDP-T8 fails as well"),
    ],
)
def test_a_finding_that_changed_since_says_what(path, place, more, told):
    assert told in changed(path, place, **more)


def test_an_answer_whose_finding_is_gone_stays_and_is_told(path):
    mended = [c | {"own_verdict": "proved", "verdict": "proved"} for c in CLAIMS]
    (one,) = without_finding(results(mended, answers=read_answers(path)))
    assert one.by == "B. Author"
    assert without_finding(results(answers=read_answers(path))) == []
    assert without_finding(results([record("RDP-T1")], answers=read_answers(path))) == [], "of other results"


def test_a_second_answer_takes_the_place_of_none(path):
    accept(results(), "RDP-T9/line", "C. Reader", "Still open.", path)
    assert [a.by for a in answers_in(CLAIMS, path)] == ["B. Author", "C. Reader"]


@pytest.mark.parametrize(
    ("claim", "by", "note", "said"),
    [
        ("RDP-T8", "A", "b", "this one is not"),
        ("RDP-T99", "A", "b", "id of a claim in the results"),
        ("RDP-T9", " ", "b", "by must be a text that is not empty"),
        ("RDP-T9", "A", "", "note must be a text that is not empty"),
    ],
)
def test_what_names_no_finding_is_refused(path, claim, by, note, said):
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match=said):
        accept(results(), claim, by, note, path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"schema": 2, "answers": []}', '{"schema": 1, "answers": [{}]}', '{"schema": 1, "answers": 3}'],
)
def test_another_file_is_refused_and_left_as_it_is(path, text):
    path.write_text(text)
    for act in (lambda: read_answers(path), lambda: accept(results(), "RDP-T9", "A", "b", path)):
        with pytest.raises(InvalidInput, match="answers must be a file of 'findings --accept'"):
            act()
    assert path.read_text() == text


def test_the_commands(tmp_path, monkeypatch, capsys):
    def status(*arguments):
        with pytest.raises(SystemExit) as left:
            main(["findings", "results.json", *arguments])
        return left.value.code

    monkeypatch.chdir(tmp_path)
    (tmp_path / "results.json").write_text(json.dumps(results()))
    answer = ["--accept", "RDP-T9", "--by", "B. Author", "--note", "In version 2."]
    assert status(*answer[:-2]) == 2 and status(*answer[2:]) == 2 and status(*answer, "--json") == 2
    assert status(*answer) == 0 and (tmp_path / "answers.json").is_file()
    capsys.readouterr()
    assert status("--severity", "A") == 0
    assert "    Answer: B. Author, 2" in capsys.readouterr().out
    assert status("--answers", "elsewhere.json") == 2
    assert status(*answer, "--answers", "elsewhere.json") == 0 and (tmp_path / "elsewhere.json").is_file()


def test_results_with_claims_that_others_rest_on_are_not_said_to_be_changed(tmp_path, capsys):
    whole = results()
    whole["run"]["rested_on"] = ["RDP-T8"]
    write_results(whole, tmp_path / "results.json")
    with pytest.raises(SystemExit, match="0"):
        main(["findings", str(tmp_path / "results.json")])
    assert capsys.readouterr().err == ""
