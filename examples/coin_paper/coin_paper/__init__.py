"""A note on coins: an example of a document that is checked by banditproof."""

from importlib.resources import files

from banditproof.claims import Document

_CATALOGUE, _FINGERPRINTS, _PROOFS = (
    files(__name__) / name for name in ("catalogue.tsv", "fingerprints.tsv", "proofs.json")
)

DOCUMENT = Document("coin", "A note on coins", __name__, _CATALOGUE, fingerprints=_FINGERPRINTS, proofs=_PROOFS)
