"""Section V-A: the privacy of a mechanism that is run on blocks of the data (Lemma 1)."""

from banditproof.claims.register import restate, restate_parts

restate_parts(
    "ZCDP-L1",
    r"A mechanism that is $(\epsilon,\delta)$-DP, or $\rho$-zCDP, run on each block of a fixed partition of the data, "
    "is so as a whole.",
    {"approximate": "TH-L2.10/approximate", "zcdp": "TH-L2.10/zcdp"},
)

restate("ZCDP-L1/indexes-up-to-t", "TH-L2.10/indexes-up-to-n")
restate("ZCDP-L1/indexes-up-to-t-plus-one", "TH-L2.10/indexes-up-to-n-plus-one", repairs="ZCDP-L1/indexes-up-to-t")
restate("ZCDP-L1/product-events", "TH-L2.10/product-events")
restate("ZCDP-L1/all-events", "TH-L2.10/all-events", repairs="ZCDP-L1/product-events")
