"""The claims of B. Hu and N. Hegde, Near-optimal Thompson sampling-based algorithms for private bandits (UAI 2022)."""

from importlib.resources import files

from banditproof.claims import Document

_CATALOGUE, _STATEMENTS, _PROOFS = (files(__name__) / n for n in ("catalogue.tsv", "statements.toml", "proofs.json"))

DOCUMENT = Document(
    "hu-hegde",
    "Near-optimal Thompson sampling-based algorithms for differentially private stochastic bandits",
    __name__,
    _CATALOGUE,
    statements=_STATEMENTS,
    proofs=_PROOFS,
    authors="B. Hu, N. Hegde",
    version="UAI 2022, PMLR 180:844-852, with its appendix",
)
