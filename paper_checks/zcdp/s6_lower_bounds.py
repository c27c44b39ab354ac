"""Section VI: divergences of private mechanisms and policies (Theorems 6 to 8), the minimax bound of Theorem 9.

The thesis states all of it too, the bound on policies with E[(sum t)^2] for the paper's [E sum t]^2 + V(sum t).
"""

from typing import Any

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import AboveOne, AtLeastOne, Count, Positive
from banditproof.claims.steps import symbolic
from banditproof.theory import exp, sqrt

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

restate("ZCDP-T9", "TH-T4.21")

restate("ZCDP-T9/bounded-mean-rewards", "TH-T4.21/bounded-mean-rewards")

restate(
    "ZCDP-T9/bounded-mean-rewards-capped",
    "TH-T4.21/bounded-mean-rewards-capped",
    repairs="ZCDP-T9/bounded-mean-rewards",
)

item(
    "ZCDP-S14",
    r"Theorem 9 changes regime at $\rho=4e^{-0.5}/T$: the private term is larger below, and from there on the bound "
    "is the non-private one.",
    rests_on=["ZCDP-T9"],
)


def linear_terms(dimension: Any, root_horizon: Any, relative: Any, four: Any) -> tuple[Any, Any]:
    """The terms of Theorem 9 at rho = relative^2 four e^(-1/2)/T."""
    zero = 0 * root_horizon
    root_rho = relative * sqrt(four + zero) * exp((zero - 1) / 4) / root_horizon
    return dimension * exp((zero - 9) / 4) / (4 * root_rho), dimension * exp(zero - 2) * root_horizon / 8


@claim("ZCDP-S14/high-privacy", symbolic(), false={"four": "4.1"})
def linear_high_privacy(dimension: Count, root_horizon: Positive, below: AboveOne, four=4):
    r"""For $\rho<<four>e^{-0.5}/T$ the private term of Theorem 9 is the larger one."""
    private, free = linear_terms(dimension, root_horizon, 1 / below, four)
    return private, ">", free


@claim("ZCDP-S14/low-privacy", symbolic(), false={"four": "3.9"})
def linear_low_privacy(dimension: Count, root_horizon: Positive, above: AtLeastOne, four=4):
    r"""For $\rho\ge<four>e^{-0.5}/T$ the bound of Theorem 9 is the non-private one."""
    private, free = linear_terms(dimension, root_horizon, above, four)
    return private, "<=", free
