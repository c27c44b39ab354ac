"""Sections I to III and Appendix B of the zCDP paper: protocols, mechanisms, Table and View privacy.

What the thesis states too is restated from its modules.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks import (
    thesis_definitions,
    thesis_interaction,
    thesis_privacy_conversions,
    thesis_privacy_definitions,
    thesis_separating_policy,
    thesis_table_and_view,
    thesis_threat_models,
)
from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, kernel, shapes
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.twins import restate, restate_parts
from banditproof.verify.kernels import FiniteKernel, reward_tables
from banditproof.verify.output_laws import table_law

Sides = tuple[Any, str, Any]
# the modules whose claims are restated here
RESTATED = (
    thesis_definitions,
    thesis_interaction,
    thesis_privacy_conversions,
    thesis_privacy_definitions,
    thesis_separating_policy,
    thesis_table_and_view,
    thesis_threat_models,
)

# ----------------------------------------------------------------------------------------- the bandit, Sections I, C-A

restate(
    "ZCDP-A1", "TH-A6",
    r"Algorithm 1: $a_t\sim\pi_t(\cdot\mid a_1,r_1,\dots,r_{t-1})$, user $t$ answers with the reward of the <heard>; "
    r"the "
    r"law of $(a_1,\dots,a_T)$ is that of the mechanisms $\mathcal V^\pi$ and $\mathcal M^\pi$.",
)  # fmt: skip
restate(
    "ZCDP-D2", "TH-S2.2a",
    r"A policy gives each history a law over arms: given $\mathcal H_{t-1}$ the next action has the law "
    r"$\pi_t(\cdot\mid\mathcal H_{t-1})$, whatever the environment (history cut by <lag>).",
)  # fmt: skip
restate("ZCDP-EQ13", "TH-EQ2.8")
restate(
    "ZCDP-S9", "TH-R3.7",
    r"The class $\Pi^\rho_{\rm Int}$ constrains the policy against adversaries (adversary in the regret: <adversary>); "
    r"regret is judged without one, where actions have the mixture law of $\mathcal M^\pi_d$ over tables from $\nu$.",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ privacy, Section III

restate_parts(
    "ZCDP-D1",
    r"$(\epsilon,\delta)$-DP by events and neighbours (EQ1), $\rho$-zCDP by $D_\alpha\le\rho\alpha$ for all $\alpha>1$ "
    "(EQ2).",
    {"approximate": "TH-D2.3/approximate", "renyi": "TH-D2.3/renyi"},
)
restate_parts(
    "ZCDP-S4", r"$\epsilon$-DP implies $\rho$-zCDP with $\rho=\frac12\epsilon^2$ (cited).",
    {"randomised-response": "TH-P2.6/randomised-response", "worst-pair": "TH-P2.6/worst-pair"},
)  # fmt: skip
restate_parts(
    "ZCDP-EQ-M",
    r"$\mathcal M^\pi_d(a_1..a_T)=\prod_t\pi_t(a_t\mid a_1,x_{1,a_1},\dots)$ and "
    r"$\mathcal V^\pi_{\mathbf r}(a_1..a_T)=\prod_t\pi_t(a_t\mid a_1,r_1,\dots)$ are laws, in which the last row and "
    "the last reward do not occur.",
    {"table": "TH-EQ3.1", "view": "TH-EQ3.2", "last-reward": "TH-S3.2/online"},
)
restate_parts(
    "ZCDP-D3", r"A policy is Table DP (zCDP) iff $\mathcal M^\pi$ is DP (zCDP), View DP (zCDP) iff $\mathcal V^\pi$ "
    r"is.",
    {"table": "TH-D3.2", "view": "TH-D3.3"},
)  # fmt: skip
restate_parts(
    "ZCDP-R1",
    r"On an event of two action sequences $\mathcal V^\pi_{\mathbf r}$ uses one list of rewards and $\mathcal M^\pi_d$ "
    "one per sequence.",
    {"events": "TH-R3.4/events", "gap": "TH-R3.4/gap"},
)


def second_product(T: int, K: int, policy: int, mixed: int) -> Sides:
    """Pairs of sequences a, b for which the displayed sum is not the table probability of {a, b}.

    The second product is displayed as prod_t pi_t(b_t | a_1, x_{1,b_1}, b_2, x_{2,b_2}, ...): its first `mixed` arms
    are those of a.
    """
    pi = kernel(T, K, policy)
    tables = list(reward_tables(pi))
    table = tables[(7 * policy + 3) % len(tables)]
    law, different = table_law(pi, table), 0
    for a in law:
        for b in law:
            told = tuple((arm, table[t][b[t]]) for t, arm in enumerate((*a[:mixed], *b[mixed:])))
            second = Fraction(1)
            for t, arm in enumerate(b):
                second *= pi.probability(told[:t])[arm]
            different += second != law[b]
    return different, "==", 0


@claim(
    "ZCDP-R1/first-arm-as-displayed",
    r"The second product of $\mathcal M^\pi_d(\{a,b\})$ as displayed, $\prod_t\pi_t(b_t\mid a_1,x_{1,b_1},\dots,"
    r"b_{t-1},x_{t-1,b_{t-1}})$: its history begins with the first <mixed> arm of $a$.",
    role="reading", domain=EVERY_POLICY, constants={"mixed": 1}, strongest="enumeration",
)  # fmt: skip
def first_arm_as_displayed(check: Check) -> None:
    """A slip of one index: with a_1 for b_1 the sum is not the probability of the event."""
    check.search(second_product, [{"T": 2, "K": 2, "policy": 0}], rational=True)


@claim(
    "ZCDP-R1/first-arm-of-its-own",
    r"With $b_1$ for $a_1$ (<mixed> arms of $a$) the second product is $\mathcal M^\pi_d(b)$.",
    role="repair", repairs="ZCDP-R1/first-arm-as-displayed", domain=EVERY_POLICY, constants={"mixed": 0},
    mutations=[mutation("the first arm of a", mixed=1)], strongest="enumeration",
)  # fmt: skip
def first_arm_of_its_own(check: Check) -> None:
    check.enumerate(second_product, shapes(check), rational=True, routes=("displayed product", "table mechanism"))


# ----------------------------------------------------------------------------------------- Proposition 1 and its proof

parts_decide(
    "ZCDP-P1",
    r"(a) $\epsilon$-Table iff $\epsilon$-View DP; (b), (c) Table implies View for $(\epsilon,\delta)$ and zCDP; (d) "
    r"$(\epsilon,\delta)$-View implies $(\epsilon,K^T\delta)$-Table; (e) $\Pi_{\rm Table}^{(\epsilon,\delta)}\subsetneq"
    r"\Pi_{\rm View}^{(\epsilon,\delta)}$.",
    domain=EVERY_POLICY, twins=["TH-P3.12", "BDP-P2.4"],
)  # fmt: skip
for part in "abcde":
    restate(f"ZCDP-P1/{part}", f"TH-P3.12/{part}")


def one_step(K: int, policy: int, offset: Any) -> Sides:
    """With T = 1 no reward reaches a decision: all likelihood ratios are 1, over lists and over tables."""
    from banditproof.verify.enumeration import table_epsilon, view_epsilon

    pi = FiniteKernel(1, K, (0, 1), kernel(1, K, 2 * policy).probability)
    return table_epsilon(pi).ratio, "==", view_epsilon(pi).ratio + offset


@claim(
    "ZCDP-P1/one-step",
    r"The corner $T=1$ of (a) to (d): every policy is $0$-Table and $0$-View DP (difference of $e^\epsilon$: "
    r"$<offset>$), so (e) needs $T\ge2$.",
    role="remark", domain=EVERY_POLICY.restrict(T=[1]), constants={"offset": 0},
    mutations=[mutation("different", offset="1/100")], strongest="enumeration",
)  # fmt: skip
def corner_of_one_step(check: Check) -> None:
    points = [{"T": 1, "K": K, "policy": seed} for K in (1, 2, 3) for seed in range(4)]
    check.enumerate(one_step, points, rational=True, routes=("all tables", "all lists"))


restate_parts(
    "ZCDP-S6",
    r"(d) quantifies the loss from View to Table; the best conversion is left open. At the same $\epsilon$ it is "
    r"$\delta\mapsto K^{T-1}\delta$: that much suffices, and is needed.",
    {"best-conversion": "TH-P3.12/d-sharp", "needed": "TH-P3.12/d-attained"},
)
restate_parts(
    "ZCDP-RED1",
    r"Reduction 1: a list becomes the table with equal columns. Reduction 2: a table becomes, along one action "
    "sequence, the list of its rewards. Neighbours stay neighbours.",
    {"lists-to-tables": "TH-S3.Red1", "tables-to-lists": "TH-S3.Red2"},
)
parts_decide(
    "ZCDP-PF1",
    r"The printed policy ($T = 3$, $K = 2$, binary rewards) is $(0.95, 0.17)$-View DP and not $(0.95, 0.17)$-Table DP; "
    r"the least $\epsilon_0$ such that it is $(\epsilon_0, 0.17)$-Table DP is $0.98$, to the digits printed.",
    twins=["TH-S3.App-e"],
)
for part in ("examples", "all-events", "view", "not-table", "smallest"):
    restate(f"ZCDP-PF1/{part}", f"TH-S3.App-e/{part}")
restate("ZCDP-PF1/exactly", "TH-S3.App-e/exactly")
restate("ZCDP-PF1/rounded-up", "TH-S3.App-e/rounded-up", repairs="ZCDP-PF1/exactly")

# -------------------------------------------------------------------------------------- private contexts, Appendix B-D

restate_parts(
    "ZCDP-D7",
    r"Joint DP: sequences that differ in round $t$ only, and $\Pr\{\pi(S)\in E_{>t}\}\le e^\epsilon\Pr\{\pi(S')\in "
    r"E_{>t}\}+\delta$ (the Table version has rows $x_t$ for rewards).",
    {"neighbours": "TH-D3.16", "later-actions": "TH-D3.17"},
)
