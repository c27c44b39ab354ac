"""Sections 3.6 and 3.8 of the thesis: which definition of privacy is stronger than which."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, shapes
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_definitions import EVERY_RATIO, delta_under, with_ratios
from banditproof.paper_checks.thesis_interactive import READ_OFF, named, some_policy
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import FiniteKernel
from banditproof.verify.policy_privacy import largest_ratio
from banditproof.verify.separation import matched_answer_kernel

MATCHED = "third reward must match the second arm"


def policy_of(T: int, K: int, policy: Any) -> FiniteKernel:
    """A policy of the section before, or the one on which a tree tells more than queries do."""
    return matched_answer_kernel() if policy == MATCHED else some_policy(T, K, policy)


def excess_order(T: int, K: int, policy: Any, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    """How many of view <= table <= tree fail by more than the factor."""
    pi = policy_of(T, K, policy)
    deltas = [delta_under(notion, pi, ratio) for notion in ("view", "table", "acr")]
    return sum(a > factor * b for a, b in zip(deltas, deltas[1:], strict=False)), "==", 0


@claim(
    "TH-S3.6",
    r"Lists, tables and trees are increasingly strong inputs: $\delta_{\rm View}\le <factor>\,\delta_{\rm Table}$ and "
    r"$\delta_{\rm Table}\le <factor>\,\delta_{\rm ACR}$ at every $\varepsilon$.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def lists_tables_trees(check: Check) -> None:
    """Exact deltas of random and of structured policies."""
    check.enumerate(excess_order, named(check), rational=True, routes=("weaker notion", "stronger notion"))


def pure_spread(T: int, K: int, policy: Any, factor: Fraction) -> tuple[Any, str, Any]:
    ratios = [largest_ratio(policy_of(T, K, policy), notion).ratio for notion in ("view", "table", "acr")]
    return max(ratios), "==", factor * min(ratios)


@claim(
    "TH-S3.6/pure",
    r"For pure DP the three are equivalent with the same $\varepsilon$ (ratio of the largest to the smallest "
    r"$e^\varepsilon$: $<factor>$).",
    domain=EVERY_POLICY,
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def equivalent_for_pure(check: Check) -> None:
    """The largest likelihood ratio over lists, tables and trees."""
    check.enumerate(pure_spread, shapes(check), rational=True, routes=("largest", "smallest"))


def interactive_within_table(T: int, K: int, policy: Any, ratio: Fraction) -> tuple[Any, str, Any]:
    pi = policy_of(T, K, policy)
    return delta_under("interactive", pi, ratio), "<=", delta_under("table", pi, ratio)


@claim(
    "TH-S3.6/blind-to-arms",
    "Read of policies whose decisions do not depend on the arms fed to them at all: Interactive and Table DP coincide.",
    role="reading",
    domain=EVERY_RATIO,
    strongest="enumeration",
)
def policies_blind_to_arms(check: Check) -> None:
    """A policy that reads rewards only; still a query adversary steers, through the column, which reward comes when."""
    point = {"T": 4, "K": 2, "policy": READ_OFF, "ratio": Fraction(1)}
    check.counterexample(interactive_within_table, point, rational=True)


parts_decide(
    "TH-S3.8",
    "Interactive DP is stronger than DP under adaptive continual release, which is stronger than Table DP, which is "
    "stronger than View DP.",
    domain=EVERY_POLICY,
)


def release_within_interactive(
    T: int, K: int, policy: Any, ratio: Fraction, factor: Fraction, exempt: int
) -> tuple[Any, str, Any]:
    pi = policy_of(T, K, policy)
    power = Fraction(K) ** max(0, T - exempt)
    return delta_under("acr", pi, ratio), "<=", factor * power * delta_under("interactive", pi, ratio)


def release_under_interactive(T: int, K: int, policy: Any, ratio: Fraction) -> tuple[Any, str, Any]:
    return release_within_interactive(T, K, policy, ratio, Fraction(1), T)


@claim(
    "TH-S3.8/interactive-above-release",
    r"$(\varepsilon,\delta)$-Interactive DP implies $(\varepsilon,\delta)$-DP under adaptive continual release: "
    r"$\delta_{\rm ACR}\le\delta_{\rm Interactive}$.",
    domain=EVERY_RATIO,
    strongest="enumeration",
)
def interactive_above_release(check: Check) -> None:
    """A tree answers the third step by the second action whichever arm is played, a table has one reward per arm.

    The policy tells of the first reward at step 4 only if the third reward, of arm 0, matches the second arm; what it
    tells best complements what the second action told. Deltas at epsilon = 0: 5/6 over trees, 2/3 in the interaction.
    """
    check.counterexample(
        release_under_interactive, {"T": 4, "K": 2, "policy": MATCHED, "ratio": Fraction(1)}, rational=True
    )


@claim(
    "TH-S3.8/rest",
    r"$\delta_{\rm View}\le <factor>\,\delta_{\rm Table}$ and $\delta_{\rm Table}\le <factor>\,\delta_{\rm ACR}$.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def rest_of_the_chain(check: Check) -> None:
    """Exact deltas of random and of structured policies."""
    check.enumerate(excess_order, named(check), rational=True, routes=("weaker notion", "stronger notion"))


def pure_chain(T: int, K: int, policy: Any, factor: Fraction) -> tuple[Any, str, Any]:
    pi = policy_of(T, K, policy)
    return largest_ratio(pi, "acr").ratio, "<=", factor * largest_ratio(pi, "interactive").ratio


@claim(
    "TH-S3.8/pure",
    r"For pure DP the chain holds: $e^{\varepsilon_{\rm ACR}}\le <factor>\,e^{\varepsilon_{\rm Interactive}}$, and "
    "adaptive continual release, Table and View DP are the same.",
    role="repair",
    repairs="TH-S3.8/interactive-above-release",
    domain=EVERY_POLICY,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def chain_for_pure(check: Check) -> None:
    """Along one action sequence an adversary may ask for the arm played, and a table holds any list of rewards."""
    points = [*shapes(check), {"T": 4, "K": 2, "policy": MATCHED}]
    check.enumerate(pure_chain, points, rational=True, routes=("worst tree", "worst adversary"))


@claim(
    "TH-S3.8/short",
    r"$\delta_{\rm ACR}\le <factor>\,K^{\max(0,T-<exempt>)}\,\delta_{\rm Interactive}$: Interactive DP implies DP "
    r"under adaptive continual release up to $T = 3$, and with a factor $K^{T-3}$ from then on.",
    role="remark",
    domain=EVERY_RATIO,
    constants={"exempt": 3, "factor": 1},
    mutations=[mutation("no factor at T = 4", exempt=4)],
    strongest="enumeration",
)
def short_horizons(check: Check) -> None:
    """Fixed queries reach any history; after the challenge, below one prefix of actions, a tree is a table."""
    points = with_ratios([*shapes(check), {"T": 4, "K": 2, "policy": MATCHED}, {"T": 4, "K": 2, "policy": 0}])
    check.enumerate(
        release_within_interactive, points, rational=True, routes=("worst tree", "worst adversary and tables")
    )


WIDEST = tuple(map(Fraction, ("97/100", "124/125", "249/250", "1", "1177/6400", "23/500", "499/500", "1/10")))
ONE_POLICY = Domain.of()


def widest_gap(factor: Fraction) -> tuple[Any, str, Any]:
    pi, ratio = matched_answer_kernel(WIDEST), Fraction(4)
    return delta_under("acr", pi, ratio), ">=", factor * delta_under("interactive", pi, ratio)


@claim(
    "TH-S3.8/widest",
    r"With $T = 4$, $K = 2$ and $e^\varepsilon = 4$ there is a policy with $\delta_{\rm ACR}\ge <factor>\,\delta_{\rm "
    r"Interactive}$ (found by hill climbing; 2 is the most there can be).",
    role="remark",
    domain=ONE_POLICY,
    constants={"factor": "1.959"},
    mutations=[mutation("1.98", factor="1.98")],
    strongest="enumeration",
)
def widest_found(check: Check) -> None:
    """Both deltas exactly, over all trees and all adversaries and tables."""
    if not check.counterexample(widest_gap, {}, rational=True):
        check.enumerate(widest_gap, [{}], rational=True, routes=("worst tree", "worst adversary and tables"))
