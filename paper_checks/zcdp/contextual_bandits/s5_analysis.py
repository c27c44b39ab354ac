"""Section V: privacy and regret of AdaC-OFUL (the contextual parts of Theorem 3, Assumption 2, Theorem 5)."""

from typing import Annotated, Any

from banditproof.claims.register import claim, item, restate, restate_parts
from banditproof.claims.sets import AboveZero
from banditproof.claims.steps import fails_at

restate("ZCDP-T3/oful-per-release", "ALG-T5.14/per-release")
restate("ZCDP-T3/oful-recorded-runs", "ALG-T5.14/recorded-runs")

item(
    "ZCDP-AS2",
    r"$\|A\|_2=1$; $\mathbb E[AA^\top]$ has least eigenvalue $\lambda_0>0$; the variance of $(z^\top A)^2$ is at most "
    r"$\frac{\lambda_0^2}{8\log(4k_t)}$ for all unit $z$.",
    twins=["ALG-D5.15"],
)
restate(
    "ZCDP-AS2/out-of-reach",
    "ALG-D5.15/out-of-reach",
    r"No law satisfies Assumption 2 in $d\ge2$: $\sup_z\mathbb V[(z^\top "
    r"A)^2]\ge\frac{2(d-1)\lambda_0}{d(d+2)}>\frac{\lambda_0^2}{8}\ge\frac{\lambda_0^2}{8\log(4k_t)}$, whatever "
    r"$\lambda_0=share/d\le\frac1d$.",
)
restate("ZCDP-AS2/variance-of-laws", "ALG-D5.15/variance-of-laws")
restate("ZCDP-AS2/dimension-one", "ALG-D5.15/dimension-one")

item(
    "ZCDP-T5",
    r"With probability at least $1-\delta$ the regret of AdaC-OFUL is at most "
    r"$O(d\log(T)\sqrt T)+O(\frac{d^2}{\sqrt\rho}\log^2T)$.",
    twins=["ALG-T5.17"],
)
restate(
    "ZCDP-T5/rates",
    "ALG-T5.17/rates",
    restricted="to the orders in d, T and rho, with lambda_0, lambda, C, delta fixed and the widths of Appendix F-A",
    notes="Blind to constants.",
)


@claim(
    "ZCDP-T5/hypotheses",
    fails_at(d=2, share=1, rational=True),
    role="hypotheses",
    strongest="symbolic",
    twins=["ALG-T5.17"],
)
def room_for_a_law(d: Annotated[Any, "[2, inf)"], share: AboveZero, eight=8):
    r"""Assumption 2 leaves room for a law in every dimension $d\ge2$ and for every $\lambda_0\le\frac1d$: the variance
    of $(z^\top A)^2$, which for some unit $z$ is at least $\frac{2(d-1)\lambda_0}{d(d+2)}$, is at most
    $\frac{\lambda_0^2}{8}$ (share is $d\lambda_0$).

    For unit vectors the variance of $(z^\top A)^2$, averaged over all unit $z$, is at least the left side, and the
    assumption allows at most the right side, which is always less. So no law meets Assumption 2 unless $d=1$, and
    Theorem 5 speaks of nothing else. Without the third condition, or with a larger constant in it, there are laws.

    The average is $2(1-\mathrm{tr}S^2)/(d(d+2))$ for $S=\mathbb E[AA^\top]$, and the trace of $S^2$ is largest where
    all
    eigenvalues but one are the least one.
    """
    return 2 * (d - 1) * (share / d) / (d * (d + 2)), "<=", (share / d) ** 2 / eight


restate(
    "ZCDP-T5/room-without-the-third-condition",
    "ALG-T5.17/widths",
    r"With the observed least eigenvalue of $V_t$, without the third condition of Assumption 2: "
    r"$R_T\le2\sum_t\min\{1,\tilde\beta_{\tau_t}\|A_t\|_{V_{\tau_t}^{-1}}\}$ with probability at least $1-3\delta$.",
    repairs="ZCDP-T5/hypotheses",
)
restate("ZCDP-T5/hidden-eigenvalue", "ALG-T5.17/hidden-eigenvalue")
restate("ZCDP-T5/widths", "ALG-T5.17/widths")
restate("ZCDP-T5/growth", "ALG-T5.17/growth")
restate("ZCDP-T5/one-round", "ALG-T5.17/one-round")
restate(
    "ZCDP-T5/probability",
    "ALG-T5.17/probability",
    r"The theorem says 'with probability at least $1-\delta$' and its proof works on the event $E$ of (20), of "
    r"probability at least $1-3\delta$: $1-3\delta\ge1-\delta$.",
    notes=r"The three events fail with probability $\delta$ each. Run with $\frac\delta3$ the algorithm keeps the "
    "promise.",
    slip="Run with delta/3 the bound changes by a constant in a logarithm, which its O does not show.",
)
restate("ZCDP-T5/probability-of-thirds", "ALG-T5.17/probability-of-thirds", repairs="ZCDP-T5/probability")

restate_parts(
    "ZCDP-S11",
    r"The price $\tilde O(d^2/\sqrt\rho)$ is negligible against $\tilde O(d\sqrt T)$; LinPriv's bound should be "
    r"$\tilde O(d\sqrt T+\frac1\epsilon Kd\sqrt T)$.",
    {"negligible": "ALG-S5.3d/negligible", "linpriv": "ALG-SC.4.3/rate"},
)
