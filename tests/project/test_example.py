"""A document of somebody else, installed beside banditproof, is checked like the built-in ones."""

import json
import shutil
import subprocess
import sys

import pytest

from banditproof.claims import REGISTER, Settings, examine, load_module
from banditproof.claims.report.answers import findings_of
from banditproof.claims.report.registry import write_registry
from banditproof.claims.report.registry_check import mistakes
from banditproof.claims.run.results import assemble


@pytest.fixture(scope="module")
def coin(root, environment, install, tmp_path_factory):
    """The environment with the example package, and its installed source."""
    copy = shutil.copytree(root / "examples" / "coin_paper", tmp_path_factory.mktemp("example") / "coin_paper")
    install(environment, copy)
    return environment, next(environment.glob("lib/python*/site-packages/coin_paper"))


def check(coin, output):
    """What `banditproof check --paper coin` prints, and its results."""
    asked = ["--paper", "coin", "--workers", "1", "--output", output]
    command = [coin[0] / "bin" / "banditproof", "check", *asked]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=output)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, json.loads((output / "results.json").read_text())


@pytest.fixture(scope="module")
def checked(coin, tmp_path_factory):
    """The folder of the first report, what was printed, and the results."""
    output = tmp_path_factory.mktemp("report")
    return output, *check(coin, output)


def reused(said):
    """How many results were taken up, of how many."""
    line = next((line for line in said.splitlines() if "reused from the last run" in line), "0 of 0")
    first, _, total, *_ = line.split()
    return int(first), int(total)


def test_a_strangers_document_has_verdicts_a_report_and_its_false_variants_caught(checked):
    output, said, results = checked
    verdicts = {c["id"]: c["verdict"] for c in results["claims"]}
    assert verdicts == {"COIN-T1": "proved", "COIN-L2": "proved", "COIN-S3": "refuted"}
    assert results["run"]["counts"]["mutations"] == {"tried": 2, "caught": 2}
    assert reused(said) == (0, 0) and "Entropy of a coin" in (output / "index.html").read_text()


def test_selftest_covers_it(coin, checked, run):
    said = run(coin[0] / "bin" / "banditproof", "selftest", "--paper", "coin", "--mutants", "0", "--output", checked[0])
    assert "2 caught, 0 missed" in said


EDITS = [  # and how many of five are taken up: three claims, and the variants of two
    ("coin_paper/ch1_tails/s1_1_entropy.py", 3),  # its claim and variants again
    ("coin_paper/s2_fairness.py", 4),
    ("banditproof/theory/laws/bernoulli.py", 0),  # a rule of the provers knows d_epsilon by its objective there
    ("banditproof/verify/proof/box.py", 0),  # the prover of every claim
    ("banditproof/algorithms/finite/thompson.py", 5),  # nothing here leans on it
]


def test_an_edit_checks_what_depends_on_it_again_and_nothing_else(coin, checked, every_point):
    """One edit after the other; make test makes the first and the last one."""
    output, edits = checked[0], EDITS if every_point else EDITS[:: len(EDITS) - 1]
    before = {edited: (coin[1].parent / edited).read_text() for edited, _ in edits}
    try:
        for edited, kept in edits:
            (coin[1].parent / edited).write_text(before[edited] + "\n_EDITED = True\n")
            assert reused(check(coin, output)[0])[0] == kept, edited
    finally:
        for edited, text in before.items():
            (coin[1].parent / edited).write_text(text)


def test_its_claims_are_explained_with_file_section_and_page_and_by_alias(coin, run):
    said = run(coin[0] / "bin" / "banditproof", "explain", "COIN-L2a")
    assert "coin_paper/ch1_tails/s1_2_variance.py, function variance_at_most (section 1.2, page 3)" in said


PUBLIC = {
    "PC-SHARED": "refuted",
    "PC-POLYA": "refuted",
    "PC-LINEAR": "refuted",
    "PC-MINDSPORE": "refuted",
    "PC-HYBRID": "supported",
}


