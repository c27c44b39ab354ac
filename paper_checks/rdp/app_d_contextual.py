"""Appendix D: the confidence ellipsoid of AdaR-OFUL, the steps of its regret proof, and LinPriv."""

from banditproof.claims.register import item, restate, restate_parts

item(
    "RDP-T17",
    r"With probability $1-O(\delta)$, for all $t\in[1,T]$, $\|\tilde\theta_t-\theta^\star\|_{V_t}\le\tilde\beta_t="
    r"\beta_t+\gamma_t/\sqrt t$, $\beta_t=O(\sqrt{d\log t})$, $\gamma_t=O(\sqrt{\alpha/\epsilon}\,d\log t)$, both "
    "increasing.",
    twins=["ALG-TC.13"],
)
for part in ("defined", "gamma-increasing", "beta-increasing", "coverage"):
    restate(f"RDP-T17/{part}", f"ALG-TC.13/{part}")
restate("RDP-T17/defined-late", "ALG-TC.13/defined-late", repairs="RDP-T17/defined")
restate("RDP-T17/updates-increasing", "ALG-TC.13/updates-increasing", repairs="RDP-T17/gamma-increasing")
restate("RDP-T17/rate-of-gamma", "ALG-EQ5.3x/gamma")
restate("RDP-T17/rate-of-beta", "ALG-EQ5.3x/beta")

restate_parts(
    "RDP-PF6",
    r"$\gamma_t/\sqrt t$ from $E_2$ and $E_3$; $\det V_t\le(\lambda+\frac td)^d$; "
    r"$\ell(t)\le\frac d{\log(1+C)}\log(1+\frac t{\lambda d})$.",
    {
        "numerator": "ALG-TC.13/numerator",
        "determinant-and-trace": "ALG-TC.13/determinant-and-trace",
        "updates": "ALG-S5.3c/updates",
    },
)

restate("RDP-PF6/numerator-with-horizon", "ALG-TC.13/numerator-with-horizon", repairs="RDP-PF6/numerator")

item("RDP-PF7", "The proof of Theorem 10, equations 14 to 18.", twins=["ALG-PC.4.2"])
for step in (
    "truncated-log",
    "determinant-product",
    "elliptical-potential",
    "episode-determinants",
    "episode-length",
    "episode-length-above-one",
    "last-update",
):
    restate(f"RDP-PF7/{step}", f"ALG-PC.4.2/{step}")
restate("RDP-PF7/truncated-log-twice", "ALG-PC.4.2/truncated-log-twice", repairs="RDP-PF7/truncated-log")
restate(
    "RDP-PF7/episode-determinants-before",
    "ALG-PC.4.2/episode-determinants-before",
    repairs="RDP-PF7/episode-determinants",
)

item(
    "RDP-S10",
    r"LinPriv: $\sum\|x_{i,t}\|_{V_{i,t}^{-1}}\le2d\log(1+\frac n{\lambda d})$ is wrong, it holds for the squares; the "
    r"rectified regret is $\tilde O(d\sqrt T+\frac1\epsilon Kd\sqrt T)$.",
    twins=["ALG-SC.4.3"],
)
for part in ("unsquared-fails", "squared", "squared-before-the-round", "cauchy-schwarz", "rate", "rate-to-the-letter"):
    restate(f"RDP-S10/{part}", f"ALG-SC.4.3/{part}")
restate("RDP-S10/squared-with-ridge", "ALG-SC.4.3/squared-with-ridge", repairs="RDP-S10/squared-before-the-round")
