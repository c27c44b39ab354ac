"""``banditproof locate`` on the note of the example, and what the reports quote of it."""

import json
import sys
from pathlib import Path

import pytest

from banditproof.claims.documents import Document
from banditproof.claims.report.printed import locating
from tests.cli.calling import status

COIN = Path(__file__).parents[2] / "examples" / "coin_paper"
NOTE = COIN / "note.txt"


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """A command line run here: exit status, what it printed and what it complained of; the coin note is announced."""
    folder = COIN / "coin_paper"
    document = Document(
        "coin", "A note on coins", "", folder / "catalogue.tsv", fingerprints=folder / "fingerprints.tsv"
    )
    monkeypatch.setattr(locating, "documents", lambda: {"coin": document})
    monkeypatch.chdir(tmp_path)

    return lambda *arguments: (status(map(str, arguments)), *capsys.readouterr())


def test_every_item_is_found_in_the_note_itself(run):
    code, said, _ = run("locate", NOTE)
    assert code == 0 and said.endswith("coin, 3 items: 3 found, 0 differs, 0 not found\n")
    assert "COIN-T1" in said and "line 9 " in said


def test_what_reads_differently_and_what_is_gone_is_listed_with_status_one(run, tmp_path):
    text = NOTE.read_text().replace("at most one quarter", "at most one third")
    (tmp_path / "changed.txt").write_text(text[: text.index("It is sometimes")])
    code, said, _ = run("locate", "changed.txt", "--json")
    items = {item["id"]: item for item in json.loads(said)["items"]}
    assert code == 1 and [item["state"] for item in items.values()] == ["found", "differs", "not found"]
    assert "“third”" in items["COIN-L2"]["altered"][0]
    code, said, _ = run("locate", "changed.txt")
    assert code == 1 and "found, but reads differently:" in said and said.endswith("1 found, 1 differs, 1 not found\n")


def test_a_copy_of_nothing_known_is_refused_in_a_line(run, tmp_path):
    (tmp_path / "other.txt").write_text("Bread rises when it is left alone. " * 20)
    code, said, complaint = run("locate", "other.txt")
    assert code == 2 and said == "" and complaint.count("\n") == 1 and "a copy of one of coin" in complaint
    assert run("locate", "other.txt", "--paper", "coin")[:2] == (1, run("locate", "other.txt", "--paper", "coin")[1])
    assert "a file that exists" in run("locate", "none.txt")[2]


def test_fingerprints_are_made_printed_and_put_into_a_file(run, tmp_path):
    code, said, _ = run("locate", NOTE, "--make", COIN / "spans.tsv")
    assert code == 0 and said == (COIN / "coin_paper" / "fingerprints.tsv").read_text()
    (tmp_path / "spans.tsv").write_text("COIN-T1\t300-600\n")
    assert (
        run("locate", NOTE, "--make", COIN / "spans.tsv", "--into", "made.tsv")[1]
        == "made.tsv: 3 rows written, 3 in it\n"
    )
    assert run("locate", NOTE, "--make", "spans.tsv", "--into", "made.tsv")[1] == "made.tsv: 1 rows written, 3 in it\n"
    (tmp_path / "bad.tsv").write_text("COIN-T1\t5-99999\n")
    assert "spans must be start-end with 0 <= start < end <=" in run("locate", NOTE, "--make", "bad.tsv")[2]
    assert "offsets count its characters" in run("locate", "x.pdf", "--make", "spans.tsv")[2]


def test_a_pdf_without_the_package_that_reads_it_is_refused_with_the_remedy(run, tmp_path, monkeypatch):
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.4")
    monkeypatch.setitem(sys.modules, "pypdf", None)
    code, _, complaint = run("locate", "paper.pdf")
    assert code == 2 and "pip install 'banditproof[pdf]'" in complaint


def test_a_pdf_is_read_page_by_page(run, tmp_path):
    pytest.importorskip("pypdf")
    first, behind = NOTE.read_text().split("1.2 Variance")
    (tmp_path / "note.pdf").write_bytes(pdf([first, behind]))
    code, said, _ = run("locate", "note.pdf")
    assert "page 1" in said and "page 2" in said and "3 found" in said and code == 0


def pdf(pages):
    """A PDF with a line of text under the other, written by hand."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    for page in pages:
        lines = [line.replace("(", r"\(").replace(")", r"\)") for line in page.splitlines()]
        drawn = "BT /F1 8 Tf 10 TL 20 800 Td " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        stream = drawn.encode("latin-1")
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 820] /Resources << /Font << /F1 %s >> >> "
            b"/Contents %d 0 R >>" % (font, len(objects) + 2)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{k} 0 R' for k in kids)}] >>".encode()
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF"
    return out + end % (len(objects) + 1, table, len(objects) + 1, len(out))


def test_findings_quote_the_copy_and_the_list_on_the_terminal_does_not(run):
    code, _, complaint = run("findings", "results.json", "--text", NOTE)
    assert code == 2 and "given with --markdown, --latex or --json" in complaint
