"""Running checks: records, errors, resuming, workers, mutations."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from banditproof.claims import REGISTER, load, load_module, register, resolve
from banditproof.claims.report.findings import findings
from banditproof.claims.run.examine import examine, judged_as
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import combined
from banditproof.claims.run.runner import piece_path, run, stored_piece
from banditproof.claims.run.selftest import try_mutations
from banditproof.theory.errors import InvalidInput
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


@pytest.fixture
def draft(load_draft):
    return load_draft(DRAFT.replace("{seconds}", "0").replace("{{", "{").replace("}}", "}"), "draft_of_running")


def test_a_claim_from_outside_is_proved(draft):
    record = examine(REGISTER["DRAFT-1"], Settings())
    assert record["verdict"] == "proved" and record["statement"] == "$2 x \\le e^x$" and record["paper"] == "outside"


OWN = "\n" + TEXTS["own"]


def test_an_edge_of_ones_own_claim_is_one_by_its_name_and_is_graded_as_one(load_draft):
    load_draft(OWN, "draft_own")
    assert [REGISTER[i].role for i in ("OWN-1", "OWN-1/edge-at-four", "OWN-1/edgewise")] == ["item", "edge", "part"]
    records = [examine(REGISTER[i], Settings()) for i in ("OWN-1", "OWN-1/edge-at-four")]
    (finding,) = findings(combined(records))
    assert (finding.severity, finding.failures[0].fails) == ("C", "False at this boundary")


def test_a_constant_that_a_statement_names_is_its_value(load_draft):
    load_draft(OWN, "draft_own")
    assert REGISTER["OWN-1"].statement == "$x$ is at most 3/2 times 2, and <more> stands as it is."


def test_a_check_that_raises_is_an_error_and_has_no_verdict(draft):
    record = examine(REGISTER["DRAFT-2"], Settings())
    assert record["status"] == "error" and record["verdict"] is None and "on purpose" in record["reach"]


def test_a_mutation_is_caught(draft):
    (tried,) = try_mutations(REGISTER["DRAFT-1"], Settings())
    assert tried["caught"] and "fails at x = 1" in tried["how"]


def test_results_do_not_depend_on_the_number_of_workers_and_resume_takes_up_pieces(draft, tmp_path, divided_workers):
    claims = [REGISTER[f"DRAFT-{k}"] for k in (1, 2, 3)]
    settings = Settings(studies=tmp_path / "studies")
    facts = []
    for workers in (1, 2):
        records = run(claims, settings, tmp_path / f"out{workers}", modules=[draft], workers=workers)
        facts.append([{k: v for k, v in r.items() if k != "seconds"} for r in records])
    assert facts[0] == facts[1]
    seen = []
    run(claims, settings, tmp_path / "out1", modules=[draft], reuse=True, progress=lambda k, r: seen.append(r))
    pieces = tmp_path / "out1" / "pieces"
    assert stored_piece(pieces, "claim", claims[0], settings) is not None
    assert stored_piece(pieces, "claim", claims[1], settings) is None  # an error is never taken up
    assert len(seen) == 3


def test_a_piece_of_other_constants_or_seed_is_not_taken_up(draft, tmp_path, divided_workers):
    claim = REGISTER["DRAFT-1"]
    run([claim], Settings(), tmp_path, modules=[draft])
    pieces = tmp_path / "pieces"
    assert stored_piece(pieces, "claim", claim, Settings()) is not None
    assert stored_piece(pieces, "claim", claim, Settings(root_seed=1)) is None
    assert stored_piece(pieces, "claim", claim, Settings(profile="full")) is None


def test_a_killed_run_leaves_no_process_and_resumes_where_it_was(tmp_path):
    module = tmp_path / "draft_killed.py"
    source = textwrap.dedent(DRAFT).replace("{{", "{").replace("}}", "}")
    waiting = 'float(__import__("os").environ["DRAFT_SECONDS"])'
    module.write_text(source.replace("{seconds}", waiting))
    output = tmp_path / "out"
    options = ["--module", str(module), "--output", str(output), "--workers", "2", "--no-selftest", "--format", "junit"]
    command = [sys.executable, "-m", "banditproof.cli", "check", *options]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, start_new_session=True, env=os.environ | {"DRAFT_SECONDS": "60"}, **quiet)
    finished = piece_path(output / "pieces", "claim", "DRAFT-1")
    assert within(60, finished.is_file)
    os.kill(process.pid, signal.SIGKILL)  # the parent alone: its workers must notice
    process.wait()
    assert within(20, lambda: not session_members(process.pid))
    assert json.loads(finished.read_bytes().partition(b"\n")[2])["verdict"] == "proved"
    assert not (output / "results.json").exists()
    assert not list(output.rglob(".*json*")), "nothing half-written"
    written = finished.stat().st_mtime_ns
    resumed = subprocess.run(command, env=os.environ | {"DRAFT_SECONDS": "0"}, **quiet)
    assert resumed.returncode == 3  # DRAFT-2 raises, again
    assert finished.stat().st_mtime_ns == written, "the finished piece was taken up, not computed again"
    assert {c["id"] for c in json.loads((output / "results.json").read_text())["claims"]} == {
        "DRAFT-1",
        "DRAFT-2",
        "DRAFT-3",
    }


def test_an_interrupted_run_ends_at_once_and_says_how_to_go_on(tmp_path):
    module = tmp_path / "draft_interrupted.py"
    module.write_text(textwrap.dedent(DRAFT).replace("{{", "{").replace("}}", "}").replace("{seconds}", "60"))
    output = tmp_path / "out"
    command = [sys.executable, "-m", "banditproof.cli", "check", "--module", str(module), "--output", str(output)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=hears_interrupts
    )
    assert within(60, piece_path(output / "pieces", "claim", "DRAFT-1").is_file)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130 and "continues where it stopped" in said and "Traceback" not in said


def hears_interrupts():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background may have it ignored


def within(seconds, condition):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)
    return condition()


def session_members(session):
    """Ids of the processes of a session that still run."""
    listed = subprocess.run(["ps", "-o", "pid=,stat=", "--sid", str(session)], capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if " Z" not in line]


def test_registering_an_id_twice_or_a_float_constant_is_refused(draft):
    with pytest.raises(InvalidInput, match="not registered yet"):
        register.claim("DRAFT-1", "again")(lambda check: None)
    with pytest.raises(InvalidInput, match="constant"):
        register.claim("DRAFT-9", "float", constants={"c": 0.1})(lambda check: None)


def test_an_alias_resolves_and_an_unknown_id_is_refused():
    load()
    assert resolve("BDP-S3.3").id == "BDP-EQ8"
    with pytest.raises(InvalidInput, match="registered id"):
        resolve("BDP-NONE")


def test_a_missing_or_broken_module_is_one_clear_error(tmp_path):
    broken = tmp_path / "broken_draft.py"
    broken.write_text("import nothing_of_this_name\n")
    with pytest.raises(InvalidInput, match="ModuleNotFoundError"):
        load_module(broken)
    with pytest.raises(InvalidInput, match="existing"):
        load_module(Path(tmp_path / "absent.py"))


def test_a_restated_claim_takes_up_what_the_original_found(tmp_path, divided_workers):
    load()
    restated = next(c for c in REGISTER.values() if c.same_check_as and c.mutations and c.check is not None)
    claims, settings = [REGISTER[restated.same_check_as], restated], Settings(studies=tmp_path / "studies")
    together = run(claims, settings, tmp_path / "together", selftest=True, workers=1)
    (alone,) = run(claims[1:], settings, tmp_path / "alone", selftest=True, workers=1)

    def found(record):
        tried = [{k: v for k, v in m.items() if k != "seconds"} for m in record["mutations"]]
        return {k: v for k, v in record.items() if k != "seconds"} | {"mutations": tried}

    assert found(together[1]) == found(alone) and together[1]["evidence"] == together[0]["evidence"] != []
    assert together[1]["statement"] == restated.shown() and together[1]["seconds"] == 0


@pytest.mark.one_in(2)  # a study takes seconds
@pytest.mark.parametrize("claim_id", ["TH-T4.16/hypotheses", "ALG-E5.6/free-privacy"])
def test_a_verdict_does_not_depend_on_what_is_checked_besides(claim_id, tmp_path, divided_workers):
    """An experiment restates a conclusion, and hypotheses a remark: the same evidence says less or more of them."""
    load()
    restated, settings = REGISTER[claim_id], Settings(studies=tmp_path / "studies")
    _, together = run([REGISTER[restated.same_check_as], restated], settings, tmp_path / "together", workers=1)
    alone = examine(restated, settings)
    assert [together[k] for k in ("verdict", "resolution")] == [alone[k] for k in ("verdict", "resolution")]


def test_what_is_judged_otherwise_takes_nothing_up():
    load()
    for name in ("TH-T4.16/hypotheses", "ALG-E5.6/free-privacy"):
        assert judged_as(REGISTER[name]) != judged_as(REGISTER[REGISTER[name].same_check_as])


def test_a_module_with_a_misspelt_import_says_what_was_perhaps_meant(tmp_path):
    path = tmp_path / "misspelt_import.py"
    path.write_text("from banditproof.theory import d_epsilo\n")
    with pytest.raises(InvalidInput, match="ImportError: .* no attribute 'd_epsilo': did you mean d_epsilon"):
        load_module(path)
