"""Results files come from strangers: none runs code, and no forged one is accepted."""

import copy
import json
import sys
import textwrap
from pathlib import Path
from unittest.mock import patch

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble, combined, counted
from banditproof.claims.run.runner import run
from banditproof.cli.rechecking import recheck_results
from banditproof.theory.errors import InvalidInput
from tests.cases import rows, texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


@pytest.fixture(scope="module")
def document(load_draft_once):
    """A genuine document about claims of a file, and the file."""
    load()
    module = load_draft_once(DRAFT, "draft_of_forgeries")
    claims = [c for c in REGISTER.values() if c.id.startswith("FORGE-")]
    records = run(claims, Settings(), module.parent / "out", modules=[module], workers=1)
    return assemble(records, Settings(), "check", 0.0, {"claims": [c.id for c in claims]}), module


def status(document, module, folder):
    path = Path(folder) / "results.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return recheck_results(path, [module])


def claim_of(results, name):
    return next(c for c in results["claims"] if c["id"] == f"FORGE-{name}")


def evidence_of(results, name, place=0):
    return claim_of(results, name)["evidence"][place]


def setting(name, place, **values):
    def forge(results):
        evidence_of(results, name, place).update(values)

    return forge


def claiming(name, **values):
    def forge(results):
        claim_of(results, name).update(values)

    return forge


def verdict(name, value):
    return claiming(name, verdict=value, own_verdict=value)


def both(*forgeries):
    def forge(results):
        for one in forgeries:
            one(results)

    return forge


def without(name):
    def forge(results):
        results["claims"] = [c for c in results["claims"] if c["id"] != f"FORGE-{name}"]

    return forge


def counts_as_combined(results):
    """The document as it would be if no more claims were there."""
    results["claims"] = combined([dict(c, verdict=c["own_verdict"], repair=None) for c in results["claims"]])
    results["run"]["counts"] = counted(results["claims"])


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


DOOR = "PWNED"
SHELL = f"touch {DOOR}"
EVERYWHERE = {"variables": {"x": "[0, 1]", "n": "integer [1, inf)"}, "where": []}

FORGERIES = dict(rows(TEXTS["forgeries"]))  # what is done to the results, in the names of this file


def test_the_genuine_document_is_accepted(document, tmp_path):
    assert status(*document, tmp_path) == 0


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_document_is_not_accepted_and_runs_nothing(document, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    results, module = copy.deepcopy(document[0]), document[1]
    eval(FORGERIES[name])(results)
    assert results != document[0]
    assert status(results, module, tmp_path) == 1
    assert not (tmp_path / DOOR).exists() and "antigravity" not in sys.modules


def test_an_item_whose_part_is_left_out_is_not_accepted_whatever_was_asked_for(document, tmp_path, capsys):
    """Its verdict would be that of the parts that are there."""
    kept = [claim_of(document[0], name) for name in ("7", "7/first")]
    records = [c | {"verdict": c["own_verdict"], "repair": None} for c in copy.deepcopy(kept)]
    results = assemble(records, Settings(), "check", 0.0, {"claims": ["FORGE-7/first"]})
    assert status(results, document[1], tmp_path) == 1
    assert "1 of 2 are missing (FORGE-7/second)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("forge", "said", "found"),
    [
        (
            lambda r: evidence_of(r, "6")["tests"][0].update(successes=1),
            "of the pieces of evidence rest on simulated numbers",
            "FORGE-6: statistics evidence differs from what its step gives in: tests",
        ),
        (
            setting("7/second", 0, tightest="closest call 9 at x = 1"),
            "of the pieces of evidence say that a claim held at each point of a list, and only support it",
            "FORGE-7/second: enumeration evidence differs from what its step gives in: tightest",
        ),
    ],
)
def test_what_is_taken_from_the_file_is_said_and_only_done_again_found_changed(
    document, tmp_path, capsys, forge, said, found
):
    results, module = copy.deepcopy(document[0]), document[1]
    forge(results)
    assert status(results, module, tmp_path) == 0
    assert said in capsys.readouterr().out
    assert recheck_results(tmp_path / "results.json", [module], redo=True) == 1
    assert found in capsys.readouterr().out


def test_a_claim_that_does_not_end_is_given_up_and_is_a_problem(tmp_path, capsys):
    module = tmp_path / "draft_without_end.py"
    module.write_text(
        textwrap.dedent("""
        import time
        from banditproof.claims import claim, step

        @claim("ENDLESS-1", step(lambda check, relation: time.sleep(60)))
        def slow():
            "$1=1$"
            return 1, "==", 1
    """)
    )
    record = {"id": "ENDLESS-1", "evidence": [], "mutations": []}
    run = {"profile": "quick", "root_seed": 1, "asked": {"claims": ["ENDLESS-1"]}, "counts": {}, "catalogue": {}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"schema": 1, "run": run, "claims": [record]}))
    with patch.dict(REGISTER):
        assert recheck_results(path, [module], limit=1) == 1
    del sys.modules[module.stem]
    assert "ENDLESS-1: its check gave no result within 1 seconds (--limit)" in capsys.readouterr().out


def test_text_of_the_file_cannot_write_what_it_likes_on_the_terminal(document, tmp_path, capsys):
    results = copy.deepcopy(document[0])
    claim_of(results, "3")["id"] = "\x1b[2J\x1b[31m[bold]9 claims\n\u202e0 problems\x9b"
    assert status(results, document[1], tmp_path) == 1
    shown = "".join(capsys.readouterr())
    assert r"\x1b[2J\x1b[31m[bold]9 claims \u202e0 problems\x9b: it is not registered" in shown
    assert all(c.isprintable() for line in shown.splitlines() for c in line)


def test_a_document_about_claims_of_a_file_names_the_option_that_reads_it(document, tmp_path, capsys):
    path, held = tmp_path / "results.json", {i: c for i, c in REGISTER.items() if i.startswith("FORGE-")}
    path.write_text(json.dumps(document[0]))
    for name in held:
        del REGISTER[name]
    try:
        assert recheck_results(path, []) == 1
    finally:
        REGISTER.update(held)
    said = capsys.readouterr().out.splitlines()
    assert all("--module" in line for line in said[:-2]) and "malformed" not in "".join(said)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"schema": 2}', '{"schema": 1}', '{"schema": 1, "run": [], "claims": {}}', "[" * 100_000,
     '{"schema": 1, "run": {"profile": "quick", "root_seed": 1}, "claims": [7]}', '{"a": ' + "9" * 5000 + "}",
     '{"schema": 1, "run": {"profile": "quick", "root_seed": -1}, "claims": []}',
     '{"schema": 1, "run": {"profile": "quick", "root_seed": 1, "root_seed": 2}, "claims": []}'],
)  # fmt: skip
def test_what_is_no_results_document_is_one_clear_error(document, text, tmp_path):
    with pytest.raises(InvalidInput, match="results"):
        status(text, document[1], tmp_path)


def test_a_file_that_is_no_text_is_one_clear_error_of_the_command(banditproof, tmp_path):
    (tmp_path / "results.json").write_bytes(b"\xff\xfe\x00")
    done = banditproof("recheck", tmp_path / "results.json")
    assert done.returncode == 2 and "Traceback" not in done.stderr and len(done.stderr.strip().splitlines()) == 1
