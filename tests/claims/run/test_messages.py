"""What a check says of a claim that it cannot prove: in words and plain numbers."""

import json
import re
import sys

from banditproof.claims import REGISTER, examine
from banditproof.claims.report.terminal import _print_wrapped
from banditproof.claims.run.record import Settings
from banditproof.cli.explaining import CLOSER, explain_claim
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


def test_a_point_is_said_as_numbers(load_draft):
    load_draft(DRAFT, "draft_of_messages")
    said = examine(REGISTER["SAID-1"], Settings())["reach"]
    assert "x = 1/100, y = 1/100: the relation does not certainly fail there" in said and "Fraction" not in said


def test_a_proof_that_leaves_boxes_open_comes_with_what_to_do(load_draft, tmp_path, capsys):
    module = load_draft(DRAFT, "draft_of_messages")
    record = examine(REGISTER["SAID-2"], Settings())
    assert record["verdict"] == "supported" and "left open by the proof" in record["reach"]
    results = tmp_path / "results.json"
    text = json.dumps({"schema": 1, "run": {}, "claims": [record | {"own_verdict": "supported"}]})
    results.write_text(text)
    explain_claim("SAID-2", [module], results)
    assert CLOSER in capsys.readouterr().out


CORRECTED = "\n" + TEXTS["corrected"]


def test_a_refuted_item_names_all_its_corrections_and_what_has_none(load_draft, tmp_path, capsys):
    module = load_draft(CORRECTED, "draft_of_corrections")
    results, refuted = tmp_path / "results.json", ("SAID-10", "SAID-10/first", "SAID-10/second")
    names = (*refuted, "SAID-10/first-repaired")
    records = [{"id": name, "verdict": "refuted" if name in refuted else "proved", "reach": ""} for name in names]
    results.write_text(json.dumps({"schema": 1, "run": {}, "claims": [r | {"own_verdict": None} for r in records]}))
    for asked, told in (
        ("SAID-10", ["SAID-10/first-repaired (proved): No more than one.", "no correction of SAID-10/second is known"]),
        ("SAID-10/first", ["SAID-10/first-repaired (proved): No more than one."]),
        ("SAID-10/first-repaired", []),
    ):
        explain_claim(asked, [module], results)
        said = capsys.readouterr().out.partition("\ncorrected: ")[2].partition("\n\n")[0]
        assert [line.strip() for line in said.splitlines()[1:]] == told


def test_a_finding_is_cut_between_words_on_a_terminal_and_nowhere_else(capsys, monkeypatch):
    line = "  B A-1 theorem: " + "for every privacy budget " * 8
    _print_wrapped(line, "bold")
    assert capsys.readouterr().out == f"{line}\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    _print_wrapped(line, "bold")
    shown = re.sub("\x1b\\[[0-9;]*m", "", capsys.readouterr().out)
    assert len(shown.splitlines()) > 3 and all(len(cut) <= 60 for cut in shown.splitlines())
    assert shown.split() == line.split()
