"""Section V: privacy of a mechanism that is run on blocks of the data (Lemma 1); AdaC-GOPE's privacy and regret."""

from banditproof.claims.register import item, restate, restate_parts

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

restate("ZCDP-AS1", of="ALG-D5.10")

item("ZCDP-T3", r"Under Assumption 1 AdaC-GOPE and AdaC-OFUL are $\rho$-Interactive zCDP.", twins=["ALG-T5.11"])
for name in ("cost", "rounding", "returned-design", "recorded-runs", "printed-noise-runs", "queried-action"):
    restate(f"ZCDP-T3/gope-{name}", of=f"ALG-T5.11/{name}")
for name in ("returned-design", "queried-action"):
    restate(f"ZCDP-T3/gope-{name}-repaired", of=f"ALG-T5.11/{name}-repaired", repairs=f"ZCDP-T3/gope-{name}")

item(
    "ZCDP-T4",
    r"""With probability $1-\delta$ the regret of AdaC-GOPE is at most $A\sqrt{dT\log\frac{K\log T}\delta}+\frac{Bd}
    {\sqrt\rho}\sqrt{\log\frac{K\log T}\delta}\log T$, $A,B$ universal; with $\delta=\frac1T$, $\mathbb ER_T=\mathcal
    O(\sqrt{dT\log(KT)})+\mathcal O(\frac d{\sqrt\rho}\log^{3/2}(KT))$.""",
    twins=["ALG-T5.12"],
)
for name in ("universal", "no-constants", "short-horizon"):
    restate(f"ZCDP-T4/{name}", of=f"ALG-T5.12/{name}")

for name in ("universal", "short-horizon"):
    restate(f"ZCDP-T4/{name}-repaired", of=f"ALG-T5.12/{name}-repaired", repairs=f"ZCDP-T4/{name}")

restate("ZCDP-S10", of="ALG-S5.3b")
restate("ZCDP-S10/repaired", of="ALG-S5.3b/repaired", repairs="ZCDP-S10")
