"""Appendix F: the confidence ellipsoid of AdaC-OFUL, the steps of its regret proof, and LinPriv."""

from banditproof.claims.register import item, not_checkable, restate, restate_parts

item(
    "ZCDP-T14",
    r"With probability $1-O(\delta)$, for all $t\in[1,T]$, $\|\tilde\theta_t-\theta^\star\|_{V_t}\le\tilde\beta_t="
    r"\beta_t+\gamma_t/\sqrt t$, $\beta_t=O(\sqrt{d\log t})$, $\gamma_t=O(\sqrt{1/\rho}\,d\log t)$, both increasing.",
    twins=["ALG-TC.13"],
)
for part in ("defined", "gamma-increasing", "beta-increasing", "coverage"):
    restate(f"ZCDP-T14/{part}", f"ALG-TC.13/{part}")
restate("ZCDP-T14/defined-late", "ALG-TC.13/defined-late", repairs="ZCDP-T14/defined")
restate("ZCDP-T14/updates-increasing", "ALG-TC.13/updates-increasing", repairs="ZCDP-T14/gamma-increasing")
restate("ZCDP-T14/rate-of-gamma", "ALG-EQ5.3x/gamma")
restate("ZCDP-T14/rate-of-beta", "ALG-EQ5.3x/beta")

restate_parts(
    "ZCDP-PF11",
    r"$\gamma_t/\sqrt t$ from $E_2$ and $E_3$; $\det V_t\le(\lambda+\frac td)^d$; "
    r"$\ell(t)\le\frac d{\log(1+C)}\log(1+\frac t{\lambda d})$.",
    {
        "numerator": "ALG-TC.13/numerator",
        "determinant-and-trace": "ALG-TC.13/determinant-and-trace",
        "updates": "ALG-S5.3c/updates",
    },
)

restate("ZCDP-PF11/numerator-with-horizon", "ALG-TC.13/numerator-with-horizon", repairs="ZCDP-PF11/numerator")

item("ZCDP-PF12", "The proof of Theorem 5 in six steps, equations 21 to 25.", twins=["ALG-PC.4.2"])
for step in (
    "truncated-log",
    "determinant-product",
    "elliptical-potential",
    "episode-determinants",
    "episode-length",
    "episode-length-above-one",
    "last-update",
):
    restate(f"ZCDP-PF12/{step}", f"ALG-PC.4.2/{step}")
restate("ZCDP-PF12/truncated-log-twice", "ALG-PC.4.2/truncated-log-twice", repairs="ZCDP-PF12/truncated-log")
restate(
    "ZCDP-PF12/episode-determinants-before",
    "ALG-PC.4.2/episode-determinants-before",
    repairs="ZCDP-PF12/episode-determinants",
)

item(
    "ZCDP-S17",
    r"LinPriv: $\sum\|x_{i,t}\|_{V_{i,t}^{-1}}\le2d\log(1+\frac n{\lambda d})$ is wrong, it holds for the squares; the "
    r"rectified regret is $\tilde O(d\sqrt T+\frac1\epsilon Kd\sqrt T)$.",
    twins=["ALG-SC.4.3"],
)
for part in ("unsquared-fails", "squared", "squared-before-the-round", "cauchy-schwarz", "rate", "rate-to-the-letter"):
    restate(f"ZCDP-S17/{part}", f"ALG-SC.4.3/{part}")
restate("ZCDP-S17/squared-with-ridge", "ALG-SC.4.3/squared-with-ridge", repairs="ZCDP-S17/squared-before-the-round")

not_checkable(
    "ZCDP-R10",
    r"The criticised source bounds $\sum w_{i,t}$ with the right $\sqrt T$ and misuses the inequality for the private "
    "part only.",
    "cited result",
    "the text of the cited proof",
)
