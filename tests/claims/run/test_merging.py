"""Reports that merge: a narrower run takes nothing from a wider one, and no verdict depends on what was asked for."""

import json
import textwrap

import pytest

from banditproof.claims import REGISTER, examine, load
from banditproof.claims.documents import _FILES, Document, announce, catalogue
from banditproof.claims.report.reports import remove_older, write_reports
from banditproof.claims.run.merging import foundation, kept_documents
from banditproof.claims.run.rechecking import problems_of_document
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import asked_for, assemble, counted, write_results
from banditproof.theory.errors import InvalidInput
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


@pytest.fixture
def claims(load_draft, tmp_path):
    """The claims of two documents; one claim of the second rests on an item of the first."""
    load()
    tables = {"base": "BASE-1", "top": "TOP-1"}
    for name, item in tables.items():
        table = tmp_path / f"{name}.tsv"
        table.write_text(f"id\taliases\tkind\ttitle\n{item}\t\ttheorem\tvariance\n")
        announce(Document(name, name, catalogue=table))
    load_draft(DRAFT, "draft_of_merging")
    yield {c.id: c for c in REGISTER.values() if c.paper in tables}
    for name in tables:
        del _FILES[name]
    catalogue.cache_clear()


def document(claims, aside=(), settings=None, **asked):
    settings = settings or Settings()
    return assemble([examine(c, settings) for c in claims], settings, "check", 1.0, asked, [c.id for c in aside])


def test_what_a_claim_rests_on_is_looked_at_with_what_decides_it(claims):
    top = claims["TOP-1"]
    assert [c.id for c in foundation([top])] == ["BASE-1", "BASE-1/part"]
    assert foundation(claims.values()) == []
    (alone,) = document([top], papers=["top"])["claims"]
    assert alone["verdict"] == "supported" and "not checked in this run" in alone["reach"]
    whole = document([top, *foundation([top])], foundation([top]), papers=["top"])
    assert whole["claims"][0]["verdict"] == "proved"
    assert [r["id"] for r in asked_for(whole)["claims"]] == ["TOP-1"]
    assert whole["run"]["counts"]["items"] == {"proved": 1}


def test_a_recheck_finds_what_is_set_aside_without_reason(claims):
    basis = foundation([claims["TOP-1"]])
    results = document([claims["TOP-1"], *basis], basis, papers=["top"])
    own = [examine(REGISTER[r["id"]], Settings()) for r in results["claims"]]
    assert list(problems_of_document(results, own)) == []
    results["run"] |= {"rested_on": ["BASE-1", "BASE-1/part", "TOP-1"], "counts": counted([])}
    said = " ".join(map(str, problems_of_document(results, own)))
    assert "no claim in the file rests on TOP-1, which it lists under rested_on" in said
    assert "1 of 1 are missing (TOP-1)" in said


@pytest.fixture
def folder(claims, tmp_path):
    """A report about both documents."""
    answer = document(claims.values(), papers=["base", "top"])
    write_results(answer, tmp_path / "results.json")
    write_reports(answer, list(claims.values()), Settings(), tmp_path, ["html", "junit", "markdown"])
    return tmp_path


def test_a_document_that_is_not_asked_for_is_kept_with_the_run_that_checked_it(claims, folder):
    kept = kept_documents(folder, Settings(), {"top"})
    assert [c.id for c in kept.claims] == ["BASE-1", "BASE-1/part", "BASE-1/remark"] and not kept.changed
    assert kept.runs["base"]["command"] == "check" and kept.runs["base"]["seconds"] == 1.0
    assert kept_documents(folder, Settings(), {"base", "top"}).claims == []
    assert kept_documents(folder / "nowhere", Settings(), {"top"}).claims == []


def test_a_document_that_has_changed_leaves_the_report(claims, folder):
    path = folder / "results.json"
    path.write_text(path.read_text().replace('"key": "', '"key": "0', 1))
    kept = kept_documents(folder, Settings(), {"top"})
    assert (kept.claims, kept.changed) == ([], ["base"])


@pytest.mark.parametrize("settings", [Settings("full"), Settings(root_seed=7)])
def test_a_report_of_another_profile_or_seed_is_not_mixed_with(folder, settings):
    with pytest.raises(InvalidInput, match="output must be another folder: .* base in it would be lost"):
        kept_documents(folder, settings, {"top"})
    assert kept_documents(folder, settings, {"base", "top"}).claims == []


def test_a_report_about_an_unknown_document_is_not_overwritten(folder):
    path = folder / "results.json"
    path.write_text(path.read_text().replace('"paper": "base"', '"paper": "forgotten"'))
    with pytest.raises(InvalidInput, match="forgotten would be lost"):
        kept_documents(folder, Settings(), {"top"})


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema": 1}', '{"schema": 1, "run": {}, "claims": [1]}'])
def test_a_file_that_is_no_report_keeps_nothing(tmp_path, text):
    (tmp_path / "results.json").write_text(text)
    assert kept_documents(tmp_path, Settings(), set()).claims == []


def test_no_page_of_an_earlier_report_stays_and_no_file_of_others_goes(claims, folder):
    (folder / "notes.html").write_text("<p>mine</p>")
    assert {p.name for p in folder.glob("*.html")} == {"index.html", "base.html", "top.html", "notes.html"}
    narrow = document([claims["TOP-1"]], papers=["top"])
    remove_older(folder, write_reports(narrow, [claims["TOP-1"]], Settings(), folder, ["html"]))
    assert {p.name for p in folder.glob("*.html")} == {"index.html", "notes.html"}
    assert not (folder / "junit.xml").exists() and not (folder / "report.md").exists()
    assert json.loads((folder / "results.json").read_text())["schema"] == 1


FILE = "\n" + TEXTS["file"]


def test_a_narrower_check_leaves_a_wider_report_whole(banditproof, tmp_path):
    for name in ("first", "second"):
        text = textwrap.dedent(FILE).replace("{name}", name).replace("{id}", name.upper())
        (tmp_path / f"{name}.py").write_text(text)
        table = f"id\taliases\tkind\ttitle\n{name.upper()}-1\t\tlemma\tvariance\n"
        (tmp_path / f"{name}.tsv").write_text(table)

    def check(*arguments):
        files = ["--module", "first.py", "--module", "second.py", "--output", "out", "--workers", "1"]
        done = banditproof("check", *files, *arguments, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        results = json.loads((tmp_path / "out" / "results.json").read_text())
        return done.stdout, results["run"], {r["id"]: r["mutations"] for r in results["claims"]}

    _, whole, _ = check()
    _, run, variants = check("--paper", "first", "--no-selftest", "--fresh")
    assert run["asked"]["papers"] == ["first", "second"] and run["kept"]["second"]["command"] == whole["command"]
    assert variants["FIRST-1"] == [] and variants["SECOND-1"][0]["caught"]
    assert {p.name for p in (tmp_path / "out").glob("*.html")} == {"index.html", "first.html", "second.html"}
    with (tmp_path / "second.py").open("a") as file:
        file.write("\nX = 1\n")
    said, run, variants = check("--paper", "first")
    assert "second has changed since its last check, so the report omits it" in said
    assert list(variants) == ["FIRST-1"] and run["kept"] == {}
    assert {p.name for p in (tmp_path / "out").glob("*.html")} == {"index.html"}
