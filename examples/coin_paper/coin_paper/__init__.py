"""A note on coins: an example of a document that is checked by banditproof."""

from importlib.resources import files

from banditproof.claims import Document

DOCUMENT = Document("coin", "A note on coins", __name__, files(__name__) / "catalogue.tsv")
