"""The registry of findings: ids that stay, files that anybody checks, and entries that are withdrawn with a reason."""

import json
import shutil
import subprocess
import sys

import pytest

from banditproof.claims import REGISTER, examine, load_module
from banditproof.claims.report.answers import accept, findings_of, read_answers
from banditproof.claims.report.registry import write_registry
from banditproof.claims.report.registry_check import mistakes
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble
from banditproof.theory.errors import InvalidInput
from tests.cases import texts

TEXTS = texts(__file__)

CLAIMS = "\n" + TEXTS["claims"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two claims that fail, as a check has them."""
    file = tmp_path_factory.mktemp("claims") / "registered.py"
    file.write_text(CLAIMS)
    before = set(REGISTER)
    load_module(file)
    try:
        claims = [REGISTER[name] for name in REGISTER if name not in before]
        yield assemble([examine(one, Settings()) for one in claims], Settings(), "banditproof check", 0.0)
    finally:
        for name in set(REGISTER) - before:
            del REGISTER[name]


def registered(folder, results, severities="ABCDE"):
    return write_registry(folder, results, findings_of(results), severities)


def entries(folder):
    return [json.loads(path.read_text()) for path in sorted(folder.glob("entries/*.json"))]


def checked(folder):
    done = subprocess.run([sys.executable, "-I", "-S", folder / "check.py"], capture_output=True, text=True)
    return done.returncode, done.stdout


def test_a_registry_is_checked_by_the_standard_library_and_written_again_to_the_letter(results, tmp_path):
    folder = tmp_path / "registry"
    assert registered(folder, results) == {"standing": 2, "withdrawn": 0, "superseded": 0}
    assert checked(folder) == (0, "2 entries, 2 receipts, 0 mistakes\n")
    written = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    registered(folder, results)
    assert written == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    first = next(one for one in entries(folder) if one["item"] == "REGISTERED-1")
    assert first["point"] == [["x", "1"]] and (first["left"], first["operator"], first["right"]) == ("1", "<", "1")


@pytest.mark.parametrize(
    ("kind", "altered", "said"),
    [
        ("entries/*.json", lambda text: text.replace("<", ">"), "is not the file of the manifest"),
        ("receipts/*.py", lambda text: text.replace("1", "3"), "does not confirm its counterexample"),
        ("receipts/*.py", None, "is missing"),
        ("index.jsonl", lambda text: text.splitlines()[0] + "\n", "other ids than the entries"),
        ("manifest.txt", lambda text: text.replace("entries/", "others/"), "stands in no line of the manifest"),
    ],
)
def test_what_is_altered_is_found(kind, altered, said, results, tmp_path):
    registered(tmp_path / "r", results)
    path = next((tmp_path / "r").glob(kind))
    path.write_text(altered(path.read_text())) if altered else path.unlink()
    code, told = checked(tmp_path / "r")
    assert code == 1 and said in told


def test_an_id_belongs_to_its_statement(results, tmp_path):
    registered(tmp_path / "r", results)
    path = next((tmp_path / "r").glob("entries/*.json"))
    other = path.with_stem("0" * 16)
    path.rename(other)
    assert f"{other.name} stands in no line of the manifest" in list(mistakes(tmp_path / "r"))
    manifest = tmp_path / "r/manifest.txt"
    manifest.write_text(manifest.read_text().replace(f"entries/{path.stem}", f"entries/{other.stem}"))
    assert f"{other.name} has the id of another statement" in list(mistakes(tmp_path / "r"))


def test_what_fails_no_longer_is_withdrawn_and_what_was_said_in_other_words_superseded(results, tmp_path):
    folder = tmp_path / "r"
    registered(folder, results)
    first, second = results["claims"]
    now = [first | {"statement": "$x^2<x$ for all $x$."}, second | {"verdict": "proved", "own_verdict": "proved"}]
    assert registered(folder, results | {"claims": now}) == {"standing": 1, "withdrawn": 1, "superseded": 1}
    status = {(one["claim"], one["status"]): one for one in entries(folder)}
    assert status["REGISTERED-1", "standing"]["id"] in status["REGISTERED-1", "superseded"]["reason"]
    assert "does not refute" in status["REGISTERED-2", "withdrawn"]["reason"]
    assert checked(folder)[0] == 0


def test_entries_of_others_and_of_other_severities_stay(results, tmp_path):
    folder = tmp_path / "r"
    registered(folder, results)
    stayed = {"standing": 2, "withdrawn": 0, "superseded": 0}
    assert registered(folder, results | {"claims": []}) == stayed
    assert registered(folder, results, severities="E") == stayed
    assert write_registry(folder, results, [], "ABCDE") == stayed, "refuted still, in the finding of another document"


def test_two_registries_merge_file_by_file_and_by_lines_and_what_one_withdrew_stays_withdrawn(results, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    registered(one, results | {"claims": results["claims"][:1]})
    proved = results["claims"][0] | {"verdict": "proved", "own_verdict": "proved"}
    registered(one, results | {"claims": [proved]})
    registered(other, results | {"claims": results["claims"][1:]})
    for path in other.glob("*/*"):
        shutil.copy(path, one / path.relative_to(other))
    for name in ("index.jsonl", "manifest.txt"):
        lines = {*(one / name).read_text().splitlines(), *(other / name).read_text().splitlines()}
        (one / name).write_text("\n".join(sorted(lines)) + "\n")
    assert checked(one) == (0, "2 entries, 2 receipts, 0 mistakes\n")
    assert {e["claim"]: e["status"] for e in entries(one)} == {"REGISTERED-1": "withdrawn", "REGISTERED-2": "standing"}


def test_an_entry_has_the_answer_of_the_author(results, tmp_path):
    accept(results, "REGISTERED-1", "B. Author", "An end too many.", tmp_path / "answers.json")
    registered(tmp_path / "r", results | {"answers": read_answers(tmp_path / "answers.json")})
    assert {one["claim"]: [a["note"] for a in one["answers"]] for one in entries(tmp_path / "r")} == {
        "REGISTERED-1": ["An end too many."],
        "REGISTERED-2": [],
    }


def test_half_an_entry_is_named(results, tmp_path):
    registered(tmp_path / "r", results)
    path = next((tmp_path / "r").glob("entries/*.json"))
    path.write_text("{")
    with pytest.raises(InvalidInput, match=path.stem):
        registered(tmp_path / "r", results)


def test_a_folder_with_other_files_is_left_alone(results, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InvalidInput, match="new folder"):
        registered(tmp_path, results)
