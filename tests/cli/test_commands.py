"""The command line: what it prints, its exit statuses, and one clear line for bad input."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from banditproof.algorithms.registration import IdentificationSetting
from banditproof.algorithms.roster import everything
from banditproof.cli import checking, explaining
from banditproof.cli.settings import SelftestOptions
from banditproof.theory import Enclosure
from tests.cases import lines, rows, texts
from tests.cli.calling import status

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]

RAISING = """
    from banditproof.claims.register import claim

    @claim("CLI-3", "raises")
    def raises(check):
        raise ArithmeticError("on purpose")
"""


@pytest.fixture
def draft(tmp_path):
    path = tmp_path / "draft_cli.py"
    path.write_text(textwrap.dedent(DRAFT))
    return path


@pytest.fixture(scope="module")
def kept(banditproof, tmp_path_factory):
    """The draft and the folder of its report: it is checked once."""
    folder = tmp_path_factory.mktemp("checked")
    (draft := folder / "draft_cli.py").write_text(textwrap.dedent(DRAFT))
    done = banditproof("check", "--module", draft, "--output", folder / "out", "--workers", "1")
    assert done.returncode == 0, done.stderr
    return draft, folder / "out"


@pytest.fixture
def checked(kept, tmp_path):
    """The draft and a copy of its results."""
    return kept[0], Path(shutil.copy(kept[1] / "results.json", tmp_path))


def test_version_short_help_and_ids_in_any_case(in_process):
    assert re.fullmatch(r"banditproof \d+\.\d+\.\d+", in_process("--version").stdout.strip())
    assert in_process("-h").stdout == in_process("--help").stdout
    assert in_process("explain", "bdp-t3.1").stdout.startswith("BDP-T3.1 (theorem")


def test_claims_and_what_has_none_are_listed(in_process):
    listed = in_process("list", "--claim", "BDP-T3.1").stdout.splitlines()
    assert listed[0].startswith("BDP-T3.1 ") and all(line.startswith("BDP-T3.1") for line in listed)
    assert "catalogued items" in in_process("list", "--paper", "rdp", "--uncovered").stdout


def test_what_nobody_expected_has_a_status_of_its_own(monkeypatch, capsys):
    monkeypatch.setattr(explaining, "list_claims", lambda *arguments: 1 / 0)
    assert status(["list"]) == 4 and "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that is always full")
@pytest.mark.parametrize("arguments", [["--version"], ["bounds", "regret", "--means", "0.7,0.5", "--json"]])
def test_a_full_disk_is_one_line(arguments):
    command = [sys.executable, "-m", "banditproof", *arguments]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "No space left on device" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.one_in(3)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that is always full")
@pytest.mark.parametrize("command", lines(TEXTS["without room"]))
def test_a_file_without_room_costs_no_result(command, capsys):
    assert status(command.split()) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) > 5 and ("--json" not in command or json.loads(out))
    assert re.match(r"banditproof: (plot|csv) must be .*No space left on device", err.splitlines()[-1])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("unheard", [["stdout"], ["stdout", "stderr"]])
@pytest.mark.parametrize(("means", "code"), [("0.7,0.5", 0), ("0.7,2", 2)])
def test_a_reader_that_leaves_changes_neither_the_work_nor_the_status(unheard, means, code, tmp_path):
    there, closed = os.pipe()
    os.close(there)
    streams = dict.fromkeys(unheard, closed)
    drawn = tmp_path / "bounds.svg"
    command = [sys.executable, "-m", "banditproof.cli", "bounds", "regret", "--means", means, "--plot", str(drawn)]
    try:
        done = subprocess.run(command, **({"stderr": subprocess.PIPE} | streams), text=True)
    finally:
        os.close(closed)
    assert (done.returncode, drawn.exists()) == (code, code == 0)
    assert code == 0 or not done.stderr or done.stderr.startswith("banditproof: mean")


@pytest.mark.parametrize(("command", "mine"), [("identify", True), ("simulate", False)])
def test_the_help_names_every_algorithm(command, mine, banditproof):
    shown = banditproof(command, "--help").stdout
    shown = shown.partition("--algorithm <")[2].partition("[required]")[0]
    listed = set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*(?=[,.])", shown))
    assert listed == {entry.name for entry in everything() if (entry.setting is IdentificationSetting) == mine}


@pytest.mark.parametrize("command", ["", "bounds"])
def test_a_command_without_arguments_shows_its_help_line_by_line(command, capsys):
    assert status(command.split()) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("Usage:") and len(shown.splitlines()) > 8


def test_bounds_in_json_enclose_an_independent_value(in_process):
    done = in_process("bounds", "regret", "--means", "0.75,0.7,0.7", "--epsilon", "0.25", "--json")
    bounds = {b["name"]: b for b in json.loads(done.stdout)["bounds"]}
    with mpmath.workdps(40):
        kl = lambda p, q: p * mpmath.log(p / q) + (1 - p) * mpmath.log((1 - p) / (1 - q))  # noqa: E731
        x, y, epsilon = mpmath.mpf("0.7"), mpmath.mpf("0.75"), mpmath.mpf("0.25")
        z = mpmath.findroot(lambda z: mpmath.log(z / (1 - z)) - mpmath.log(y / (1 - y)) + epsilon, 0.7)
        value = 2 * (y - x) / min(kl(x, y), epsilon * (max(z, x) - x) + kl(max(z, x), y))
        enclosure = Enclosure.from_json(bounds["d-epsilon"]["constant"])
        assert Fraction(enclosure.width) < Fraction(1, 10**20)
        assert abs(mpmath.mpf(enclosure.lower.numerator) / enclosure.lower.denominator - value) < mpmath.mpf(10) ** -30


def test_at_optimal_mean_one_the_bound_says_that_it_does_not_apply(in_process):
    done = in_process("bounds", "regret", "--means", "1,0.5", "--epsilon", "1")
    assert "d-epsilon: d_epsilon(mu_a, mu*); does not apply: " in " ".join(done.stdout.split())


def test_a_module_is_checked_reported_rechecked_and_a_spoiled_result_noticed(banditproof, kept, checked):
    draft, path = checked
    assert {"results.json", "index.html", "junit.xml", "report.md"} <= {p.name for p in kept[1].iterdir()}
    results = json.loads(path.read_text())
    verdicts = {c["id"]: c["verdict"] for c in results["claims"]}
    assert verdicts == {"CLI-1": "proved", "CLI-2": "refuted"}
    again = banditproof("recheck", path, "--module", draft, "--workers", "1")
    assert again.returncode == 0 and "0 problems" in again.stdout and "not in this file" not in again.stdout
    first = results | {"claims": results["claims"][:1]}
    path.write_text(json.dumps(first))
    shorter = banditproof("recheck", path, "--module", draft, "--workers", "1")
    assert "are not in this file, so they were not checked" in shorter.stdout
    assert shorter.returncode == 1 and shorter.stdout.startswith(
        "the file holds fewer claims than its run was asked for: 1 of 2 are missing (CLI-2)"
    )
    assert "1 problems" in shorter.stdout
    results["claims"][0]["evidence"][0]["tree"] = "P"
    path.write_text(json.dumps(results))
    spoiled = banditproof("recheck", path, "--module", draft, "--workers", "1")
    assert spoiled.returncode == 1 and "CLI-1: interval evidence" in spoiled.stdout


def test_many_claims_are_checked_again_on_all_cores_with_the_same_findings(banditproof, tmp_path):
    module, output = tmp_path / "many.py", tmp_path / "out"
    module.write_text(textwrap.dedent(MANY))
    banditproof("check", "--module", module, "--output", output, "--format", "markdown", "--workers", "1")
    results = json.loads((output / "results.json").read_text())
    genuine = banditproof("recheck", output / "results.json", "--module", module)
    assert genuine.returncode == 0 and "for 50 claims checked again: 0 problems" in genuine.stdout
    results["claims"][6]["evidence"][0]["certificate"] = "x"
    (output / "results.json").write_text(json.dumps(results))
    done = banditproof("recheck", output / "results.json", "--module", module)
    assert done.returncode == 1 and "MANY-6: deduction evidence" in done.stdout


MANY = "\n" + TEXTS["many"]


def test_a_verdict_written_by_hand_is_noticed(banditproof, checked):
    draft, path = checked
    path.write_text(path.read_text().replace('"own_verdict": "refuted"', '"own_verdict": "proved"'))
    done = banditproof("recheck", path, "--module", draft, "--workers", "1")
    assert done.returncode == 1 and "the evidence gives 'refuted'" in done.stdout


def test_fail_on_gives_status_one_and_a_raising_check_status_three(banditproof, draft, tmp_path):
    raising = tmp_path / "raising_cli.py"
    raising.write_text(textwrap.dedent(RAISING))
    common = ["--output", tmp_path / "out", "--format", "junit", "--workers", "1"]
    assert banditproof("check", "--module", draft, "--fail-on", "refuted", *common).returncode == 1
    assert banditproof("check", "--module", draft, "--claim", "CLI-1", "--fail-on", "refuted", *common).returncode == 0
    by_name = ["check", "--claim", "RDP-T17/gamma-increasing", "--no-selftest"]
    step = banditproof(*by_name, "--fail-on", "refuted", *common)
    assert step.returncode == 1, "a step that is asked for by name"
    assert step.stdout.endswith("exit status 1 because of RDP-T17/gamma-increasing: refuted\n")
    assert banditproof("check", "--module", raising, *common).returncode == 3
    assert "on purpose" in (tmp_path / "out" / "junit.xml").read_text()


def test_explain_quotes_the_verdict_of_a_claim_that_was_checked_alone(banditproof, draft, tmp_path):
    banditproof("check", "--module", draft, "--claim", "CLI-2", "--no-selftest", "--workers", "1", folder=tmp_path)
    said = banditproof("explain", "CLI-2", "--module", draft, folder=tmp_path).stdout
    assert "verdict in report/claims/CLI-2/results.json: refuted" in said


def test_explain_shows_statement_domain_and_mutations(in_process):
    done = in_process("explain", "BDP-LF.3")
    assert done.returncode == 0
    assert all(label in done.stdout for label in ("statement:", "domain:", "again: banditproof check --claim BDP-LF.3"))


def test_explain_begins_with_the_verdict_and_a_sentence_to_copy_also_without_a_report(in_process, tmp_path):
    said = in_process("explain", "ALG-T5.3", folder=tmp_path).stdout
    marks = [
        "ALG-T5.3 (",
        "\nverdict in banditproof ",
        "\nyou may write: In the words of banditproof: ",
        "\nstatement:",
        "\nread by the machine",
        "again:",
    ]
    places = [said.find(mark) for mark in marks]
    assert -1 not in places[:4] + places[5:] and places[:4] == sorted(places[:4])
    written = said[places[2] : places[3]]
    assert "This (thesis, Theorem 5.3, section 5.2, page 106) is proved by machine" in written and "“" not in written
    steps = said.partition("refuted in what it is derived from:")[2]
    assert "ALG-EQC.11-13/third-implication (part, refuted)" in steps, "a step of its proof"
    supported = in_process("explain", "BDP-T4.3", folder=tmp_path).stdout
    supported = supported.partition("you may write: ")[2].partition("\n\n")[0]
    assert "but the steps between them are not. Taken on trust: a lower limit of their regret." in supported
    assert not re.search(r"[A-Z]{2,}-[A-Z]", supported.replace("DP-IMED and DP-KLUCB", "")), "an id of ours"
    repaired = in_process("explain", "ZCDP-T4", folder=tmp_path).stdout
    assert "; corrected: " in repaired and "no correction of" not in repaired
    told = json.loads(in_process("explain", "TH-L4.23", "--json", folder=tmp_path).stdout)
    assert told["verdict"] == "refuted" and "corrected: Lemma 4.23 for δ ≤ 1/2" in told["you may write"]


EXPLAINED = dict(rows(TEXTS["explained"]))


@pytest.mark.parametrize("word", EXPLAINED)
def test_explain_says_what_a_word_is_that_is_no_claim(in_process, word):
    done = in_process("explain", word)
    assert done.returncode == 0 and EXPLAINED[word] in done.stdout
    assert json.loads(in_process("explain", word, "--json").stdout)["means"] == [
        line for line in done.stdout.splitlines() if not line.startswith("claims with this word")
    ]


def test_a_claim_under_an_item_that_is_asked_for_has_its_row(banditproof, tmp_path):
    done = banditproof(
        "check", "--claim", "TH-L2.21/best-tilt", "--workers", "1", "--output", tmp_path, "--format", "terminal"
    )
    assert done.returncode == 0
    (row,) = [line for line in done.stdout.splitlines() if "TH-L2.21" in line and "│" in line]
    assert "proved" in row and "deduction" in row


PARTLY = "\n" + TEXTS["partly"]
PARTLY_CATALOGUE = """
    id|aliases|kind|title|section|page
    PART-1||lemma|the variance of a coin|1|2
    PART-2|PART-B|theorem|what nobody looked at|4.1|77
