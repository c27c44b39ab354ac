"""Docstrings cite catalogue ids that exist."""

import re
from collections import Counter

import pytest

PAPERS = {"bernoulli-dp", "zcdp", "rdp", "adversarial", "thesis", "sharp"}
SOURCE = re.compile(r"Source:(.*?)(?:\n[ \t]*\n|\Z)", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def rows(root) -> list[dict[str, str]]:
    header, *lines = (root / "paper_checks" / "catalogue.tsv").read_text(encoding="utf-8").splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


@pytest.fixture(scope="module")
def known_ids(rows) -> list[str]:
    return [name for row in rows for name in (row["id"], *row["aliases"].split())]


def test_the_catalogue_gives_every_item_one_id_a_kind_a_paper_and_a_title(rows, known_ids):
    assert [name for name, count in Counter(known_ids).items() if count > 1] == []
    assert {row["paper"] for row in rows} == PAPERS
    assert all(row["id"] and row["kind"] and row["title"] for row in rows)


def test_every_source_in_a_docstring_names_an_item_of_the_catalogue(root, room_files, known_ids, read):
    prefixes = "|".join(sorted({name.split("-")[0] for name in known_ids}))
    cited_id = re.compile(rf"\b(?:{prefixes})-[A-Za-z0-9.-]*[A-Za-z0-9]")
    cited = [
        (str(path.relative_to(root)), cited_id.findall(source), source)
        for path in room_files
        for _, text in read(path).docstrings
        for source in SOURCE.findall(text)
    ]
    assert [(place, source) for place, ids, source in cited if not ids] == []
    assert [(place, name) for place, ids, _ in cited for name in ids if name not in known_ids] == []
