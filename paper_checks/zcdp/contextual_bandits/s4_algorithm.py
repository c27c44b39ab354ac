"""Section IV-B: the contextual linear model and AdaC-OFUL (Algorithm 3)."""

from banditproof.claims.register import item, restate, restate_parts

restate_parts(
    "ZCDP-EQ6",
    r"$r_t=\langle\theta^\star,a_t\rangle+\eta_t$ with $a_t$ from $\mathcal A_t$; "
    r"$\hat R_T=\sum_t\max_{a\in\mathcal A_t}\langle\theta^\star,a-a_t\rangle$; for $\mathcal A_t=\{e_1,\dots,e_d\}$ "
    "it is a finite-armed bandit.",
    {"model": "TH-EQ2.16", "regret": "TH-EQ2.17", "finite-armed": "TH-EQ2.17/bandit"},
)

restate("ZCDP-R4", "ALG-R5.13")

item(
    "ZCDP-A3",
    r"AdaC-OFUL: when $\det V_{t-1}>(1+C)\det V_\tau$, the estimate is computed anew with one more vector "
    r"$Y_\ell\sim\mathcal N(0,\frac2\rho I_d)$.",
    twins=["ALG-A9"],
)
restate("ZCDP-A3/between-updates", "ALG-A9/between-updates")
restate("ZCDP-A3/updates", "ALG-S5.3c/updates", role="implication")
restate("ZCDP-A3/last-update", "ALG-PC.4.2/last-update")

item(
    "ZCDP-R5",
    "A generic blueprint: Gaussian noise each time rewards are accessed, and adaptive episodes; with forgetting in "
    "AdaC-UCB and AdaC-GOPE, without in AdaC-OFUL.",
)
restate("ZCDP-R5/oful", "ALG-T5.14/recorded-runs", role="part", restricted="to AdaC-OFUL")
