"""Section VI: divergences of private mechanisms and policies between two data laws (Theorems 6 to 8).

The thesis states all of it too. What the two print differently is compared here: the bound on policies is written with
[E sum t]^2 + V(sum t) in the paper, and with E[(sum t)^2] in the thesis.
"""

from typing import Annotated, Any

from banditproof.claims.register import claim, restate
from banditproof.claims.sets import Policy
from banditproof.paper_checks.shared.policies import COURIERS, PLAYS, on_plays
from banditproof.verify.plays.pairs import play, policy_named

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


@claim(
    "ZCDP-T8/form-of-the-thesis",
    on_plays([*PLAYS[:24], *COURIERS], "mean and variance", "second moment"),
    false={"share": "0.99"},
    role="remark",
    twins=["TH-T4.14"],
)
def form_of_the_thesis(policy: Policy, environment: Annotated[Any, "all: every pair of bandits"], share=1):
    r"""The bound of Theorem 8 and that of Theorem 4.14 of the thesis (TH-T4.14) are one number: $[\mathbb
    E\sum_tt_{a_t}]^2+<share>\,\mathbb V(\sum_tt_{a_t})=\mathbb E[(\sum_tt_{a_t})^2]$.

    The variance as the mean square distance from the mean. So what refutes the one refutes the other.
    """
    coupled, horizon = play(policy, environment), policy_named(policy).horizon
    mean, variations = coupled.exposure_moment(1, horizon), coupled.variations
    variance = coupled.expect(lambda a, _r, _s: (sum(variations[arm] for arm in a) - mean) ** 2)
    return mean**2 + share * variance, "==", coupled.exposure_moment(2, horizon)
