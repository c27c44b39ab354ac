"""What is claimed: one folder per document, by chapter and section as printed.

The five documents are announced to ``banditproof.claims`` like anybody's (entry point group ``banditproof.documents``).
"""

from importlib.resources import files

from banditproof.claims.documents import Document

_CATALOGUE, _FINGERPRINTS = (files(__name__) / name for name in ("catalogue.tsv", "fingerprints.tsv"))


def _document(name: str, title: str) -> Document:
    folder = name.replace("-", "_")
    return Document(
        name,
        title,
        f"{__name__}.{folder}",
        _CATALOGUE,
        f"{__name__}.shared",
        _FINGERPRINTS,
        files(__name__) / folder / "statements.toml",
    )


DOCUMENTS = tuple(
    _document(name, title)
    for name, title in (
        ("bernoulli-dp", "Optimal Regret of Bernoulli Bandits under Global Differential Privacy"),
        ("thesis", "Privacy-Utility Trade-offs in Sequential Decision-Making under Uncertainty"),
        ("zcdp", "Concentrated Differential Privacy for Bandits"),
        ("rdp", "Rényi Differentially Private Bandits"),
        ("adversarial", "Faster Rates for Private Adversarial Bandits"),
    )
)
