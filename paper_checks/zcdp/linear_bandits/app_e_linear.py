"""Appendix E: private least squares, the proof of Theorem 4, and the places for the noise."""

from banditproof.claims.register import item, restate

item(
    "ZCDP-T13",
    r"""Actions chosen without looking at rewards, $\tilde\theta_t=\hat\theta_t+V_t^{-1/2}N_t$, $N_t\sim\mathcal
    N(0,\frac2\rho g_t^2I)$: for every $a$, $|\langle\tilde\theta_t-\theta^\star,a\rangle|\ge g_t
    \sqrt{2\log\frac4\delta}+g_t^2\sqrt{\frac2\rho f(d,\delta)}$ has probability at most $\delta$.""",
    twins=["ALG-TC.10"],
)
for name in ("normal-rewards", "as-run", "least-squares", "cauchy-schwarz"):
    restate(f"ZCDP-T13/{name}", of=f"ALG-TC.10/{name}")

restate("ZCDP-C1", of="ALG-CC.11")
restate("ZCDP-C1/private-half", of="ALG-CC.11/private-half")
restate("ZCDP-C1/five-eighths", of="ALG-CC.11/five-eighths")

item(
    "ZCDP-PF9",
    r"""Theorem 4, steps 1-3: the good event has probability $1-\delta$, the best action stays, bad ones go, and the
    regret is that of phases up to $\ell_\Delta=\lceil\log_2\frac4\Delta\rceil$.""",
    twins=["ALG-PC.3.2"],
)
for name in ("good-event", "best-stays", "bad-goes", "last-phase"):
    restate(f"ZCDP-PF9/{name}", of=f"ALG-PC.3.2/{name}")
restate("ZCDP-PF9/last-phase-repaired", of="ALG-PC.3.2/last-phase-repaired", repairs="ZCDP-PF9/last-phase")

item(
    "ZCDP-PF10",
    r"Theorem 4, steps 4-7: lengths and number of phases, their sum, the choice of $\Delta$ and the expectation.",
    twins=["ALG-PC.3.2"],
)
for name in ("number-of-phases", "chi-square", "sum-of-phases", "expectation"):
    restate(f"ZCDP-PF10/{name}", of=f"ALG-PC.3.2/{name}")
    restate(f"ZCDP-PF10/{name}-repaired", of=f"ALG-PC.3.2/{name}-repaired", repairs=f"ZCDP-PF10/{name}")

restate("ZCDP-S18", of="ALG-SC.3.3/end")

item(
    "ZCDP-S19",
    r"""Sums of rewards have sensitivity 2, so $\hat\theta+V^{-1}\sum_{a\in\mathcal S}a\,\mathcal N(0,\frac2\rho)$ is
    $\rho$-zCDP; its variance grows with $|\mathcal S|$, which other works bring down to $4d\log\log d+16$.""",
    twins=["ALG-SC.3.3"],
)
restate("ZCDP-S19/sensitivity", of="ALG-SC.3.3/sensitivity-of-sums")
restate("ZCDP-S19/sums-are-private", of="ALG-SC.3.3/sums-are-private")
restate("ZCDP-S19/support", of="ALG-SC.3.3/support")
restate("ZCDP-S19/core-set-size", of="ALG-SC.3.3/core-set-size")
restate("ZCDP-S19/core-set-size-repaired", of="ALG-SC.3.3/core-set-size-repaired", repairs="ZCDP-S19/core-set-size")

item(
    "ZCDP-S20",
    r"""Noise on $\phi_\ell=V_\ell^{-1/2}\sum a_sr_s$ does not depend on the support, and the regret due to privacy is
    linear in $d$.""",
    twins=["ALG-SC.3.3"],
)
restate("ZCDP-S20/middle-against-sums", of="ALG-SC.3.3/middle-against-sums")
restate("ZCDP-S20/weights", of="ALG-SC.3.3/weights")
restate("ZCDP-S20/linear-in-d", of="ALG-SC.3.3/linear-in-d")
restate("ZCDP-S20/linear-in-d-repaired", of="ALG-SC.3.3/linear-in-d-repaired", repairs="ZCDP-S20/linear-in-d")

restate("ZCDP-S21", of="ALG-SC.3.3/best-on-the-support")
