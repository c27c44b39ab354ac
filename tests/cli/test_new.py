"""banditproof new: the document that it writes is checked as it stands, with every false variant caught."""

import importlib
import sys

import pytest

from banditproof.claims import new_document
from banditproof.claims.documents import _FILES, Document, announce, catalogue, documents
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.run.examine import Settings, examine
from banditproof.claims.run.results import combined
from banditproof.claims.run.selftest import try_mutations
from banditproof.cli import main
from banditproof.theory.errors import InvalidInput


def status(arguments):
    with pytest.raises(SystemExit) as left:
        main(["new", *arguments])
    return left.value.code


@pytest.fixture
def draft(tmp_path, monkeypatch, capsys):
    """The claims of a new document; the register is left as it was."""
    load()
    folder, before = tmp_path / "draft", dict(REGISTER)
    assert status(["a-draft", "--title", "A draft", "--folder", str(folder)]) == 0
    assert "banditproof check --paper a-draft" in capsys.readouterr().out
    monkeypatch.syspath_prepend(str(folder))
    announce(importlib.import_module("a_draft_checks").DOCUMENT)
    load()
    yield [c for c in REGISTER.values() if c.id.startswith("A-DRAFT-")]
    REGISTER.clear()
    REGISTER.update(before)
    del _FILES["a-draft"]
    catalogue.cache_clear()
    for name in [m for m in sys.modules if m.startswith("a_draft_checks")]:
        del sys.modules[name]


def test_every_claim_has_its_verdict_and_its_variants_are_caught(draft):
    assert documents()["a-draft"].title == "A draft"
    records = combined([examine(c, Settings()) for c in draft])
    expected = {
        "T1": "refuted",
        "T1/quarter": "proved",
        "T1/strict": "refuted",
        "T1/repaired": "proved",
        "L2": "supported",
        "L3": "supported",
        "P4": "supported",
        "C5": "proved",
        "S6": "not checkable",
        "L7": "proved",
        "S8": "supported",
    }
    assert {r["id"].removeprefix("A-DRAFT-"): r["verdict"] for r in records} == expected
    assert [m for c in draft for m in try_mutations(c, Settings()) if not m["caught"]] == []


@pytest.mark.parametrize(("name", "named"), [("A Draft", "name must be"), ("3d", "name must be")])
def test_bad_names_and_folders_that_exist_are_refused(tmp_path, capsys, name, named):
    assert status([name, "--folder", str(tmp_path / "x")]) == 2 and named in capsys.readouterr().err
    assert status(["fine", "--folder", str(tmp_path)]) == 2 and "folder must be" in capsys.readouterr().err


def test_a_package_that_there_is_no_room_for_leaves_the_next_try_its_place(tmp_path, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(new_document, "write_atomically", full)
        assert status(["a-draft", "--folder", str(tmp_path / "draft")]) == 2
    assert status(["a-draft", "--folder", str(tmp_path / "draft")]) == 0


def test_a_package_that_does_not_import_is_named_with_its_line_and_leaves_the_others_alone(
    tmp_path, monkeypatch, recwarn
):
    package = tmp_path / "broken_checks"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "s1.py").write_text("from banditproof.claims import claim\n\nclaimm\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    announce(Document("broken", "A broken document", "broken_checks"))
    try:
        with pytest.raises(InvalidInput, match=r"s1.py, line 3: NameError: name 'claimm' is not defined"):
            load()
        load(["rdp"])
        (told,) = (str(w.message) for w in recwarn if "broken" in str(w.message))
        assert told.startswith("broken is left out: document must be a package that imports (s1.py, line 3")
    finally:
        del _FILES["broken"]
        catalogue.cache_clear()