def test_public_programs_are_findings_of_a_registry_with_receipts(root, run, tmp_path):
    """The one refutation on trust has no receipt; the reading that fails has one."""
    file, levels = root / "examples/public_code/public_code.py", [word for a in "ABCDE" for word in ("--severity", a)]
    command = [sys.executable, "-m", "banditproof.cli"]
    run(*command, "check", "--module", file, "--output", tmp_path / "report", "--workers", "1")
    results = tmp_path / "report/results.json"
    claims = {c["id"]: c["verdict"] for c in json.loads(results.read_text())["claims"]}
    assert {name: claims[name] for name in PUBLIC} == PUBLIC and claims["PC-POLYA/as-published"] == "proved"
    said = run(*command, "findings", tmp_path / "report", "--severity", "A")
    assert "\nnot shown: 1 of severity B, 1 of severity E; --severity B shows them\n" in said
    assert said.endswith(" counts as a main statement, without receipts: name the file with --module\n")
    run(*command, "findings", results, "--module", file, *levels, "--registry", tmp_path / "registry")
    said = run(sys.executable, "-I", "-S", tmp_path / "registry/check.py")
    headed, without, counted = said.splitlines()
    assert headed.startswith("1 not checked here") and (without, counted) == (
        "PC-SHARED",
        "5 entries, 4 receipts, 0 mistakes",
    )


BY_OTHERS = {  # what fails, with its severity: one has a correction, one none; readings weigh little
    "POIS-T1/in-particular": "B",
    "DOUB-UPPER/overhead": "A",
    **dict.fromkeys(("KLTV-F5/last", "KLTV-F5/toss", "KLTV-F5/tosses", "CDP-L1/because", "CDP-T1/third-line"), "D"),
    **dict.fromkeys(("DOUB-EXP/closed-form", "DOUB-CASE2/at-most-one", "DOUB-L3/chain", "DOUB-L4/positive"), "D"),
    **dict.fromkeys(("DOUB-CASE2/bound", "DOUB-L2/above-one", "DOUB-L3/slope", "DOUB-L4/slope"), "D"),
    **dict.fromkeys(
        ("DOONA-2/factor", "DOONA-4/first-term", "DOUB-OVERHEAD/hundred", "KLTV-T1/never-worse", "POIS-T1/below"), "E"
    ),
}


def test_papers_by_others_fail_where_their_files_say_and_enter_a_registry(root, run, tmp_path):
    before, file = set(REGISTER), root / "examples/papers_by_others/papers_by_others.py"
    load_module(file)
    try:
        failing = {name for name in set(REGISTER) - before if "fails:" in REGISTER[name].written.text}
        records = [
            examine(REGISTER[n], Settings())
            for n in (*BY_OTHERS, "POIS-T1/with-the-factor", "DOUB-UPPER/with-the-factor")
        ]
    finally:
        for name in set(REGISTER) - before:
            del REGISTER[name]
    assert failing == set(BY_OTHERS) == {r["id"] for r in records if r["verdict"] == "refuted"}
    results = assemble(records, Settings(), "banditproof check", 0.0)
    write_registry(tmp_path / "registry", results, findings_of(results), "ABCDE")
    entries = [json.loads(path.read_text()) for path in (tmp_path / "registry").glob("entries/*.json")]
    assert {e["claim"]: e["severity"] for e in entries} == BY_OTHERS and not list(mistakes(tmp_path / "registry"))
    (tmp_path / "results.json").write_text(json.dumps(results))
    command = [
        sys.executable,
        "-m",
        "banditproof.cli",
        "findings",
        tmp_path / "results.json",
        "--module",
        file,
        "--json",
    ]
    levels = [word for a in "ABCDE" for word in ("--severity", a)]
    told = json.loads(run(*command, *levels))
    assert {failure["claim"]: failure["severity"] for one in told for failure in one["failures"]} == BY_OTHERS
