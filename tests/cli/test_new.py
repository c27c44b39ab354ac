"""banditproof new: the document that it writes is checked as it stands, with every false variant caught."""

import importlib
import sys
from functools import partial
from unittest.mock import patch

import pytest

from banditproof.claims import new_document
from banditproof.claims.documents import _FILES, Document, announce, catalogue, documents
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.report.printed.copies import read_copy
from banditproof.claims.report.printed.drafting import printed_statements
from banditproof.claims.report.printed.locating import Index, locate
from banditproof.claims.run.examine import examine
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import combined
from banditproof.claims.run.selftest import try_mutations
from banditproof.cli.checking import chosen_claims
from banditproof.theory.errors import InvalidInput
from tests.cases import rows, texts
from tests.cli import calling

TEXTS = texts(__file__)

status = partial(calling.status, command=["new"])


@pytest.fixture
def draft(tmp_path, monkeypatch, capsys):
    """The claims of a new document; the register is left as it was."""
    load()
    folder = tmp_path / "draft"
    assert status(["a-draft", "--title", "A draft", "--folder", str(folder)]) == 0
    assert "banditproof check --paper a-draft" in capsys.readouterr().out
    monkeypatch.syspath_prepend(str(folder))
    announce(importlib.import_module("a_draft_checks").DOCUMENT)
    with patch.dict(REGISTER):
        load()
        yield [c for c in REGISTER.values() if c.id.startswith("A-DRAFT-")]
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
        "L9": "supported",
    }
    assert {r["id"].removeprefix("A-DRAFT-"): r["verdict"] for r in records} == expected
    assert [m for c in draft for m in try_mutations(c, Settings()) if not m["caught"]] == []


PAPER = TEXTS["paper"]
LATEX = TEXTS["latex"]


WEB = TEXTS["web"]


def test_pages_of_the_web_have_other_blanks_and_numbers_right_behind_formulas(tmp_path):
    (tmp_path / "page.txt").write_text(WEB)
    found = [one.called for one in printed_statements(read_copy(tmp_path / "page.txt"))]
    assert found == ["(1)", "Algorithm 2", "Theorem 3", "(2.1)", "(2)"]


@pytest.mark.parametrize(
    ("file", "text", "printed"),
    [
        (
            "paper.txt",
            PAPER,
            {
                "D1": ("definition", "Regret (as usual)", "1"),
                "T2": ("theorem", "Theorem 2", "2.1"),
                "A1": ("algorithm", "Explore, then commit", "2.1"),
                "L3": ("lemma", "Lemma 3", "2.1"),
                "EQ4": ("equation", "(4)", "2.1"),
                "LA.1": ("lemma", "Markov", "A"),
            },
        ),
        (
            "paper.tex",
            LATEX,
            {
                "T1.1": ("theorem", "Lower bound", "1"),
                "L2.1": ("lemma", "Lemma 2.1", "2"),
                "EQ1": ("equation", "(1)", "2"),
                "TA.1": ("theorem", "Theorem A.1", "A"),
            },
        ),
    ],
)
def test_a_draft_has_what_the_paper_numbers_and_finds_it_there_again(
    tmp_path, monkeypatch, capsys, file, text, printed
):
    folder, paper = tmp_path / "draft", tmp_path / file
    paper.write_text(text)
    assert status(["from-paper", "--from", str(paper), "--folder", str(folder)]) == 0
    assert "1 of kind equation" in capsys.readouterr().out
    monkeypatch.syspath_prepend(str(folder))
    document = importlib.import_module("from_paper_checks").DOCUMENT
    announce(document)
    try:
        load(["from-paper"])
        items = {item.id.removeprefix("FROM-PAPER-"): item for item in document.items()}
        assert {name: (i.kind, i.title, i.section) for name, i in items.items()} == printed
        located = {one.item: one.state for one in locate(document, Index(read_copy(paper)))}
        assert located and set(located.values()) == {"found"}
        stubs = "".join(path.read_text() for path in (folder / "from_paper_checks").glob("*.py"))
        assert all(f'# @claim("FROM-PAPER-{name}"' in stubs for name in items)
        with pytest.raises(InvalidInput, match=r"a paper that has claims \('banditproof list --paper from-paper"):
            chosen_claims(["from-paper"], None, [])
    finally:
        del _FILES["from-paper"]
        catalogue.cache_clear()
        for name in [m for m in sys.modules if m.startswith("from_paper_checks")]:
            del sys.modules[name]


def test_a_paper_without_numbers_gives_no_draft(tmp_path, capsys):
    (tmp_path / "paper.txt").write_text("Theorem 2 of others says nothing here.\n")
    assert status(["from-paper", "--from", str(tmp_path / "paper.txt"), "--folder", str(tmp_path / "draft")]) == 2
    assert "headings such as" in capsys.readouterr().err


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


WITH_LABELS = TEXTS["with labels"]
NUMBERS = dict(rows(TEXTS["numbers"]))


@pytest.mark.parametrize("changed", [{}, {"eq:after": "1.3"}])
def test_numbers_of_a_source_are_compared_with_the_aux_file_beside_it(changed, tmp_path, capsys):
    """The numbers are those that LaTeX gives by its rules; only a label with another one is told."""
    (paper := tmp_path / "paper.tex").write_text(WITH_LABELS)
    lines = [rf"\newlabel{{{label}}}{{{{{number}}}{{1}}}}" for label, number in (NUMBERS | changed).items()]
    paper.with_suffix(".aux").write_text("\\relax\n" + "\n".join(lines) + "\n")
    assert status(["a-paper", "--from", str(paper), "--folder", str(tmp_path / "draft")]) == 0
    said = capsys.readouterr().err
    assert ("eq:after is 1.3 there and 1.2 here" in said) == bool(changed)
    assert said.count(" there and ") == len(changed)
