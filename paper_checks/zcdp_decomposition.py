"""Section VI-A and Appendix G of the zCDP paper: divergences of private mechanisms and policies between two data laws.

The thesis states all of it too. What the two print differently is compared here: the bound on policies is written with
[E sum t]^2 + V(sum t) in the paper, and with E[(sum t)^2] in the thesis.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks import (
    thesis_couplings,
    thesis_group_divergence,
    thesis_group_privacy,
    thesis_interaction,
    thesis_kl_decomposition,
    thesis_product_laws,
    thesis_zcdp_decomposition,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_kl_decomposition import PLAYS, enumerate_plays
from banditproof.paper_checks.thesis_policies import Environment, PolicyName, play, policy_named
from banditproof.paper_checks.thesis_zcdp_decomposition import COURIERS, EVERY_POLICY
from banditproof.paper_checks.twins import restate, restate_parts
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
# the modules whose claims are restated here
RESTATED = (
    thesis_couplings,
    thesis_group_divergence,
    thesis_group_privacy,
    thesis_interaction,
    thesis_kl_decomposition,
    thesis_product_laws,
    thesis_zcdp_decomposition,
)

# ----------------------------------------------------------------------------------------------------------- mechanisms

restate("ZCDP-EQ8", "TH-EQ4.1")
restate("ZCDP-D9", "TH-D4.1")
restate("ZCDP-T15", "TH-T4.4")
restate("ZCDP-T6", "TH-T4.6/zcdp")
restate("ZCDP-P3", "TH-P4.7")
restate("ZCDP-T7", "TH-T4.8/zcdp")
restate(
    "ZCDP-S5", "TH-T4.8/zcdp",
    r"A zCDP version of the Karwa-Vadhan lemma: for product laws of the data, $\mathrm{KL}(M_1\|M_2)\le<factor>\,"
    r"\rho[(\sum_it_i)^2+\sum_it_i(1-t_i)]$ (Theorems 6 and 7; Theorem 8 is the version for bandits).",
)  # fmt: skip
restate_parts(
    "ZCDP-T16",
    r"Group privacy: a $\rho$-zCDP mechanism has $D_\alpha(\mathcal M_d\|\mathcal M_{d'})\le\rho\,d_{\rm Ham}(d,d')^2"
    r"\alpha$ for every $\alpha\ge1$.",
    {"orders-above-one": "TH-P2.8/zcdp", "order-one": "TH-C4.5/zcdp"},
)
restate("ZCDP-T16/attained", "TH-P2.8/zcdp-attained")
restate_parts(
    "ZCDP-PF13",
    r"Theorem 6 through Theorems 15 and 16; Theorem 7 through the product of maximal couplings, for which "
    r"$\mathbb E[d_{\rm Ham}^2]=(\sum_it_i)^2+\sum_it_i(1-t_i)$.",
    {"distance-law": "TH-T4.8/distance-law", "second-moment": "TH-T4.8/second-moment"},
)
restate("ZCDP-PF13/squared-cost-is-solved", "TH-T4.8/squared-cost-is-solved")
restate(
    "ZCDP-PF13/squared-cost-by-nested-coins", "TH-T4.8/squared-cost-by-nested-coins",
    repairs="ZCDP-PF13/squared-cost-is-solved",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------------- policies

restate(
    "ZCDP-EQ-m", "TH-D2.16",
    r"$m_{\nu\pi}(a_1,\dots,a_T)=\int\prod_t\pi_t(a_t|\mathcal H_{t-1})p_{a_t}(r_t)dr_t$: the action marginal of the "
    r"law of histories, of mass $<mass>$.",
)  # fmt: skip
restate(
    "ZCDP-T8", "TH-T4.14",
    r"$\rho$-Interactive zCDP: $\mathrm{KL}(m_{\nu\pi}\|m_{\nu'\pi})\le<factor>\,\rho\bigl([\mathbb E_{\nu\pi}\sum_t"
    r"t_{a_t}]^2+\mathbb E_{\nu\pi}\sum_tt_{a_t}(1-t_{a_t})+\mathbb V_{\nu\pi}(\sum_tt_{a_t})\bigr)$.",
)  # fmt: skip
restate("ZCDP-T8/with-correlation", "TH-T4.14/with-correlation", repairs="ZCDP-T8")


def two_forms(policy: PolicyName, environment: Environment, share: Any) -> Sides:
    """[E sum t]^2 + V(sum t), the variance as the mean square distance from the mean, against E[(sum t)^2]."""
    coupled, horizon = play(policy, environment), policy_named(policy).horizon
    mean, variations = coupled.exposure_moment(1, horizon), coupled.variations
    variance = coupled.expect(lambda a, _r, _s: (sum(variations[arm] for arm in a) - mean) ** 2)
    return mean**2 + share * variance, "==", coupled.exposure_moment(2, horizon)


@claim(
    "ZCDP-T8/form-of-the-thesis",
    r"The bound of Theorem 8 and that of Theorem 4.14 of the thesis (TH-T4.14) are one number: $[\mathbb E\sum_t"
    r"t_{a_t}]^2+<share>\,\mathbb V(\sum_tt_{a_t})=\mathbb E[(\sum_tt_{a_t})^2]$.",
    role="remark", domain=EVERY_POLICY, constants={"share": 1}, mutations=[mutation("99 %", share="0.99")],
    twins=["TH-T4.14"], strongest="enumeration",
)  # fmt: skip
def form_of_the_thesis(check: Check) -> None:
    """So what refutes the one refutes the other."""
    over = [*PLAYS[:24], *COURIERS]
    enumerate_plays(check, two_forms, over, ("mean and variance", "second moment"))


parts_decide(
    "ZCDP-PF14",
    r"Proof of Theorem 8: data processing (EQ27), the chain rule along histories, Theorem 1, and (a)-(d) which compute "
    r"$\mathbb E[d_{\rm Ham}^2]$ given all actions.",
    domain=EVERY_POLICY, twins=["TH-A4.CE"],
)  # fmt: skip
restate("ZCDP-PF14/coupled-environment", "TH-A4.CE", role="part")
restate("ZCDP-PF14/data-processing", "TH-EQ4.7", role="part")
restate("ZCDP-PF14/chain-rule", "TH-T4.14/step-chain-rule", role="part")
restate("ZCDP-PF14/group-privacy", "TH-T4.14/step-group-privacy", role="part")
restate(
    "ZCDP-PF14/conditional-independence", "TH-T4.14/step-second-moment",
    r"(c) Given $\mathbf A$ the events $R_t\ne R'_t$ are independent Bernoulli$(t_{A_t})$, so that $\mathbb "
    r"E_{p_{\gamma"
    r"\pi}}[d_{\rm Ham}^2]=\mathbb E_{\nu\pi}[(\sum_tt_{a_t})^2]+\mathbb E_{\nu\pi}[\sum_tt_{a_t}(1-t_{a_t})]$.",
    role="part",
)  # fmt: skip
restate(
    "ZCDP-PF14/with-correlation", "TH-T4.14/second-moment-with-correlation",
    repairs="ZCDP-PF14/conditional-independence",
)  # fmt: skip

# --------------------------------------------------------------------------------- Remark 11: how variation enters

EXPOSURE = Domain.of(pulls="integer [1, inf)", t="[0, 1]")


def product_bound(pulls: int, t: Any) -> Any:
    """The bound of Theorems 7 and 8 over rho for `pulls` rewards of variation t."""
    return (pulls * t) ** 2 + pulls * t * (1 - t)


def quadratic(pulls: int, t: Any, factor: Any) -> Sides:
    return product_bound(pulls, t), "<=", factor * (pulls * t) ** 2


parts_decide(
    "ZCDP-R11",
    r"The bound of Theorem 8 depends on the total variation squared, that of pure DP linearly: $\rho(S^2+\dots)$ "
    r"against $\epsilon S$ with $S=\sum_tt_{a_t}$, which is said of what grows with $S$: here where $S\ge1$.",
    domain=EXPOSURE.restrict(pulls="integer [2, inf)", t="[0, 1)", where=["pulls * t >= 1"]),
)


def quadratic_argument(factor: Any) -> SymbolicArgument:
    """n = k + 2 pulls with n t >= 1: t = (1 + s)/(n + s), which runs from 1/n to 1."""
    import sympy

    k, s = sympy.Symbol("k", integer=True, nonnegative=True), sympy.Symbol("s", nonnegative=True)
    n = k + 2
    t = (1 + s) / (n + s)
    return SymbolicArgument({"pulls": n, "t": t}, n * t * (s * (k + 1) / (n + s) + t), "nonnegative")


@claim(
    "ZCDP-R11/from-one-expected-difference-on",
    r"Where $S=nt\ge1$ (and $n>1$) the bound is at most $<factor>\,\rho S^2$.",
    domain=EXPOSURE.restrict(pulls="integer [2, inf)", t="[0, 1)", where=["pulls * t >= 1"]), constants={"factor": 2},
    mutations=[mutation("3/2", factor="3/2")], strongest="symbolic",
)  # fmt: skip
def from_one_expected_difference_on(check: Check) -> None:
    check.symbolic(quadratic, quadratic_argument, routes=("second moment of a binomial", "square"))


@claim(
    "ZCDP-R11/square-only", r"For every total variation the bound is at most $<factor>\,\rho S^2$.",
    role="reading", domain=EXPOSURE, constants={"factor": 100}, strongest="symbolic",
)  # fmt: skip
def square_only(check: Check) -> None:
    """The number of differing rewards is random: for small t its second moment is its mean."""
    check.search(quadratic, [{"pulls": 1, "t": Fraction(1, 1000)}], rational=True)


def with_the_mean(pulls: int, t: Any, factor: Any) -> Sides:
    return product_bound(pulls, t), "<=", (pulls * t) ** 2 + factor * pulls * t


def with_the_mean_argument(factor: Any) -> SymbolicArgument:
    import sympy

    n, odds = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("o", nonnegative=True)
    t = odds / (1 + odds)
    return SymbolicArgument({"pulls": n, "t": t}, n * t * (factor - 1 + t), "nonnegative")


@claim(
    "ZCDP-R11/square-and-mean", r"For every total variation below 1 the bound is at most $\rho(S^2+<factor>S)$.",
    role="repair", repairs="ZCDP-R11/square-only", domain=EXPOSURE.restrict(t="[0, 1)"), constants={"factor": 1},
    mutations=[mutation("half of the mean", factor="1/2")], strongest="symbolic",
)  # fmt: skip
def square_and_mean(check: Check) -> None:
    check.symbolic(with_the_mean, with_the_mean_argument, routes=("second moment of a binomial", "square and mean"))
