"""Sections 2 to 4, Lemma 11 and Appendix E of the RDP paper, as far as finite arms use them.

What the thesis or the zCDP paper states too is restated from their modules.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks import (
    bernoulli_dp_definitions,
    bernoulli_dp_protocol,
    thesis_composition,
    thesis_definitions,
    thesis_interaction,
    thesis_parallel_composition,
    thesis_privacy_definitions,
    thesis_privacy_proof,
    thesis_subgaussian,
    zcdp_imported,
)
from banditproof.paper_checks.bernoulli_dp_composition import renyi_moment
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.twins import restate, restate_parts
from banditproof.theory.numeric import log, to_ball
from banditproof.verify.channels import renyi_divergence
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import FiniteKernel, random_kernel, random_law, replacements, reward_lists
from banditproof.verify.output_laws import view_law
from banditproof.verify.policy_privacy import largest_divergence

Sides = tuple[Any, str, Any]
# the modules whose claims are restated here
RESTATED = (
    bernoulli_dp_definitions,
    bernoulli_dp_protocol,
    thesis_composition,
    thesis_definitions,
    thesis_interaction,
    thesis_parallel_composition,
    thesis_privacy_definitions,
    thesis_privacy_proof,
    thesis_subgaussian,
    zcdp_imported,
)

# ------------------------------------------------------------------------------------------------ protocol and regret

restate(
    "RDP-A1", "TH-A6",
    r"Algorithm 1: user $t$ hears $a_t\sim\pi_t$ and answers with the sensitive reward of the <heard>; the law of "
    r"$(a_1,\dots,a_T)$ is that of the mechanism (without contexts).",
)  # fmt: skip
restate("RDP-EQ5", "BDP-EQ2")
restate("RDP-EQ-M", "TH-EQ3.2", r"$\mathcal M^\pi_R(A)=\prod_t\pi_t(a_t\mid a_1,r_1,\dots,a_{t-1},r_{t-1})$ is a law "
                                r"for every $R$: the View mechanism (mass <mass>).")  # fmt: skip
restate("RDP-R0", "TH-EQ3.2", r"$\sum_{A\in[K]^T}\mathcal M^\pi_R(A)=<mass>$ for each $R$.")

# --------------------------------------------------------------------------------------- Definition 1 and Theorem 2

restate_parts(
    "RDP-D1",
    r"$(\epsilon,\delta)$-DP by events and neighbours, $(\alpha,\epsilon)$-RDP by $D_\alpha(P\|Q)=\frac1{\alpha-1}\log"
    r"\mathbb E_Q[(\frac{dP}{dQ})^\alpha]\le\epsilon$.",
    {"approximate": "TH-D2.3/approximate", "renyi": "TH-D2.3/renyi"},
)


def renyi_in_the_order(law: int, order: Fraction, more: Fraction, factor: Any) -> Sides:
    """D_order against D_(order + more) of two random laws."""
    p, q = (dict(enumerate(random_law(law, side, 3))) for side in "pq")
    return renyi_divergence(p, q, order), "<=", to_ball(factor) * renyi_divergence(p, q, order + more)


@claim(
    "RDP-D1/monotone", r"$D_\alpha\le<factor>D_{\alpha'}$ for $\alpha<\alpha'$: RDP of one order says nothing of "
                       r"larger "
                       r"ones.",
    role="remark", domain=Domain.of(law="all: every pair of laws", order="(1, inf)", more="(0, inf)"),
    constants={"factor": 1}, mutations=[mutation("nine tenths", factor="0.9")], strongest="enumeration",
)  # fmt: skip
def divergence_grows_with_the_order(check: Check) -> None:
    points = [
        {"law": s, "order": Fraction(a), "more": Fraction(m)}
        for s in range(check.pick(20, 200)) for a in ("11/10", "2", "30") for m in ("1/10", "5")
    ]  # fmt: skip
    check.enumerate(renyi_in_the_order, points, rational=True, routes=("divergence", "divergence of larger order"))


parts_decide(
    "RDP-T2",
    r"$f+Z$ with $Z\sim\mathcal N(0,\frac{\alpha s(f)^2}{2\epsilon}I_d)$, $s$ the $\ell_2$ sensitivity, is "
    r"$(\alpha,\epsilon)$-RDP.",
    twins=["TH-T2.14", "ZCDP-T18", "ALG-R5.7"],
)
restate("RDP-T2/one-coordinate", "ALG-R5.7/renyi", role="part")


def several_coordinates(change: Any, order: Any, epsilon: Any, factor: Any) -> Sides:
    """Divergences of independent coordinates add up, with the change in sensitivities; against epsilon |change|^2."""
    b = order / (2 * epsilon)
    parts = [order * Fraction(d) ** 2 / (2 * b) for d in change]
    return sum(parts), "==", factor * epsilon * sum(Fraction(d) ** 2 for d in change)


@claim(
    "RDP-T2/several-coordinates",
    r"Over $d$ coordinates $D_\alpha=<factor>\epsilon\|f(d)-f(d')\|_2^2/s(f)^2\le\epsilon$.",
    domain=Domain.of(change="all: every change", order="(1, inf)", epsilon="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def gaussian_noise_in_several_coordinates(check: Check) -> None:
    points = [
        {"change": list(d), "order": Fraction(a), "epsilon": Fraction(e)}
        for k in (1, 2, 3) for d in product(("-1/2", "0", "1/3"), repeat=k) for a in ("3/2", "8") for e in ("1/10", "2")
    ]  # fmt: skip
    check.enumerate(several_coordinates, points, rational=True, routes=("sum over coordinates", "l2 norm"))


# ------------------------------------------------------------------------------------------------------ Definition 3

parts_decide(
    "RDP-D3",
    r"$\epsilon$-global DP: $\mathcal M^\pi_R(A)\le e^\epsilon\mathcal M^\pi_{R'}(A)$ for all sequences $A$ and "
    r"neighbouring lists; $(\alpha,\epsilon)$-global RDP: $D_\alpha(\mathcal M^\pi_R\|\mathcal "
    r"M^\pi_{R'})\le\epsilon$.",
    twins=["TH-D3.3", "BDP-D2.3"],
)
restate(
    "RDP-D3/pure", "BDP-D2.2",
    r"For $\delta=0$ the condition on single sequences $A\in[K]^T$ is the condition on all events (at $<factor>$ times "
    r"the largest ratio of sequences no event has an excess).",
    role="part",
)  # fmt: skip


def policy(T: int, K: int, number: int) -> FiniteKernel:
    """A random policy that gives every arm a chance, so that divergences are finite."""
    return random_kernel(number, T, K, (0, 1, 2) if number % 2 and T < 3 else (0, 1))


def view_divergence(T: int, K: int, policy_number: int, order: int, factor: Any) -> Sides:
    """Two programs for the largest D_order over neighbouring lists: all pairs, and prefix by prefix."""
    pi = policy(T, K, policy_number)
    laws = {r: view_law(pi, r) for r in reward_lists(pi)}
    power = int(order)
    moments = [renyi_moment(laws[r], laws[s], power) for r in laws for s in replacements(r, pi.rewards)]
    worst = log(to_ball(max(moments, default=Fraction(1)))) / (power - 1)
    difference = worst - to_ball(factor) * largest_divergence(pi, "view", Fraction(order))[0]
    return abs(difference), "<=", to_ball("1e-25")


@claim(
    "RDP-D3/renyi", r"The largest $D_\alpha$ over neighbouring lists is <factor> times that found prefix by prefix.",
    domain=Domain.of(T="integer [1, inf)", K="integer [1, inf)", policy_number="all: every policy", order="(1, inf)"),
    constants={"factor": 1}, mutations=[mutation("1.01", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def renyi_privacy_of_policies(check: Check) -> None:
    points = [
        {"T": T, "K": K, "policy_number": s, "order": a}
        for T, K in ((1, 2), (2, 2), (2, 3), (3, 2)) for s in range(check.pick(3, 20)) for a in (2, 5) if T > 1
    ]  # fmt: skip
    check.enumerate(view_divergence, points, rational=True, routes=("all pairs of lists", "prefix by prefix"))


def view_and_interactive(T: int, K: int, policy_number: int, factor: Any) -> Sides:
    """The largest D_2 against an adversary who asks for arms of his own, and over lists."""
    pi = policy(T, K, policy_number)
    interactive = largest_divergence(pi, "interactive", Fraction(2))[0]
    return interactive, "<=", to_ball(factor) * largest_divergence(pi, "view", Fraction(2))[0] + to_ball("1e-25")


NOTIONS = Domain.of(T="integer [1, inf)", K="integer [1, inf)", policy_number="all: every policy")


@claim(
    "RDP-D3/same-as-interactive",
    r"Global RDP of this paper (Definition 3, lists) asks as much of every policy as Interactive privacy of the zCDP "
    r"paper (Definition 4) and the thesis (Definition 3.5): the largest $D_2$ against adversaries is at most "
    r"$<factor>$ "
    r"times that over lists.",
    role="reading", domain=NOTIONS, constants={"factor": 1}, twins=["ZCDP-D4", "TH-D3.5"],
)  # fmt: skip
def one_notion_in_both_papers(check: Check) -> None:
    """On an event of several sequences an adversary mixes lists; random policies on two steps show it."""
    for number in range(1, 40, 2):
        if check.counterexample(view_and_interactive, {"T": 2, "K": 2, "policy_number": number}, rational=True):
            return


def view_below_interactive(T: int, K: int, policy_number: int, factor: Any) -> Sides:
    pi = policy(T, K, policy_number)
    view = largest_divergence(pi, "view", Fraction(2))[0]
    interactive = largest_divergence(pi, "interactive", Fraction(2))[0]
    return view, "<=", to_ball(factor) * interactive + to_ball("1e-25")


@claim(
    "RDP-D3/weaker-than-interactive",
    r"Interactive privacy is the stronger one: the largest $D_2$ over lists is at most $<factor>$ times that against "
    r"adversaries.",
    role="repair", repairs="RDP-D3/same-as-interactive", domain=NOTIONS, constants={"factor": 1},
    mutations=[mutation("nine tenths", factor="0.9")], strongest="enumeration",
)  # fmt: skip
def view_is_the_weaker_notion(check: Check) -> None:
    points = [{"T": T, "K": 2, "policy_number": s} for T in (2, 3) for s in range(check.pick(4, 30))]
    check.enumerate(view_below_interactive, points, rational=True, routes=("lists", "adversaries"))


# ----------------------------------------------------------------------------------------------------------- Lemma 11

restate_parts(
    "RDP-L11",
    r"$\mathcal G$ applies $\mathcal M$ to each block of a fixed partition: if $\mathcal M$ is "
    r"$(\alpha,\epsilon)$-RDP, so "
    r"is $\mathcal G$.",
    {"moments": "TH-L2.10/zcdp"},
)
restate(
    "RDP-L11/indexes-up-to-T", "TH-L2.10/indexes-up-to-n",
    r"'Let $t_1,\dots,t_{\ell+1}$ be in $[1,T+<outside>]$ such that $1=t_1<\dots<t_\ell<t_{\ell+1}-1=T$' ($T=n$, "
    r"$\ell=k$): there are such indexes.",
)  # fmt: skip
restate("RDP-L11/indexes-up-to-T-plus-one", "TH-L2.10/indexes-up-to-n-plus-one", repairs="RDP-L11/indexes-up-to-T")

# --------------------------------------------------------------------------------------------------------- Appendix E

restate("RDP-L18", "TH-P2.7/approximate")
restate(
    "RDP-L18/renyi", "TH-P2.7/zcdp",
    r"Stated for $(\epsilon,\delta)$-DP, used for RDP, where it holds too: $\mathbb E_Q[(dP/dQ)^\alpha]-1$ grows by at "
    r"most $<factor>$ under a randomised mapping.",
    role="implication",
)  # fmt: skip
restate("RDP-L19", "ZCDP-L5")
restate_parts(
    "RDP-D20", r"$X$ is $\sigma$-subgaussian if $\mathbb E e^{\lambda X}\le e^{\lambda^2\sigma^2/2}$ for all "
               r"$\lambda$.",
    {"mean-zero": "TH-D2.20/mean-zero", "gaussian": "TH-D2.20/gaussian"},
)  # fmt: skip
restate("RDP-L21", "TH-L2.21")
restate_parts(
    "RDP-L22",
    r"(1) $cX$ is $|c|\sigma$-subgaussian; (2) independent sums are $\sqrt{\sigma_1^2+\sigma_2^2}$-subgaussian; (3) "
    r"$X\in[a,b]$ of mean zero is $\frac{b-a}2$-subgaussian.",
    {"scaling": "TH-L2.22/scaling", "sum": "TH-L2.22/sum", "bounded": "TH-L2.22/bounded"},
)
