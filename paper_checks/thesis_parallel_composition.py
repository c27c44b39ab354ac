"""Lemma 2.10 of the thesis, with its proof in Appendix C.1.1: mechanisms on disjoint parts of the data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from banditproof.paper_checks import bernoulli_dp_composition as known
from banditproof.paper_checks.bernoulli_dp_tools import RATIOS, finitely_many, numbered
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_composition import WITH_ORDER
from banditproof.paper_checks.thesis_privacy_definitions import WITH_RATIO, Sides, with_ratios
from banditproof.verify import channels
from banditproof.verify.channels import channel_delta, random_channel
from banditproof.verify.domain import Domain

BLOCKS = ((2, 1), (1, 2), (1, 1), (1, 1, 1))


def whole_and_blocks(mechanism: int, ratio: Fraction, blocks: Any, factor: Any) -> Sides:
    """Over all events of the joint output, not only products of events."""
    parts = [numbered(mechanism + i, records) for i, records in enumerate(blocks)]
    whole = channels.compose_in_parallel(parts)
    return channel_delta(whole, ratio).value, "==", factor * max(channel_delta(c, ratio).value for c in parts)


PARALLEL = WITH_RATIO.restrict(blocks="all: every partition into blocks")


@claim(
    "TH-L2.10/approximate",
    r"The least $\delta$ of mechanisms on disjoint blocks is $<factor>$ times the largest one of a block; so "
    r"$(\varepsilon,\delta)$-DP of each carries over.",
    domain=PARALLEL, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def parallel_composition(check: Check) -> None:
    """Equality: the other blocks have the same law in both data sets. Last blocks of one record are included."""
    cases = [(list(b), r) for b in BLOCKS for r in RATIOS]
    points = [{"mechanism": s, "blocks": b, "ratio": r} for s in range(check.pick(8, 60)) for b, r in cases]
    covers = finitely_many(check, "tuples of random channels").restrict(ratio=RATIOS, blocks="all: four partitions")
    check.enumerate(
        whole_and_blocks,
        points,
        rational=True,
        covers=covers,
        routes=("delta of the whole", "largest delta of a block"),
    )


def moments_of_blocks(mechanism: int, order: int, factor: Any) -> Sides:
    parts = [random_channel(mechanism + i, 1) for i in range(2)]
    whole = channels.compose_in_parallel(parts)
    left = max(known.renyi_moment(whole.laws[a], whole.laws[b], order) for a, b in whole.pairs())
    of_parts = max(known.renyi_moment(c.laws[a], c.laws[b], order) for c in parts for a, b in c.pairs())
    return left - 1, "==", factor * (of_parts - 1)


@claim(
    "TH-L2.10/zcdp",
    r"Read with $\rho=\max_i\rho_i$ (its relation to the $\rho_i$ is not printed): Rényi moments minus one of the "
    r"whole are "
    r"$<factor>$ times the largest ones of a block, at every order.",
    domain=WITH_ORDER, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def parallel_composition_of_zcdp(check: Check) -> None:
    points = [{"mechanism": s, "order": a} for s in range(check.pick(40, 300)) for a in (2, 3, 12)]
    check.enumerate(
        moments_of_blocks, points, rational=True,
        covers=finitely_many(check, "pairs of blocks").restrict(order=[2, 3, 12]),
        routes=("moment of the whole", "largest moment of a block"),
    )  # fmt: skip


parts_decide(
    "TH-L2.10", r"Mechanisms on disjoint blocks of records, fixed beforehand, keep the budget that each of them has.",
    twins=["BDP-LH.4", "ALG-LC.1", "ZCDP-L1"],
)  # fmt: skip


def index_choices(n: int, k: int, outside: int) -> Sides:
    """How many index lists 1 = t_1 < ... < t_k < t_(k+1) - 1 = n lie in [1, n + outside]."""
    allowed = range(1, n + outside + 1)
    lists: Iterator[tuple[int, ...]] = combinations(allowed, k + 1)
    return sum(t[0] == 1 and t[-1] == n + 1 and t[-2] < n for t in lists), ">=", 1


@claim(
    "TH-L2.10/indexes-up-to-n",
    r"'Let $t_1,\dots,t_{k+1}$ be indexes in $[1,n+<outside>]$ with $1=t_1<\dots<t_k<t_{k+1}-1=n$': there are such "
    r"indexes.",
    role="reading", domain=Domain.of(n="integer [2, inf)", k="integer [1, inf)", where=["k < n"]),
    constants={"outside": 0}, strongest="enumeration",
)  # fmt: skip
def indexes_up_to_n(check: Check) -> None:
    """The last index is n + 1, one beyond the range it is said to lie in."""
    check.counterexample(index_choices, {"n": 2, "k": 1})


@claim(
    "TH-L2.10/indexes-up-to-n-plus-one",
    r"There are indexes in $[1,n+<outside>]$ with $1=t_1<\dots<t_k<t_{k+1}-1=n$ for all $1\le k<n$.",
    role="repair", repairs="TH-L2.10/indexes-up-to-n", constants={"outside": 1},
    domain=Domain.of(n="integer [2, inf)", k="integer [1, inf)", where=["k < n"]),
    mutations=[mutation("up to n", outside=0)], strongest="enumeration",
)  # fmt: skip
def indexes_up_to_n_plus_one(check: Check) -> None:
    points = [{"n": n, "k": k} for n in range(2, 9) for k in range(1, n)]
    check.enumerate(index_choices, points, routes=("count of index lists", "one"))


def product_events(size: int, ratio: Fraction, factor: Any) -> Sides:
    """P uniform on the diagonal of size^2 outputs, Q uniform on all: the excess over products, and over all events."""
    p, q = Fraction(1, size), Fraction(1, size * size)
    of_products = max(min(a, b) * p - ratio * a * b * q for a in range(size + 1) for b in range(size + 1))
    return size * (p - ratio * q), "<=", factor * of_products


@claim(
    "TH-L2.10/product-events",
    r"Appendix C.1.1 bounds $\mathcal G_x(E)-e^\varepsilon\mathcal G_{x'}(E)$ for products of events only; as a "
    r"general step: "
    r"over all events it is no larger than over products, for any two laws.",
    role="step", domain=Domain.of(size="integer [2, inf)", ratio="[1, inf)"), constants={"factor": 1},
    strongest="enumeration",
)  # fmt: skip
def product_events_suffice(check: Check) -> None:
    """Of four outputs the two on the diagonal have excess 1/2, and no product of events has more than 1/4."""
    check.counterexample(product_events, {"size": 2, "ratio": Fraction(1)}, rational=True)


def events_of_the_whole(mechanism: int, ratio: Fraction, factor: Any) -> Sides:
    """All events of two blocks, by brute force, against the delta of the changed block."""
    first, second = numbered(mechanism, 1), numbered(mechanism + 1, 1)
    whole = channels.compose_in_parallel([first, second])
    pairs = [(a, b) for a, b in whole.pairs() if a[0] != b[0]]
    worst = Fraction(0)
    for a, b in pairs:
        excess = [p - ratio * whole.laws[b][o] for o, p in whole.laws[a].items()]
        events = range(1 << len(excess))
        worst = max(worst, *(sum((v for i, v in enumerate(excess) if e >> i & 1), Fraction(0)) for e in events))
    return worst, "==", factor * channel_delta(first, ratio).value


@claim(
    "TH-L2.10/all-events",
    r"Given the outputs of the unchanged blocks every event is an event of the changed block: over all events of "
    r"$\mathcal G$ "
    r"the excess is $<factor>$ times the one of the changed block.",
    role="repair", repairs="TH-L2.10/product-events", domain=WITH_RATIO, constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def all_events_of_the_whole(check: Check) -> None:
    check.enumerate(
        events_of_the_whole, with_ratios(check, 4), rational=True,
        covers=finitely_many(check, "pairs of random channels").restrict(ratio=RATIOS),
        routes=("all events", "hockey stick of the changed block"),
    )  # fmt: skip
