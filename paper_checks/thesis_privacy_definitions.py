"""Section 2.1 of the thesis: mechanisms, neighbouring data sets, and the definitions of privacy.

Mechanisms are random finite channels with rational probabilities, re-created from an integer; what is said of every
mechanism is supported by them, and proved where the statement is an identity of two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from banditproof.paper_checks.bernoulli_dp_tools import EVERY_MECHANISM, RATIOS, finitely_many, numbered
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.verify.channels import channel_delta
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
WITH_RATIO = EVERY_MECHANISM.restrict(ratio="[1, inf)")


def events(outcomes: Any) -> Iterator[tuple[Any, ...]]:
    """All subsets of the outcomes."""
    listed = list(outcomes)
    return chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1))


def probability(law: Any, event: Any) -> Fraction:
    return sum((law[o] for o in event), Fraction(0))


def with_ratios(check: Check, many: int = 30) -> list[dict[str, Any]]:
    """Random mechanisms at several values of e^epsilon."""
    return [{"mechanism": s, "ratio": r} for s in range(check.pick(many, 10 * many)) for r in RATIOS]


# ----------------------------------------------------------------------------------------------- Definitions 2.1 to 2.3


def complementary_events(mechanism: int, mass: Any) -> Sides:
    """The largest and smallest M_D(A) + M_D(complement of A) agree with the mass one."""
    channel = numbered(mechanism)
    sums = [
        probability(law, e) + probability(law, set(law) - set(e)) for law in channel.laws.values() for e in events(law)
    ]
    return max(abs(total - mass) for total in sums), "==", 0


@claim(
    "TH-D2.1",
    r"A mechanism gives every data set a law: $\mathcal M_D(A)+\mathcal M_D(\bar A)=<mass>$ for every event $A$.",
    domain=EVERY_MECHANISM, constants={"mass": 1}, mutations=[mutation("mass 0.99", mass="0.99")],
    strongest="enumeration",
)  # fmt: skip
def mechanism_gives_laws(check: Check) -> None:
    points = [{"mechanism": s} for s in range(check.pick(20, 200))]
    check.enumerate(
        complementary_events, points, rational=True, covers=finitely_many(check, "random channels"),
        routes=("sums over events", "one"),
    )  # fmt: skip


def hamming(left: Any, right: Any) -> int:
    return sum(a != b for a, b in zip(left, right, strict=True))


def steps_between(records: int, values: int, factor: Any) -> Sides:
    """The largest difference, over all pairs, of the Hamming distance and the least number of neighbour steps."""
    data = list(product(range(values), repeat=records))
    worst = Fraction(0)
    for start in data:
        reached, front, steps = {start}, {start}, {start: 0}
        while front:
            front = {d for d in data if d not in reached and any(hamming(d, e) <= 1 for e in front)}
            reached |= front
            steps |= dict.fromkeys(front, max(steps.values()) + 1)
        worst = max(worst, max(abs(factor * hamming(start, d) - steps[d]) for d in data))
    return worst, "==", 0


@claim(
    "TH-D2.2",
    r"$d_{\rm Ham}$ counts differing records, and $D\sim D'$ iff it is at most 1; so any $D,D'$ are joined by "
    r"$<factor>d_{\rm Ham}(D,D')$ neighbour steps and no fewer.",
    domain=Domain.of(records="integer [1, inf)", values="integer [1, inf)"), constants={"factor": 1},
    mutations=[mutation("half as many", factor="1/2")], strongest="enumeration",
)  # fmt: skip
def hamming_is_the_graph_distance(check: Check) -> None:
    """Breadth-first search from every data set; equal data sets are neighbours as well, at distance 0."""
    grid = {"records": check.pick([1, 2, 3], [1, 2, 3, 4]), "values": [1, 2, 3]}
    check.enumerate(steps_between, grid, rational=True, routes=("breadth-first search", "Hamming distance"))


def supremum_over_events(mechanism: int, ratio: Fraction, factor: Any) -> Sides:
    channel = numbered(mechanism)
    largest = max(
        probability(channel.laws[a], e) - ratio * probability(channel.laws[b], e)
        for a, b in channel.pairs()
        for e in events(channel.laws[a])
    )
    return largest, "==", factor * channel_delta(channel, ratio).value


@claim(
    "TH-D2.3/approximate",
    r"The least $\delta$ of $(\varepsilon,\delta)$-DP, the supremum of "
    r"$\mathcal M_D(A)-e^\varepsilon\mathcal M_{D'}(A)$ over events and neighbours, is $<factor>$ times the largest "
    r"$\sum_o(\mathcal M_D(o)-e^\varepsilon\mathcal M_{D'}(o))_+$.",
    domain=WITH_RATIO, constants={"factor": 1}, mutations=[mutation("factor 0.99", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def hockey_stick_is_the_supremum(check: Check) -> None:
    covers = finitely_many(check, "random channels").restrict(ratio=RATIOS)
    check.enumerate(
        supremum_over_events, with_ratios(check), rational=True, covers=covers,
        routes=("all events", "sum of positive parts"),
    )  # fmt: skip


def gaussian_renyi(x: Any, u: Any, v: Any, sigma: Any, alpha: Any, factor: Any) -> Sides:
    """The exponent of p^alpha q^(1-alpha) at x, completed to a square: what is left is (alpha - 1) D_alpha.

    p and q are N(u, sigma^2) and N(v, sigma^2); the square is the exponent of a normal density and integrates to 1.
    """
    centre = alpha * u + (1 - alpha) * v
    exponent = -(alpha * (x - u) ** 2 + (1 - alpha) * (x - v) ** 2) / (2 * sigma * sigma)
    remainder = exponent + (x - centre) ** 2 / (2 * sigma * sigma)
    return remainder / (alpha - 1), "==", factor * alpha * (u - v) ** 2 / (2 * sigma * sigma)


def real_numbers() -> SymbolicArgument:
    import sympy

    x, u, v = sympy.symbols("x u v", real=True)
    sigma, more = sympy.symbols("sigma more", positive=True)
    return SymbolicArgument({"x": x, "u": u, "v": v, "sigma": sigma, "alpha": 1 + more}, 0, "zero")


NORMAL_PAIRS = Domain.of(
    x="(-inf, inf)", u="(-inf, inf)", v="(-inf, inf)", sigma="(0, inf)", alpha="(1, inf)"
)  # fmt: skip


@claim(
    "TH-D2.3/renyi",
    r"$D_\alpha(\mathcal N(u,\sigma^2)\|\mathcal N(v,\sigma^2))=<factor>\alpha(u-v)^2/(2\sigma^2)$ by the definition "
    r"$\frac1{\alpha-1}\log\mathbb E_Q[(dP/dQ)^\alpha]$.",
    domain=NORMAL_PAIRS, constants={"factor": 1}, mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="symbolic",
)  # fmt: skip
def renyi_of_normal_laws(check: Check) -> None:
    check.symbolic(gaussian_renyi, real_numbers, routes=("completed square", "closed form"))


parts_decide("TH-D2.3", r"$(\varepsilon,\delta)$-DP by events and neighbours, $\rho$-zCDP by Rényi divergences.")

not_checkable(
    "TH-S2.1d", r"Think of $\varepsilon,\rho$ as small values in $[0,1]$, and of $\delta$ as much smaller than $1/n$.",
    "no statement", "a statement of what fails for other budgets",
)  # fmt: skip
