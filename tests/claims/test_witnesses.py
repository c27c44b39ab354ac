"""Every theorem has an instance that meets its hypotheses, or says that none is needed, or is a finding."""

from fractions import Fraction

from banditproof.claims import REGISTER, documents, load
from banditproof.claims.witnesses import UNRESTRICTED, hypotheses
from tests.cases import texts

TEXTS = texts(__file__)

ASSUMING = ("theorem", "proposition", "lemma", "corollary")  # the kinds of items that have hypotheses
DRAFT = "\n" + TEXTS["draft"]
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
