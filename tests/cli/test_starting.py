"""banditproof init and the annotations: a project's first test runs, and a workflow shows what fails at its line."""

import json
from pathlib import Path

import pytest

from banditproof.cli.starting import FIRST_TEST, WORKFLOW
from banditproof.verify.testing.annotations import annotation
from tests.cases import texts
from tests.cli.calling import status

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


def started(*arguments):
    return status(arguments, ["init"])


def test_what_is_written_is_said_and_nothing_is_written_over(tmp_path, capsys):
    test, workflow = tmp_path / "tests/test_privacy.py", tmp_path / ".github/workflows/privacy.yml"
    assert started("--folder", str(tmp_path)) == 0 and not workflow.exists()
    assert f"written: {test}" in capsys.readouterr().out
    test.write_text("mine")
    assert started("--ci", "--folder", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert f"not changed, because it exists: {test}" in said and f"written: {workflow}" in said
    assert test.read_text() == "mine" and workflow.read_text() == WORKFLOW
    assert "vendor/banditproof-*.whl, which does not exist yet" in said
    assert "https://github.com/OWNER/NAME/actions/workflows/privacy.yml/badge.svg" in said
    assert started("--folder", str(tmp_path / "absent")) == 2


@pytest.mark.parametrize("url", ["git@github.com:ada/bandits.git", "https://github.com/ada/bandits"])
def test_the_badge_names_the_repository_of_the_folder(tmp_path, capsys, url):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text(f'[remote "origin"]\n\turl = {url}\n\tfetch = +refs/heads/*\n')
    assert started("--ci", "--folder", str(tmp_path)) == 0
    assert "https://github.com/ada/bandits/actions/workflows/privacy.yml/badge.svg" in capsys.readouterr().out


def test_the_workflow_is_the_one_of_the_documentation():
    docs = Path(__file__).parents[2] / "docs" / "ci.md"
    assert WORKFLOW in docs.read_text()


def test_the_first_test_passes_and_its_failure_is_an_annotation_in_a_workflow(python, tmp_path, every_point):
    started("--folder", str(tmp_path))
    path = tmp_path / "tests/test_privacy.py"
    passed = python("-m", "pytest", "-q", path, folder=tmp_path, GITHUB_ACTIONS="true")
    assert passed.returncode == 0 and "::error" not in passed.stdout
    path.write_text(
        FIRST_TEST.replace(
            "assert_private(make_policy, Budget.pure(0.5)", "assert_private(make_policy, Budget.pure(0.1)"
        )
    )
    line = 1 + FIRST_TEST.splitlines().index("    assert_private(make_policy, Budget.pure(0.5), seconds=2)")
    ways = (("true", tmp_path / "tests"), ("true", tmp_path), ("", tmp_path))
    for workflow, folder in ways if every_point else ways[::2]:
        environment = {"GITHUB_ACTIONS": workflow, "GITHUB_WORKSPACE": str(tmp_path)}
        failed = python("-m", "pytest", "-q", path, folder=folder, **environment)
        shown = [row for row in failed.stdout.splitlines() if row.startswith("::error ")]
        assert failed.returncode == 1
        assert [row.split("::")[1] for row in shown] == [
            f"error file=tests/test_privacy.py,line={line},title=test_privacy"
        ] * bool(workflow)


def test_claims_that_fail_are_annotations_at_their_lines(banditproof, tmp_path):
    (tmp_path / "draft_github.py").write_text(DRAFT)
    check = "check --module draft_github.py --workers 1 --format github --quiet".split()
    done = banditproof(*check, "--fail-on", "refuted", folder=tmp_path)
    shown = [row for row in done.stdout.splitlines() if row.startswith("::")]
    assert done.returncode == 1, "a refuted claim outranks a check that raised"
    assert [row.partition("::")[0] or row.split("::")[1] for row in shown] == [
        "error file=draft_github.py,line=5,title=GITHUB-1%3A refuted",
        "error file=draft_github.py,line=17,title=GITHUB-3%3A its check raised an exception",
    ]
    assert "100%25 wrong%0A::error::injected" in shown[1]
    read = ["sarif" if word == "github" else word for word in check]
    banditproof(*read, "--fail-on", "refuted", "--output", "out", folder=tmp_path)
    (log,) = json.loads((tmp_path / "out" / "banditproof.sarif").read_text())["runs"]
    places = [result["locations"][0]["physicalLocation"] for result in log["results"]]
    assert [(r["ruleId"], r["level"]) for r in log["results"]] == [("verdict", "error"), ("error", "error")]
    assert {r["ruleId"] for r in log["results"]} <= {rule["id"] for rule in log["tool"]["driver"]["rules"]}
    assert [(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places] == [
        ("draft_github.py", 5),
        ("draft_github.py", 17),
    ]
    (first, _) = (row for row in banditproof(*check, folder=tmp_path).stdout.splitlines() if row.startswith("::"))
    assert first.startswith("::warning "), "what makes no status 1 is no error"


def test_a_file_outside_of_the_folder_is_left_out(tmp_path):
    assert annotation("error", "a,b", "c", str(tmp_path / "x.py"), 3) == "::error title=a%2Cb::c"
