"""What a stored result depends on: nothing that changed is taken up, nothing unchanged is done again."""

import sys
from pathlib import Path

import numpy as np
import pytest

from banditproof.algorithms.run.checkpoints import bytes_of
from banditproof.claims import REGISTER, Study, fingerprint, load_module, seal, stating
from banditproof.claims.run.record import Settings, key
from banditproof.claims.run.runner import piece_path, run, stored_piece
from banditproof.theory.errors import InvalidInput
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


@pytest.fixture
def claim(load_draft, divided_workers):
    load_draft(DRAFT, "draft_of_reuse")
    return REGISTER["REUSE-1"]


def results(claim, tmp_path, **options):
    seen = []
    module = [tmp_path / "draft_of_reuse.py"]
    options |= {"modules": module, "workers": 1, "progress": lambda kind, record: seen.append(kind)}
    run([claim], Settings(), tmp_path / "out", **options)
    return seen


def test_an_unchanged_claim_is_taken_up_and_a_fresh_run_takes_up_none(claim, tmp_path):
    assert results(claim, tmp_path, reuse=True, selftest=True) == ["claim", "mutations"]
    assert results(claim, tmp_path, reuse=True, selftest=True) == ["reused", "reused"]
    assert results(claim, tmp_path, reuse=False, selftest=True) == ["claim", "mutations"]


DAMAGED = {
    "cut short": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "another value": lambda content: b"[]",
    "no text": lambda content: b"\xff\xfe" + content,
    "another verdict": lambda content: content.replace(b'"proved"', b'"refuted"'),
    "another seal": lambda content: b"0" * 48 + content[48:],
    "no seal": lambda content: content.partition(b"\n")[2],
}


def test_a_damaged_or_forged_piece_is_computed_again(claim, tmp_path):
    results(claim, tmp_path, reuse=True)
    pieces = tmp_path / "out" / "pieces"
    path = piece_path(pieces, "claim", claim.id)
    content = path.read_bytes()
    assert stored_piece(pieces, "claim", claim, Settings())
    for what, damage in DAMAGED.items():
        path.write_bytes(damage(content))
        assert stored_piece(pieces, "claim", claim, Settings()) is None, what
    assert results(claim, tmp_path, reuse=True) == ["claim"]


def test_a_piece_under_the_name_of_another_is_computed_again(claim, tmp_path):
    results(claim, tmp_path, selftest=True)
    pieces = tmp_path / "out" / "pieces"
    tried, own = (piece_path(pieces, kind, claim.id) for kind in ("mutations", "claim"))
    tried.replace(own)  # the same claim and key, and no verdict in it
    assert results(claim, tmp_path, reuse=True, selftest=True) == ["claim", "mutations"]


def numbered(seed, count):
    numbered.calls += 1
    return {"x": np.arange(count), "y": np.full(count, 0.5)}


def overwritten(**arrays):
    return lambda stored, other: stored.write_bytes(bytes_of({"x": np.arange(3), "y": np.full(3, 0.5)} | arrays))


@pytest.mark.parametrize(
    "damage",
    [
        lambda stored, other: stored.write_bytes(stored.read_bytes()[:-40]),
        lambda stored, other: stored.write_bytes(b""),
        lambda stored, other: stored.with_suffix(".seal").write_bytes(b"\xff"),
        lambda stored, other: stored.with_suffix(".seal").unlink(),
        lambda stored, other: [other.with_suffix(e).replace(stored.with_suffix(e)) for e in (".npz", ".seal")],
        overwritten(x=np.arange(6)[::2]),
        overwritten(x=np.arange(2)),
        overwritten(y=np.full(3, np.nan)),
        overwritten(y=np.full((3, 1), 0.5)),
        overwritten(y=np.full(3, 0.5, np.float32)),
    ],
)
def test_a_study_that_is_damaged_or_renamed_is_computed_again(tmp_path, damage):
    numbered.calls = 0
    study = Study("numbered", numbered, {"count": 3}, {"count": 4})
    kept = {profile: study.result(profile, 0, tmp_path) for profile in ("quick", "full")}
    damage(*(study.file(profile, 0, tmp_path) for profile in kept))
    for _ in range(2):  # what was computed again is filed again
        assert all(np.array_equal(again, kept["quick"][n]) for n, again in study.result("quick", 0, tmp_path).items())
    assert numbered.calls == 3


def test_a_piece_of_another_user_is_not_believed(claim, tmp_path, monkeypatch):
    results(claim, tmp_path, reuse=True)
    monkeypatch.setattr(seal, "_secret", lambda: b"somebody else's")
    assert stored_piece(tmp_path / "out" / "pieces", "claim", claim, Settings()) is None


@pytest.mark.parametrize("claim_id", ["A/b", "A--b", 'x<>":\\|?*', "long" * 80])
def test_every_id_has_a_file_name_of_its_own_that_any_system_takes(tmp_path, claim_id):
    others = {
        piece_path(tmp_path, kind, name) for kind in ("claim", "mutations") for name in ("A-b", "A b", "long" * 79)
    }
    path = piece_path(tmp_path, "claim", claim_id)
    assert path not in others and len(path.name) < 120 and not set(path.name) & set('<>":\\|?*/')


