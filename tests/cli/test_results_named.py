"""Which results findings and recheck read: those that are named, or those of the report."""

import json
import os

import pytest

from banditproof.cli.rechecking import results_path
from banditproof.theory.errors import InvalidInput
from tests.cli.calling import status

EMPTY = {
    "schema": 1,
    "run": {"command": "banditproof check", "profile": "quick", "root_seed": 0, "rested_on": []},
    "claims": [],
}
OF_A_REPORT, OF_A_CLAIM = "report/results.json", "report/claims/BDP-T3.1/results.json"
OF_A_FILE = "report/modules/draft/results.json"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(*paths):
        for time, name in enumerate(paths, 1):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(EMPTY))
            os.utime(path, (time, time))

    return written


@pytest.mark.parametrize("command", ["findings {}", "findings --results {}"])
@pytest.mark.parametrize("named", ["mine.json", "mine"], ids=["a file", "a folder"])
def test_results_are_named_after_the_command_or_by_the_option_of_explain(command, named, write, capsys):
    write("mine.json", "mine/results.json")
    assert status(command.format(named).split()) == 0 and capsys.readouterr().out == "no findings\n"


def test_without_a_name_they_are_those_of_the_report(write, capsys):
    write(OF_A_CLAIM, OF_A_REPORT)
    assert str(results_path(None, None)) == OF_A_REPORT and capsys.readouterr().err == ""


def test_the_only_results_are_read_and_named(write, capsys):
    write(OF_A_CLAIM)
    assert str(results_path(None, None)) == OF_A_CLAIM
    assert capsys.readouterr().err == f"reading {OF_A_CLAIM}: there are no other results here\n"


def test_newer_results_of_single_claims_are_named(write, capsys):
    write(OF_A_REPORT, OF_A_CLAIM, OF_A_FILE)
    assert str(results_path(None, None)) == OF_A_REPORT
    said = f"reading {OF_A_REPORT}; newer results exist, and --results reads them: {OF_A_FILE}, {OF_A_CLAIM}\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("there", "told"),
    [
        (
            [OF_A_CLAIM, OF_A_FILE],
            f"results must be a file that exists; name one of these with --results: {OF_A_FILE}, {OF_A_CLAIM}",
        ),
        ([], "run 'banditproof check' first, which writes it"),
    ],
    ids=["others are named", "in an empty folder it is said what to do first"],
)
@pytest.mark.parametrize("command", ["findings", "recheck"])
def test_where_there_is_no_report(command, there, told, write, capsys):
    write(*there)
    assert status([command]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and told in said


def test_results_are_named_once(write):
    write("mine.json")
    with pytest.raises(InvalidInput, match="named only once"):
        results_path("mine.json", "mine.json")
