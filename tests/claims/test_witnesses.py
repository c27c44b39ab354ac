"""Every theorem has an instance that meets its hypotheses, or says that none is needed, or is a finding."""

from fractions import Fraction

from banditproof.claims import REGISTER, documents, load
from banditproof.claims.witnesses import UNRESTRICTED, hypotheses

ASSUMING = ("theorem", "proposition", "lemma", "corollary")  # the kinds of items that have hypotheses
DRAFT = """
    from typing import Annotated, Any

    from banditproof.claims import Positive, announce, claim, fails_at, step
    found = step(lambda check, relation: check.deduction(relation, 60), "deduction")
    from banditproof.claims.documents import Document
    from pathlib import Path

    announce(Document("witnessed", "Witnessed", catalogue=Path(__file__).with_name("witnessed.tsv")))

    @claim("WIT-1", found, where=["y > x"])
    def larger(x: Positive, y: Annotated[Any, "(0, 3]"]):
        "$x y > 0$"
        return x * y, ">", 0

    @claim("WIT-2", found)
    def empty(x: Positive):
        "$x > 0$ whenever $x^2 < 0$"
        return x, ">", 0

    @claim("WIT-2/hypotheses", fails_at(x=1), role="hypotheses")
    def a_negative_square(x: Positive):
        "some $x$ has $x^2<0$"
        return x * x, "<", 0

    @claim("WIT-3", found)
    def anywhere(x: Positive):
        "$x > 0$"
        return x, ">", 0
"""
TABLE = """
    id|aliases|kind|title|hypotheses
    WIT-1||theorem|one|domain
    WIT-2||theorem|two|WIT-2/hypotheses
    WIT-3||theorem|three|
    WIT-4||lemma|four|-
"""


def test_a_witness_is_a_point_of_the_domain_a_claim_or_not_needed(load_draft, tmp_path):
    rows = "\n".join(line.strip().replace("|", "\t") for line in TABLE.strip().splitlines())
    (tmp_path / "witnessed.tsv").write_text(rows)
    load_draft(DRAFT, "witnessed")
    met = hypotheses("WIT-1")
    x, y = (Fraction(part.rpartition(" = ")[2]) for part in met.removeprefix("met, for instance, at ").split(", "))
    assert 0 < x < y <= 3
    assert hypotheses("WIT-2") == "see WIT-2/hypotheses" and hypotheses("WIT-4") == UNRESTRICTED
    assert hypotheses("WIT-3") is None


def test_every_theorem_of_the_documents_has_a_witness_or_needs_none():
    load()
    assuming = [entry.id for entry in documents.catalogue().values() if entry.kind in ASSUMING]
    assert len(assuming) > 150 and [item for item in assuming if item in REGISTER and hypotheses(item) is None] == []