LOOSE = TEXTS["loose"]


def test_a_claim_of_a_file_that_is_shown_in_another_way_is_checked_again(tmp_path):
    path, keys = tmp_path / "loose_claims.py", set()
    for method in ("deduced()", "found"):
        path.write_text(LOOSE.format(method=method))
        load_module(path)
        keys.add(key(REGISTER.pop("LOOSE-1"), Settings()))
        del sys.modules["loose_claims"]
    assert len(keys) == 2


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A document with a chapter: b imports c of the chapter inside a function, and a face; a stands alone."""
    folder = tmp_path / "leaning_paper"
    (folder / "ch1").mkdir(parents=True)
    for name, text in {
        "__init__": "",
        "a": "X = 1",
        "b": "def f():\n    from leaning_paper.ch1.c import Y\n    return Y\nfrom banditproof.theory import d_epsilon",
        "ch1/__init__": "",
        "ch1/c": "WHERE, TABLE = 'privacy_threshold(x, y) < 1', 'words.txt'\nY = 2",
    }.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    fingerprint.forget_places()
    yield folder
    fingerprint.forget_places()
    for name in [n for n in sys.modules if n.startswith("leaning_paper")]:
        del sys.modules[name]


def test_a_module_reaches_what_it_imports_anywhere_through_faces_and_in_formulas(package):
    reached = fingerprint.reached(["leaning_paper.b"])
    assert {"leaning_paper.ch1.c", "banditproof.theory.laws.bernoulli", "banditproof.theory.numbers.numeric"} <= reached
    assert "leaning_paper.a" not in reached and not any(m.startswith("banditproof.algorithms") for m in reached)


@pytest.mark.parametrize(
    "text",
    [
        "from leaning_paper.ch1 import c",
        "if X: import leaning_paper.ch1.c as d",
        "import sys, leaning_paper.ch1.c",
        "from leaning_paper \\\n    import a, \\\n    ch1; from leaning_paper.ch1.c import Y",
        "from leaning_paper.ch1 import (  # of (many)\n    nothing,  # a comment (with brackets)\n    c,\n)",
        "def f():\n    from leaning_paper.ch1.c import *",
    ],
)
def test_an_import_is_read_however_it_is_written(package, text):
    folder = package
    (folder / "a.py").write_text(f"X = 1\n{text}\n")
    fingerprint.forget_places()
    assert "leaning_paper.ch1.c" in fingerprint.imported("leaning_paper.a")


@pytest.mark.parametrize(
    ("edited", "changed"),
    [("a.py", False), ("b.py", True), ("ch1/c.py", True), ("ch1/words.txt", True), ("ch1/others.txt", False)],
)
def test_an_edit_changes_the_digest_of_what_leans_on_it_only(package, edited, changed):
    path = package / edited
    path.touch()
    before = fingerprint.source_digest("leaning_paper.b")
    path.write_text(path.read_text() + "\nZ = 3")
    fingerprint.forget_places()
    assert (fingerprint.source_digest("leaning_paper.b") != before) is changed


@pytest.mark.parametrize(("edited", "changed"), [("helper", True), ("behind_it", True), ("aside", False)])
def test_a_file_of_claims_depends_on_the_files_beside_it_that_it_imports(tmp_path, monkeypatch, edited, changed):
    texts = {"own_claims": "from helper import TOP", "helper": "import behind_it", "behind_it": "", "aside": ""}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(f"import math, numpy\n{text}\nTOP = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    fingerprint.forget_places()
    assert fingerprint.reached(["own_claims"]) == {"own_claims", "helper", "behind_it"}
    before = fingerprint.source_digest("own_claims")
    (tmp_path / f"{edited}.py").write_text("TOP = 2\n")
    fingerprint.forget_places()
    assert (fingerprint.source_digest("own_claims") != before) is changed


def test_a_file_of_claims_is_checked_again_where_its_statement_changes_with_a_file_that_it_reads(load_draft, tmp_path):
    data = tmp_path / "top.txt"
    load_draft(DRAFT.replace("x * (1 - x)", f"x * (1 - x) * open({str(data)!r}).read().count('o')"), "draft_of_reuse")
    keys = []
    for words in ("one", "only", "two or more"):
        data.write_text(words)
        stating._traced.cache_clear()  # as in a process of its own
        keys.append(key(REGISTER["REUSE-1"], Settings()))
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("name", ["numbers", "sympy"])
def test_a_file_of_claims_may_not_have_the_name_of_a_library(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("")
    with pytest.raises(InvalidInput, match=f"{name} is the name of a library"):
        load_module(tmp_path / f"{name}.py")


def test_what_checks_every_claim_depends_on_the_provers_and_the_numbers():
    reached = fingerprint.reached(fingerprint.MACHINERY)
    for module in ("verify.proof.box", "verify.proof.cases", "claims.verdict", "theory.numbers.numeric"):
        assert f"banditproof.{module}" in reached


def test_a_file_of_claims_lets_no_source_of_the_project_be_read_again(monkeypatch):
    before = fingerprint.source_digest(*fingerprint.MACHINERY)
    fingerprint.forget_places()
    monkeypatch.setattr(Path, "open", None)
    assert fingerprint.source_digest(*fingerprint.MACHINERY) == before
