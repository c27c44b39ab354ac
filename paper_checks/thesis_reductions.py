"""Sections 3.5 and 3.6 of the thesis: adaptive continual release, its trees, and what follows from it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_continual_release import (
    channels_at_the_challenge,
    random_adversary,
)
from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, kernel, shapes
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_definitions import EVERY_RATIO, delta_under, with_ratios
from banditproof.paper_checks.twins import restate
from banditproof.theory.numeric import to_ball
from banditproof.verify import output_laws
from banditproof.verify.kernels import FiniteKernel
from banditproof.verify.policy_privacy import largest_divergence, largest_ratio
from banditproof.verify.separation import prefix_code_kernel, secret_word_kernel

CODE = "last arm leaks if the last reward numbers the first arms"
LEAK = Fraction(1, 3)


restate(
    "TH-D3.8",
    "BDP-DB.1",
    r"A reward-feeding adversary answers each action prefix with $(r^L_t, r^R_t)$: the rewards heard on the two sides "
    r"differ in at most $<changes>$ step.",
)


def protocol_law(T: int, K: int, policy: int, mass: Fraction, side: str) -> tuple[Any, str, Any]:
    """The total mass of the views, plus the number of views on which the left side depends on the challenge time."""
    pi, feed = kernel(T, K, policy), random_adversary(kernel(T, K, policy), policy)
    laws = [output_laws.acr_law(pi, feed, time, side) for time in range(1, T + 1)]
    depends = sum(law != laws[0] for law in laws)
    return sum(laws[-1].values()) + depends, "==", mass


@claim(
    "TH-A3.ACR",
    r"The protocol outputs a law on views (mass $<mass>$), and with $b = L$ it is the same for every challenge time "
    r"$t^\star\in\{1,\dots,T\}$.",
    domain=EVERY_POLICY,
    constants={"mass": 1, "side": "L"},
    mutations=[mutation("mass 0.99", mass="0.99"), mutation("the right side", side="R")],
    strongest="enumeration",
)
def continual_release_protocol(check: Check) -> None:
    """Played step by step against random adversaries (one place prints {1, T} for the set of challenge times)."""
    check.enumerate(protocol_law, shapes(check), rational=True, routes=("protocol, step by step", "one law"))


restate(
    "TH-D3.9",
    "BDP-DB.2",
    r"$(\varepsilon,\delta)$-DP under adaptive continual release; one direction suffices, the channels may be swapped "
    r"(factor $<factor>$).",
)


restate(
    "TH-R3.10",
    "BDP-RB.3",
    r"$\Pr[\mathrm{View}^{b,t^\star}=\mathbf a] = \mathcal V^\pi(\mathbf a\mid\mathcal A^{b,t^\star+<shift>}(\mathbf "
    r"a))$ for $b\in\{L,R\}$.",
)


@claim(
    "TH-R3.10/neighbours",
    r"The lists $\mathcal A^{L,t^\star}(\mathbf a)$ and $\mathcal A^{R,t^\star}(\mathbf a)$ differ in at most "
    r"$<changes>$ place.",
    domain=EVERY_POLICY,
    constants={"changes": 1},
    mutations=[mutation("no place", changes=0)],
    strongest="enumeration",
)
def lists_are_neighbours(check: Check) -> None:
    """Random adversaries on every action sequence and challenge time."""
    check.enumerate(
        channels_at_the_challenge, shapes(check), rational=True, routes=("the two lists", "Hamming distance")
    )


restate(
    "TH-R3.11",
    "BDP-RB.4",
    r"A reward-feeding adversary is a tree of depth $T$; privacy means that trees which differ in one depth cannot be "
    r"told apart (worst tree, factor $<factor>$).",
)


restate(
    "TH-S3.Red3",
    "BDP-SB.1",
    r"With $\mathcal A(\mathbf x,\mathbf x')_t(\mathbf a) = (x_{t,a_t},x'_{t,a_t})$ and tables that differ in row "
    r"$t^\star+<row>$ only, the two views have the laws $\mathcal M^\pi_{\mathbf x}$ and $\mathcal M^\pi_{\mathbf "
    r"x'}$.",
)


# -- Proposition 3.15 -----------------------------------------------------------------------------------------

parts_decide(
    "TH-P3.15",
    r"(a) Adaptive continual release privacy implies Table privacy; (b) for pure $\varepsilon$-DP, adaptive continual "
    r"release, Table and View privacy are the same with the same $\varepsilon$.",
    domain=EVERY_POLICY,
    twins=["BDP-PB.5"],
)


def release_or_code(T: int, K: int, policy: Any) -> FiniteKernel:
    """Random policy number ``policy``, or one of the two that separate trees from tables and tables from lists."""
    if policy == CODE:
        return prefix_code_kernel(T, K, LEAK)
    return secret_word_kernel(T, K, LEAK) if policy == "word" else kernel(T, K, policy)


def table_within_release(T: int, K: int, policy: Any, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    pi = release_or_code(T, K, policy)
    return delta_under("table", pi, ratio), "<=", factor * delta_under("acr", pi, ratio)


def all_points(check: Check) -> list[dict[str, Any]]:
    special = [{"T": 3, "K": 2, "policy": name} for name in (CODE, "word")]
    return with_ratios(shapes(check) + special)


@claim(
    "TH-P3.15/a-approximate",
    r"$\delta_{\rm Table}(\varepsilon) \le <factor>\,\delta_{\rm ACR}(\varepsilon)$ for every $\varepsilon\ge0$.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    twins=["BDP-PB.5"],
    strongest="enumeration",
)
def release_implies_table(check: Check) -> None:
    """Exact deltas; a pair of tables is a tree that looks at the last action only."""
    check.enumerate(table_within_release, all_points(check), rational=True, routes=("worst tables", "worst tree"))


def moment_within_release(T: int, K: int, policy: int, order: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    import flint

    pi = kernel(T, K, policy)
    table, tree = (largest_divergence(pi, notion, order)[0] for notion in ("table", "acr"))
    return table, "<=", to_ball(factor) * tree + flint.arb(2) ** -40  # equal divergences are equal up to rounding


@claim(
    "TH-P3.15/a-zcdp",
    r"$\max D_\alpha(\mathcal M_{\mathbf x}\|\mathcal M_{\mathbf x'}) \le <factor>\max D_\alpha(\mathrm{View}^L\|"
    r"\mathrm{View}^R)$ for every $\alpha>1$.",
    domain=EVERY_POLICY.restrict(order="(1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def release_implies_table_for_zcdp(check: Check) -> None:
    """Rényi divergences in balls, over all pairs of tables and the worst tree."""
    orders = (Fraction(11, 10), Fraction(2), Fraction(7))
    points = [{**p, "order": o} for p in shapes(check) if p["policy"] in (0, 1, 3) for o in orders]
    check.enumerate(moment_within_release, points, rational=True, routes=("worst tables", "worst tree"))


def spread_of_three(T: int, K: int, policy: Any, measure: str) -> tuple[Any, str, Any]:
    pi = release_or_code(T, K, policy)
    notions = ("view", "table", "acr")
    if measure == "pure":
        values = [largest_ratio(pi, notion).ratio for notion in notions]
    else:
        values = [delta_under(notion, pi, Fraction(1)) for notion in notions]
    return min(values), "==", max(values)


@claim(
    "TH-P3.15/b",
    r"For <measure> privacy the tightest $e^\varepsilon$ over lists, tables and trees is the same.",
    domain=EVERY_POLICY,
    constants={"measure": "pure"},
    mutations=[mutation("approximate instead of pure privacy", measure="approximate")],
    twins=["BDP-PB.5"],
    strongest="enumeration",
)
def three_definitions_agree(check: Check) -> None:
    """Along one action sequence lists, tables and trees offer the same pairs of rewards."""
    check.enumerate(
        spread_of_three, shapes(check), rational=True, routes=("smallest of the three", "largest of the three")
    )


def release_within_table(T: int, K: int, policy: Any, ratio: Fraction, spared: int) -> tuple[Any, str, Any]:
    pi = release_or_code(T, K, policy)
    power = Fraction(K) ** max(0, T - spared)
    return delta_under("acr", pi, ratio), "<=", power * delta_under("table", pi, ratio)


@claim(
    "TH-P3.15/converse",
    r"$\delta_{\rm ACR}(\varepsilon) \le K^{\max(0, T-<spared>)}\,\delta_{\rm Table}(\varepsilon)$, and no smaller "
    r"power of $K$ will do: below one prefix of $T-2$ actions a tree is a table.",
    role="remark",
    domain=EVERY_RATIO,
    constants={"spared": 2},
    mutations=[mutation("exponent T - 3", spared=3)],
    strongest="enumeration",
)
def best_converse(check: Check) -> None:
    """Random policies and one that leaks if the last reward numbers the first arms, where equality holds."""
    check.enumerate(
        release_within_table, all_points(check), rational=True, routes=("worst tree", "worst tables, scaled")
    )
