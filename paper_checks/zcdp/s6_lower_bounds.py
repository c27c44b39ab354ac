"""Section VI: divergences of private mechanisms and policies between two data laws (Theorems 6 to 8).

The thesis states all of it too, the bound on policies with E[(sum t)^2] for the paper's [E sum t]^2 + V(sum t).
"""

from banditproof.claims.register import restate

restate("ZCDP-EQ8", "TH-EQ4.1")
restate("ZCDP-T6", "TH-T4.6/zcdp")
restate("ZCDP-P3", "TH-P4.7")
restate("ZCDP-T7", "TH-T4.8/zcdp")

restate(
    "ZCDP-EQ-m",
    "TH-D2.16",
    r"$m_{\nu\pi}(a_1,\dots,a_T)=\int\prod_t\pi_t(a_t|\mathcal H_{t-1})p_{a_t}(r_t)dr_t$: the action marginal of the "
    "law of histories (rewards of the <heard>).",
)

restate(
    "ZCDP-T8",
    "TH-T4.14",
    r"$\rho$-Interactive zCDP: $\mathrm{KL}(m_{\nu\pi}\|m_{\nu'\pi})\le<factor>\,\rho\bigl([\mathbb "
    r"E_{\nu\pi}\sum_tt_{a_t}]^2+\mathbb E_{\nu\pi}\sum_tt_{a_t}(1-t_{a_t})+\mathbb V_{\nu\pi}(\sum_tt_{a_t})\bigr)$.",
)

restate("ZCDP-T8/with-correlation", "TH-T4.14/with-correlation", repairs="ZCDP-T8")
