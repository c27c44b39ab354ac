"""The package of a paper by others, checked by an installed banditproof: some of its claims, and its findings."""

import json
import shutil
import subprocess

import pytest

from tests.cases import texts

TEXTS = texts(__file__)

FAST = ["HH-EQ1", "HH-EQ12", "HH-EQ29", "HH-EQ35", "HH-EQ59", "HH-EQ23", "HH-S0.1", "HH-R3.4a"]
SLOW = ["HH-R3.1a"]  # checked by make nightly, which also tries the false variants

# Of an installed document test_example.py speaks in make test.


@pytest.fixture(scope="module")
def checked(root, environment, install, every_point, tmp_path_factory):
    """The results of some claims, and their file."""
    copy = shutil.copytree(root / "examples" / "hu_hegde", tmp_path_factory.mktemp("other") / "hu_hegde")
    install(environment, copy)
    output = tmp_path_factory.mktemp("report")
    asked = [part for claim in FAST + SLOW * every_point for part in ("--claim", claim)]
    asked += [] if every_point else ["--no-selftest"]
    command = [environment / "bin" / "banditproof", "check", *asked, "--workers", "1", "--output", output, "--fresh"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=output)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    (results,) = output.rglob("results.json")
    return results, {c["id"]: c for c in json.loads(results.read_text())["claims"]}


def test_its_claims_are_decided(checked, every_point):
    verdicts = {
        "HH-EQ12": "proved",
        "HH-EQ29": "proved",
        "HH-EQ35/level-with-the-root": "proved",
        "HH-R3.4a": "proved",
        "HH-S0.1": "supported",
        "HH-S0.1/for-every-budget": "refuted",
        "HH-EQ23": "refuted",
        "HH-EQ35/level-as-defined": "refuted",
        "HH-EQ59/second-line": "refuted",
    } | dict.fromkeys(SLOW * every_point, "supported")
    assert {claim: checked[1][claim]["verdict"] for claim in verdicts} == verdicts


def test_its_findings_say_what_to_print_instead(checked, environment, run):
    said = run(environment / "bin" / "banditproof", "findings", "--severity", "D", "--results", checked[0])
    assert "(HH-EQ59/second-line-repaired)" in said and "HH-S0.1/as-in-theorem-2" not in said
    assert "72 √(8) in place of 72" in said


def test_every_item_of_its_catalogue_has_a_claim_or_says_why_it_cannot(checked, environment, run):
    said = run(environment / "bin" / "banditproof", "check", "--uncovered", "--paper", "hu-hegde")
    assert "all 112 catalogued items have a claim" in said


REPLAYED = "\n" + TEXTS["replayed"]


def test_its_stored_trees_prove_its_claims(root, checked, environment, run):
    stored = json.loads((root / "examples" / "hu_hegde" / "hu_hegde" / "proofs.json").read_text())
    assert run(environment / "bin" / "python", "-c", REPLAYED).split() == list(stored)
