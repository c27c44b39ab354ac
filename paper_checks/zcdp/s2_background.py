"""Section II: zCDP beside pure differential privacy, and the Karwa-Vadhan lemma for it."""

from banditproof.claims.register import restate, restate_parts

restate_parts(
    "ZCDP-S4",
    r"$\epsilon$-DP implies $\rho$-zCDP with $\rho=\frac12\epsilon^2$ (cited).",
    {"randomised-response": "TH-P2.6/randomised-response", "worst-pair": "TH-P2.6/worst-pair"},
)

restate(
    "ZCDP-S5",
    "TH-T4.8/zcdp",
    r"A zCDP version of the Karwa-Vadhan lemma: for product laws of the data, "
    r"$\mathrm{KL}(M_1\|M_2)\le\rho[(\sum_it_i)^2+\sum_it_i(1-t_i)]$ (Theorems 6 and 7; Theorem 8 is the version for "
    r"bandits).",
)
