"""Five texts by other authors: what each states in formulas, in our own words, and where that fails.

A statement file stands beside this one for each text; `catalogue.tsv` lists the items. No text of theirs is stored.
"""

from pathlib import Path

from banditproof.claims import Document, announce
from banditproof.claims.paragraphs import register_file

_HERE = Path(__file__).parent
_CATALOGUE, _PROOFS = _HERE / "catalogue.tsv", _HERE / "proofs.json"
_TEXTS = (
    (
        "poisson-tails",
        "A short note on Poisson tail bounds",
        "C. Canonne",
        "2016, ccanonne/probabilitydistributiontoolbox, poissonconcentration.tex at commit 20c61f2",
    ),
    (
        "kl-tv",
        "A short note on an inequality between KL and TV",
        "C. Canonne",
        "2020, ccanonne/probabilitydistributiontoolbox, pinskers-and-beyond.tex at commit 03396e6",
    ),
    ("cdp-delta", "fn cdp_delta", "M. Shoemate", "opendp/opendp, cdp_delta.tex at commit 3bccc6e"),
    (
        "privacy-doona",
        "Privacy Doona: Why We Should Hide Among The Clones",
        "C. Canonne",
        "2022, differentialprivacy/differentialprivacy, _posts/2022-05-24-privacy-doona.md at commit 1d11e4d",
    ),
    (
        "doubling-tricks",
        "What Doubling Tricks Can and Cannot Do for Multi-Armed Bandits",
        "L. Besson, E. Kaufmann",
        "2018, Naereen/phd-thesis, Revisiting_Doubling_Trick_for_Multi-Armed_Bandits.tex at commit 05f9069",
    ),
)
for _name, _title, _authors, _version in _TEXTS:
    announce(Document(_name, _title, catalogue=_CATALOGUE, authors=_authors, version=_version, proofs=_PROOFS))
    register_file(_HERE / f"{_name}.md", __name__)
