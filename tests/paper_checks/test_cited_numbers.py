"""What a claim cites of its own document is there: an author finds it, and no number is that of a twin's document."""

import re
from collections import defaultdict
from functools import cache

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.documents import catalogue, documents
from banditproof.claims.report.cards import said_beside

KINDS = "Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Remark"
CITED = re.compile(rf"\b({KINDS}) (\d+(?:\.\d+)*|[A-Z]\.\d+(?:\.\d+)*)\b")
OURS = re.compile(r"(?<![\w-])EQ-?[A-Z\d]\w*")  # without a document before it, as 'ZCDP-EQ2', which is an id


def numbers():
    """By document, what its catalogue numbers: 'Theorem 8'."""
    known = defaultdict(set)
    for item in catalogue().values():
        known[item.paper] |= {m[0] for m in CITED.finditer(item.number)}
    return known


@cache
def told():
    """Every claim with what a reader of the report is told first of it."""
    load()
    return [(c, f"{c.shown()} {' '.join(said_beside(c)[:1])} {c.slip}") for c in REGISTER.values()]


@pytest.mark.parametrize("paper", ["bernoulli-dp", "zcdp", "rdp", "adversarial", "thesis"])
def test_cited_numbers_are_those_of_the_document(paper):
    assert paper in documents()
    known = numbers()[paper]
    missing = [
        (claim.id, cited[0])
        for claim, text in told()
        if claim.paper == paper
        for cited in CITED.finditer(re.sub(r"(?:of|in) \[[^\]]*\]", "", text))
        if cited[0] not in known
    ]
    assert known and missing == []


def test_no_name_of_ours_is_told_as_one_of_the_document():
    assert [claim.id for claim, text in told() if OURS.search(text)] == []
