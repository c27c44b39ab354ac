"""Section V: privacy and regret of AdaC-OFUL (the contextual parts of Theorem 3, Assumption 2, Theorem 5)."""

from banditproof.claims.register import item, restate, restate_parts

restate("ZCDP-T3/oful-per-release", "ALG-T5.14/per-release", role="part")
restate("ZCDP-T3/oful-recorded-runs", "ALG-T5.14/recorded-runs", role="part")

item(
    "ZCDP-AS2",
    r"$\|A\|_2=1$; $\mathbb E[AA^\top]$ has least eigenvalue $\lambda_0>0$; the variance of $(z^\top A)^2$ is at most "
    r"$\frac{\lambda_0^2}{8\log(4k_t)}$ for all unit $z$.",
    twins=["ALG-D5.15"],
)
restate("ZCDP-AS2/out-of-reach", "ALG-D5.15/out-of-reach")
restate("ZCDP-AS2/variance-of-laws", "ALG-D5.15/variance-of-laws")
restate("ZCDP-AS2/dimension-one", "ALG-D5.15/dimension-one")

item(
    "ZCDP-T5",
    r"With probability at least $1-\delta$ the regret of AdaC-OFUL is at most "
    r"$O(d\log(T)\sqrt T)+O(\frac{d^2}{\sqrt\rho}\log^2T)$.",
    twins=["ALG-T5.17"],
)
restate("ZCDP-T5/rates", "ALG-T5.17/rates")
restate("ZCDP-T5/hidden-eigenvalue", "ALG-T5.17/hidden-eigenvalue")
restate("ZCDP-T5/widths", "ALG-T5.17/widths")
restate("ZCDP-T5/growth", "ALG-T5.17/growth")
restate("ZCDP-T5/one-round", "ALG-T5.17/one-round")
restate("ZCDP-T5/probability", "ALG-T5.17/probability")
restate("ZCDP-T5/probability-of-thirds", "ALG-T5.17/probability-of-thirds", repairs="ZCDP-T5/probability")

restate_parts(
    "ZCDP-S11",
    r"The price $\tilde O(d^2/\sqrt\rho)$ is negligible against $\tilde O(d\sqrt T)$; LinPriv's bound should be "
    r"$\tilde O(d\sqrt T+\frac1\epsilon Kd\sqrt T)$.",
    {"negligible": "ALG-S5.3d/negligible", "linpriv": "ALG-SC.4.3/rate"},
)
