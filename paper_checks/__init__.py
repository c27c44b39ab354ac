"""What is claimed: one folder per document, by chapter and section as printed.

The five documents, and what this project adds to them, are announced to ``banditproof.claims`` like anybody's (entry
point group ``banditproof.documents``).
"""

from importlib.resources import files

from banditproof.claims.documents import Document

_CATALOGUE, _FINGERPRINTS = (files(__name__) / name for name in ("catalogue.tsv", "fingerprints.tsv"))


def _document(name: str, title: str, authors: str, version: str, link: str = "", **parts: str) -> Document:
    folder = name.replace("-", "_")
    return Document(
        name,
        title,
        f"{__name__}.{folder}",
        _CATALOGUE,
        f"{__name__}.shared",
        _FINGERPRINTS,
        files(__name__) / folder / "statements.toml",
        authors,
        version,
        link,
        files(__name__) / folder / "proofs.json",
        parts,
    )


DOCUMENTS = (
    _document(
        "bernoulli-dp",
        "Optimal Regret of Bernoulli Bandits under Global Differential Privacy",
        "Achraf Azize, Yulian Wu, Junya Honda, Francesco Orabona, Shinji Ito, Debabrota Basu",
        "arXiv:2505.05613v1, 2025",
        "https://arxiv.org/abs/2505.05613v1",
    ),
    _document(
        "thesis",
        "Privacy-Utility Trade-offs in Sequential Decision-Making under Uncertainty",
        "Achraf Azize",
        "Doctoral thesis 2024ULILB029, Université de Lille, 2024",
        MIA="membership inference attacks",
    ),
    _document(
        "zcdp",
        "Concentrated Differential Privacy for Bandits",
        "Achraf Azize, Debabrota Basu",
        "arXiv:2309.00557, 2023",
        "https://arxiv.org/abs/2309.00557",
    ),
    _document("rdp", "Rényi Differentially Private Bandits", "Achraf Azize, Debabrota Basu", ""),
    _document(
        "adversarial",
        "Faster Rates for Private Adversarial Bandits",
        "Hilal Asi, Vinod Raman, Kunal Talwar",
        "arXiv:2505.21790, 2025",
        "https://arxiv.org/abs/2505.21790",
    ),
    Document(
        "sharp",
        "What a private policy shows, arm by arm",
        f"{__name__}.sharp",
        _CATALOGUE,
        authors="This project",
        version="docs/arm-by-arm.md",
    ),
)
