"""Exit statuses: one list, which every verdict and every command keeps to, and one page that says what they mean."""

import re
from pathlib import Path

import pytest

from banditproof.claims.run.rechecking import Problem
from banditproof.cli.rechecking import status_of_problems
from banditproof.cli.statuses import Status, gravest, of_verdict
from banditproof.verify.judge.found import VERDICTS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "exit-statuses.md"


STATUS = {
    **dict.fromkeys(("ok", "not refuted", "proved"), 0),
    **dict.fromkeys(("violation", "refuted", "no word of ours"), 1),
    "not read": 2,
    **dict.fromkeys(("inconclusive", "open", "undecided"), 3),
}


@pytest.mark.parametrize("verdict", STATUS)
def test_only_a_verdict_that_an_assertion_lets_pass_has_status_0(verdict):
    assert of_verdict(verdict) == STATUS[verdict]


def test_every_verdict_on_a_statement_has_a_status():
    passing = [verdict for verdict in VERDICTS if of_verdict(verdict) == Status.OK]
    assert passing == ["proved", "proved from named facts"]
    assert {of_verdict(verdict) for verdict in VERDICTS} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("several", "one"), [((), 0), ((0, 0), 0), ((0, 3), 3), ((3, 1, 0), 1), ((2, 3), 2), ((2, 1), 1), ((4, 3, 0), 4)]
)
def test_of_several_results_what_is_refuted_outranks_what_is_open(several, one):
    assert gravest(several) == one


def test_a_file_that_was_only_not_checked_to_its_end_is_not_accused():
    late, wrong = Problem("its check gave no result", "A-1", open=True), Problem("differs", "A-2")
    assert [status_of_problems(p) for p in ([], [late], [late, wrong], [wrong])] == [0, 3, 1, 1]


def test_the_page_lists_every_status_and_no_other_page_does():
    listed = {int(row) for row in re.findall(r"^\| (\d+) \|", PAGE.read_text(), flags=re.MULTILINE)}
    assert listed == {*Status}
    for page in (*ROOT.glob("docs/*.md"), ROOT / "README.md"):
        text = page.read_text()
        assert page == PAGE or "| status | meaning |" not in text, page.name
        if page != PAGE and "exit status" in text:
            assert "exit-statuses.md" in text, f"{page.name} speaks of an exit status and names no page of them"


def test_no_command_writes_a_status_as_a_number():
    """Each is a name of `Status`; 0 is what a command without a verdict ends with."""
    for path in (ROOT / "cli").glob("*.py"):
        written = re.findall(r"^\s+return [1-9]\d*$|return int\((?:bool|not|any)\b.*", path.read_text(), re.MULTILINE)
        assert not written, f"{path.name}: {written}"
