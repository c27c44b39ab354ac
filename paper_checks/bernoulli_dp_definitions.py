"""Section 2 of the Bernoulli paper: privacy of a policy on tables and on lists of rewards.

Policies are random rational kernels, re-created from an integer, so that every law and every likelihood ratio is
exact. A finite set of policies supports a statement about every policy; it never proves it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.verify import enumeration, output_laws
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import FiniteKernel, random_kernel, random_law, reward_lists, reward_tables

EVERY_POLICY = Domain.of(T="integer [1, inf)", K="integer [1, inf)", policy="all: every policy")


def shapes(check: Check) -> list[dict[str, Any]]:
    """Random policies small enough that all inputs can be visited; longer horizons under the full profile."""
    sizes = [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2)] + check.pick([], [(4, 2)])
    return [{"T": T, "K": K, "policy": seed} for T, K in sizes for seed in range(check.pick(6, 30))]


def kernel(T: int, K: int, policy: int) -> FiniteKernel:
    """Random policy number ``policy``; some have arms of probability zero, some three rewards."""
    rewards = (0, 1, 2) if policy % 2 and T < 3 else (0, 1)
    return random_kernel(policy, T, K, rewards, smallest_weight=0 if policy % 3 == 2 else 1)


def delta(witness: enumeration.PrivacyWitness) -> Fraction:
    """The delta of a witness that was asked for one."""
    assert witness.delta is not None
    return witness.delta


def total_mass_on_tables(T: int, K: int, policy: int, mass: int) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    table = list(reward_tables(pi))[policy % len(list(reward_tables(pi)))]
    return sum(output_laws.table_law(pi, table).values()), "==", mass


@claim(
    "BDP-D2.2b",
    r"$\sum_{\mathbf a} \mathcal M^\pi_{\mathbf x}(\mathbf a) = <mass>$: a policy run on a table "
    r"of rewards outputs a law on action sequences.",
    domain=EVERY_POLICY,
    constants={"mass": 1},
    mutations=[mutation("mass 0.99", mass="0.99")],
    strongest="enumeration",
)
def table_mechanism(check: Check) -> None:
    """All probabilities of action sequences are added up in rationals."""
    check.enumerate(total_mass_on_tables, shapes(check), rational=True, routes=("sum of the law", "one"))


def total_mass_on_lists(T: int, K: int, policy: int, mass: int) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    rewards = list(reward_lists(pi))[policy % len(list(reward_lists(pi)))]
    return sum(output_laws.view_law(pi, rewards).values()), "==", mass


@claim(
    "BDP-D2.2c",
    r"$\sum_{\mathbf a} \mathcal V^\pi_{\mathbf r}(\mathbf a) = <mass>$: a policy run on a list "
    r"of rewards outputs a law on action sequences.",
    domain=EVERY_POLICY,
    constants={"mass": 1},
    mutations=[mutation("mass 0.99", mass="0.99")],
    strongest="enumeration",
)
def view_mechanism(check: Check) -> None:
    """All probabilities of action sequences are added up in rationals."""
    check.enumerate(total_mass_on_lists, shapes(check), rational=True, routes=("sum of the law", "one"))


def worst_event_is_an_outcome(T: int, K: int, policy: int, factor: int) -> tuple[Any, str, Any]:
    """At e^epsilon = the largest ratio over outcomes, no event has an excess: outcomes suffice for pure privacy."""
    pi = kernel(T, K, policy)
    ratio = enumeration.view_epsilon(pi).ratio
    if ratio == float("inf"):
        return 0, "==", 0
    return enumeration.view_delta(pi, max(Fraction(1), Fraction(ratio) * factor)).delta, "==", 0


@claim(
    "BDP-D2.2",
    r"A mechanism is $\epsilon$-DP when $\mathcal M_D(E) \le e^{\epsilon}\mathcal M_{D'}(E)$ for "
    r"all events and neighbours; for finite outputs it suffices to look at single outcomes "
    r"($<factor>$ times their largest ratio).",
    domain=EVERY_POLICY,
    constants={"factor": 1},
    mutations=[mutation("half the ratio", factor="1/2")],
    strongest="enumeration",
)
def pure_privacy(check: Check) -> None:
    """The largest ratio over outcomes against the hockey-stick excess over all events."""
    check.enumerate(
        worst_event_is_an_outcome,
        shapes(check),
        rational=True,
        routes=("largest ratio over outcomes", "excess over all events"),
    )


def blind_policy(T: int, K: int, policy: int, reads: int) -> tuple[Any, str, Any]:
    """A policy that looks at rewards only through ``reads``: with 0 it is perfectly private in both senses."""

    def probability(history: Any) -> Any:
        seen = tuple((a, r * reads) for a, r in history)
        return random_law(policy, seen, K)

    pi = FiniteKernel(T, K, (0, 1), probability)
    return enumeration.table_epsilon(pi).ratio * enumeration.view_epsilon(pi).ratio, "==", 1


@claim(
    "BDP-D2.3",
    r"$\pi$ is $\epsilon$-Table DP when $\mathcal M^\pi$ is $\epsilon$-DP and $\epsilon$-View DP "
    r"when $\mathcal V^\pi$ is; a policy that reads $<reads>$ times its rewards is so with "
    r"$\epsilon = 0$ when that is nothing.",
    domain=EVERY_POLICY,
    constants={"reads": 0},
    mutations=[mutation("rewards are read", reads=1)],
    strongest="enumeration",
)
def table_and_view_privacy(check: Check) -> None:
    """The definitions applied to policies that cannot leak, and (mutated) to policies that do."""
    check.enumerate(blind_policy, shapes(check), rational=True, routes=("tightest ratios", "one"))


def table_as_private_as_view(T: int, K: int, policy: int, measure: str, factor: int) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    if measure == "pure":
        return enumeration.table_epsilon(pi).ratio, "==", factor * enumeration.view_epsilon(pi).ratio
    return (
        delta(enumeration.table_delta(pi, Fraction(1))),
        "==",
        factor * delta(enumeration.view_delta(pi, Fraction(1))),
    )


@claim(
    "BDP-P2.4",
    r"For <measure> privacy, $\pi$ is $\epsilon$-Table DP if and only if it is $\epsilon$-View "
    r"DP: the tightest $e^\epsilon$ of one is $<factor>$ times that of the other.",
    domain=EVERY_POLICY,
    constants={"measure": "pure", "factor": 1},
    twins=["TH-P3.12", "ZCDP-P1"],
    mutations=[
        mutation("approximate instead of pure privacy", measure="approximate"),
        mutation("factor 1.01", factor="1.01"),
    ],
    strongest="enumeration",
)
def table_and_view(check: Check) -> None:
    """The tightest epsilon over all neighbouring tables against the one over all neighbouring reward lists.

    Along one action sequence a table is a list, and every list is a table with equal columns, so for single outcomes
    the two definitions see the same pairs; composite events can see more in tables, which is what the mutation shows.
    """
    check.enumerate(
        table_as_private_as_view,
        shapes(check),
        rational=True,
        routes=("all neighbouring tables", "all neighbouring lists"),
    )
