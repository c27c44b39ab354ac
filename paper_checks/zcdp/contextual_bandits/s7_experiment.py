"""Section VII-A: AdaC-OFUL against RS-OFUL on Gaussian contexts, which the thesis has in its Section 5.5.2."""

from banditproof.claims.register import item, restate

item(
    "ZCDP-E3",
    r"AdaC-OFUL against RS-OFUL: $C=1$, $\lambda=0.1$, $\delta=0.001$, $K=10$, $d=3$, contexts from "
    r"$\mathcal N((\frac1{\sqrt d},\dots),\frac1{10}I_d)$, 'corresponding to the context-generation Assumption'.",
    twins=["ALG-E5.6"],
)
restate(
    "ZCDP-E3/assumption",
    "ALG-E5.6/assumption",
    r"'Corresponding to the context-generation Assumption 2', which asks for $\|A\|_2=1$: $\mathbb "
    r"E\|A\|^2=1+d\sigma^2=1$.",
    notes="The mean is on the sphere, the contexts are around it; no law meets the third condition in three dimensions "
    "besides.",
)
restate(
    "ZCDP-E3/bounded-rewards",
    "ALG-E5.6/bounded-rewards",
    r"The rewards, with noise $\mathcal N(0,1)$, keep $|r_t|\le1$ of Assumption 1, so that Theorem 3 speaks of the "
    r"experiment.",
)
restate("ZCDP-E3/mean-square-one", "ALG-E5.6/mean-square-one", repairs="ZCDP-E3/assumption")
restate("ZCDP-E3/clipped-rewards", "ALG-E5.6/clipped-rewards", repairs="ZCDP-E3/bounded-rewards")
for name in ("free-privacy", "no-price"):
    restate(f"ZCDP-E3/{name}", f"ALG-E5.6/{name}")
restate("ZCDP-S15/free-privacy-contextual", "ALG-S5.5a/free-privacy-contextual")
restate("ZCDP-S15/no-price-contextual", "ALG-S5.5a/no-price-contextual")