"""


def test_an_item_without_a_claim_is_counted_listed_explained_and_refused_as_a_claim(banditproof, tmp_path):
    module, output = tmp_path / "partly.py", tmp_path / "out"
    module.write_text(textwrap.dedent(PARTLY))
    module.with_suffix(".tsv").write_text(textwrap.dedent(PARTLY_CATALOGUE).strip().replace("|", "\t"))
    line = "partly: 1 of 2 catalogued items have no claim yet"
    done = banditproof("check", "--module", module, "--output", output, "--workers", "1")
    assert done.returncode == 0 and line in done.stdout
    results = json.loads((output / "results.json").read_text())
    assert results["run"]["catalogue"] == {"partly": {"items": 2, "without claim": {"PART-2": "what nobody looked at"}}}
    assert banditproof("recheck", output / "results.json", "--module", module, "--workers", "1").returncode == 0
    listed = banditproof("check", "--uncovered", "--module", module).stdout.splitlines()
    assert (
        listed[listed.index(line) + 1].split()
        == "PART-2 theorem partly, section 4.1, page 77: what nobody looked at".split()
    )
    assert "bernoulli-dp: all 82 catalogued items have a claim" in listed
    said = banditproof("explain", "PART-B", "--module", module).stdout
    assert all(part in said for part in ("PART-2 (theorem, partly)", "section 4.1, page 77", "no claim checks it yet"))
    refused = banditproof("check", "--claim", "PART-2", "--module", module)
    assert (
        refused.returncode == 2 and "(no claim checks this item of partly, section 4.1, page 77 yet)" in refused.stderr
    )


def test_the_claims_can_be_listed_without_checking_any(banditproof, draft, tmp_path):
    done = banditproof("check", "--list", "--module", draft, folder=tmp_path)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["CLI-1", "CLI-2"]
    assert not (tmp_path / "report").exists()


def test_a_reader_that_stops_early_is_no_error():
    command = f"{sys.executable} -m banditproof.cli check --list | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stdout.startswith("BDP-") and done.stderr == ""


def test_selftest_counts_what_is_caught(banditproof, draft, tmp_path):
    done = banditproof("selftest", "--module", draft, "--output", tmp_path / "out", "--workers", "1")
    assert done.returncode == 0 and "1 caught, 0 missed" in done.stdout


MISSING = "\n" + TEXTS["missing"]


def missed(folder):
    path = folder / "missing_cli.py"
    path.write_text(textwrap.dedent(MISSING))
    return path


def test_into_a_file_there_is_no_table_and_a_missed_false_variant_is_named(banditproof, tmp_path):
    common = ["check", "--module", missed(tmp_path), "--output", tmp_path / "out", "--workers", "1"]
    piped, quiet = banditproof(*common), banditproof(*common, "--quiet")
    assert "│" not in piped.stdout and "false variant not refuted: CLI-4: top = 3/10" in piped.stdout
    missing, counts, written, cause = quiet.stdout.splitlines()
    assert missing == "false variant not refuted: CLI-4: top = 3/10 (it is true: proved)"
    assert cause == "exit status 1 because of CLI-4: a false variant was not refuted"
    assert piped.returncode == quiet.returncode == 1
    assert quiet.stderr == "" and counts.startswith("items: 1 proved") and written.startswith("written to")
    named = banditproof(*common, "--format", "terminal").stdout
    assert any("CLI-4" in line and "│" in line for line in named.splitlines())


def test_files_alone_and_claims_have_folders_of_their_own_where_explain_finds_them(banditproof, draft, tmp_path):
    options = ["--module", draft, "--no-selftest", "--workers", "1", "--format", "markdown"]
    assert banditproof("check", *options, folder=tmp_path).returncode == 0
    assert [p.name for p in (tmp_path / "report").iterdir()] == ["modules"]
    said = banditproof("explain", "CLI-2", "--module", draft, folder=tmp_path).stdout
    assert "verdict in report/modules/draft_cli/results.json: refuted" in said
    assert f"check it again: banditproof check --claim CLI-2 --module {draft}" in said
    once = banditproof("explain", "CLI-4", "--module", missed(tmp_path), folder=tmp_path).stdout
    assert once.count("top = 3/10") == 1
    told = json.loads(banditproof("explain", "CLI-2", "--module", draft, "--json", folder=tmp_path).stdout)
    assert (told["verdict"], told["constants"]) == ("refuted", {"factor": "29/10"})


def test_recheck_on_one_process_prints_json(banditproof, checked):
    draft, path = checked
    done = banditproof("recheck", path, "--module", draft, "--workers", "1", "--json")
    assert done.stderr == "" and done.returncode == 0
    assert json.loads(done.stdout) == {
        "problems": [],
        "claims": 2,
        "evidence": 2,
        "resting on simulations": 0,
        "enumerations not evaluated": 0,
        "left out": {},
    }


def answer(command, capsys):
    assert status(command.split()) == 0
    return capsys.readouterr()


def test_what_is_printed_names_an_item(capsys):
    for printed in ("theorem 3.1", "t3.1", "BDP-T3.1"):
        assert status(["explain", printed]) == 0
        assert capsys.readouterr().out.startswith("BDP-T3.1 (theorem")
    for printed in ("Theorem 4.15", "thesis theorem 4.15", "(4.10)"):  # printed as 'Theorem 4.15, (4.10)'
        assert status(["explain", printed]) == 0
        assert capsys.readouterr().out.startswith("TH-T4.15 (theorem")


@pytest.mark.parametrize("typed", [["rdp Theorem 8"], ["Theorem 8", "--paper", "rdp"], ["rdp T8"]])
def test_a_number_that_two_documents_have_is_named_with_its_document(typed, capsys):
    assert status(["explain", *typed]) == 0
    said = capsys.readouterr().out
    assert said.startswith("RDP-T8 (theorem, rdp)")
    assert "domain: that of its parts" in said, "a theorem for all K, T, delta is no single statement"
    assert "RDP-T8/universal (part, " in said and "): R_T ≤ C_1 √(dTΛ)" in said, "what is under it, in its words"


def test_a_number_of_several_documents_says_how_to_name_one(capsys):
    for number in ("Theorem 14", "Theorem 15", "Definition 7"):  # in one of them beside another number
        assert status(["explain", number]) == 2
        assert f"('zcdp {number}' names the document as well)" in capsys.readouterr().err


def test_a_program_that_reads_runs_is_said_to_be_one_and_not_to_crash(capsys):
    said = answer("explain ALG-E5.4/hundred-runs", capsys).out
    assert "checked as a program, not as a formula: it computes with arrays, the numbers of recorded runs" in said
    assert "raises" not in said


def test_lists_for_programs(capsys):
    claims = json.loads(answer("list --claim BDP-T3.1 --json", capsys).out)
    assert claims[0]["id"] == "BDP-T3.1" and claims[0].keys() == {"id", "kind", "paper", "role", "statement"}
    assert json.loads(answer("list --paper rdp --uncovered --json", capsys).out) == []


def test_algorithms_are_found_in_any_case_and_every_file_is_named(tmp_path, capsys):
    csv, svg = tmp_path / "runs.csv", tmp_path / "runs.svg"
    run = "--means 0.7,0.5 --epsilon 1 --horizon 50 --runs 2 --json"
    out, err = answer(f"simulate --algorithm DP-IMED {run} --csv {csv} --plot {svg}", capsys)
    assert list(json.loads(out)["algorithms"]) == ["dp-imed"]
    assert {f"written: {csv}", f"drawn: {svg}"} <= set(err.splitlines()) and csv.exists() and svg.exists()
    found = json.loads(answer("identify --algorithm AdaP-TT --means 0.9,0.2 --epsilon 1 --runs 2 --json", capsys).out)
    assert list(found["algorithms"]) == ["adap-tt"]


@pytest.mark.parametrize(("papers", "tried"), [(None, [checking.DEFAULT_MUTANTS]), (["rdp"], [])])
def test_random_changes_of_our_own_algorithms_belong_to_no_document(papers, tried, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(checking, "chosen_claims", lambda *arguments: [])
    monkeypatch.setattr(checking, "print_source_mutants", asked.append)
    checking.selftest_claims(SelftestOptions(paper=papers, output=tmp_path))
    assert asked == tried


def test_a_file_that_was_changed_after_it_was_written_is_no_basis_for_findings(banditproof, checked):
    path, options = checked[1], ["--module", checked[0]]
    assert banditproof("findings", path, *options).stderr == ""
    path.write_text(path.read_text().replace('"fails at', '"fails also at'))
    for command in (["findings", path], ["explain", "CLI-2", "--results", path]):
        said = banditproof(*command, *options)
        assert said.returncode == 0 and said.stderr.splitlines() == [
            f"{path} was changed since it was written: recheck it first (banditproof recheck {path})"
        ]
    path.write_text(json.dumps({name: v for name, v in json.loads(path.read_text()).items() if name != "digest"}))
    assert "has no checksum" in banditproof("findings", path, *options).stderr


@pytest.fixture(scope="module")
def edited(banditproof, tmp_path_factory):
    """A file of claims and its results, which another formula than the one that was checked stands beside now."""
    folder = tmp_path_factory.mktemp("edited")
    (path := folder / "edited.py").write_text(textwrap.dedent("\n" + TEXTS["edited"]))
    banditproof(
        "check", "--module", path, "--output", folder, "--workers", "1", "--no-selftest", "--format", "markdown"
    )
    path.write_text(path.read_text().replace('top="1/4"', 'top="1/5"'))
    os.utime(path, (time.time() + 60,) * 2)
    return path, folder / "results.json"


def test_a_claim_that_was_changed_since_its_check_has_no_verdict(banditproof, edited):
    path, results = edited
    named = ["--module", path, "--results", results]
    assert (
        "no verdict: the claim, or one that it rests on, has changed" in banditproof("explain", "EDIT-2", *named).stdout
    )
    told = json.loads(banditproof("explain", "EDIT-2", *named, "--json").stdout)
    assert told["verdict"] is None and "has changed" in told["changed"] and "you may write" not in told
    assert "\nverdict in" in banditproof("explain", "EDIT-1", *named).stdout, (
        "one that was not changed keeps its verdict"
    )
    again = f"speaks of what stood before: banditproof check --module {path}"
    said = banditproof("findings", results, "--module", path).stderr
    assert said.startswith("EDIT-2 changed after") and again in said
    assert banditproof("findings", results).stderr.startswith(f"{path} changed after")
    refused = banditproof("findings", results, "--module", path, "--registry", path.parent / "registry")
    assert refused.returncode == 2 and "of a check of EDIT-2 as it stands" in refused.stderr


REFUTED = "\n" + TEXTS["refuted"]


def test_a_recheck_says_what_is_so_at_another_point_and_tells_many_claims_with_one_problem_once(banditproof, tmp_path):
    module, path = tmp_path / "points.py", tmp_path / "results.json"
    module.write_text(textwrap.dedent(REFUTED))
    banditproof("check", "--module", module, "--output", tmp_path, "--workers", "1", "--quiet")
    results = json.loads(path.read_text())
    for place, n in ((0, 1), (1, 4), (2, -1)):
        record = results["claims"][place]
        for evidence in (record["evidence"][0], record["counterexample"]):
            evidence |= {"point": {"n": n}, "left": n}
    results["run"]["root_seed"] += 1
    path.write_text(json.dumps(results))
    done = banditproof("recheck", path, "--module", module, "--workers", "1")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    said = [
        "POINT-0: counterexample evidence: at n = 1 the claim holds, 1 ≤ 2 is true;",
        "POINT-1: counterexample evidence: at n = 4 the claim fails as well, 4 ≤ 2 is false;",
        "POINT-2: counterexample evidence: at n = -1, outside of its domain, the claim holds, -1 ≤ 2 is true;",
    ]
    assert all(any(line.startswith(start) for line in lines[:3]) for start in said), "before the problem of all claims"
    assert "9 claims: its seed does not derive from the root seed of the run (POINT-0," in done.stdout
    assert sum("seed" in line for line in lines) == 1
