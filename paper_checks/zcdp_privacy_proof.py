r"""Appendix D of the zCDP paper: the generic privacy proof, and its mechanism for AdaC-UCB."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks import thesis_parallel_composition
from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, kernel
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.open_parts import open_part
from banditproof.paper_checks.recorded_privacy import EVERY_RUN, maker
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_interactive import some_queries
from banditproof.paper_checks.twins import restate, restate_parts
from banditproof.theory.numeric import to_ball
from banditproof.verify.channels import hockey_stick
from banditproof.verify.domain import Domain
from banditproof.verify.interactive import interactive_law
from banditproof.verify.kernels import FiniteKernel, reward_tables
from banditproof.verify.recorder import far_neighbour, record, replay
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
RESTATED = (thesis_parallel_composition,)  # the module whose claims are restated here
BUDGETS = [["zcdp", "1/10"], ["zcdp", 2]]

# ----------------------------------------------------------------------------------------------- Lemma 1 and Remark 7

restate_parts(
    "ZCDP-L1",
    r"A mechanism that is $(\epsilon,\delta)$-DP, or $\rho$-zCDP, run on each block of a fixed partition of the data, "
    "is so as a whole.",
    {"approximate": "TH-L2.10/approximate", "zcdp": "TH-L2.10/zcdp"},
)
restate("ZCDP-L1/indexes-up-to-t", "TH-L2.10/indexes-up-to-n")
restate("ZCDP-L1/indexes-up-to-t-plus-one", "TH-L2.10/indexes-up-to-n-plus-one", repairs="ZCDP-L1/indexes-up-to-t")
restate("ZCDP-L1/product-events", "TH-L2.10/product-events")
restate("ZCDP-L1/all-events", "TH-L2.10/all-events", repairs="ZCDP-L1/product-events")
restate(
    "ZCDP-R7", "TH-L2.10/zcdp",
    r"On non-overlapping parts of the data no composition is needed: Rényi moments minus one of the whole are "
    r"$<factor>$ times the largest ones of a block, at every order.",
)  # fmt: skip

# --------------------------------------------------------------------------------------------------- one release, PF8

parts_decide(
    "ZCDP-PF8",
    "The mechanisms of the proof: private means (AdaC-UCB), private least squares and private sums (AdaC-GOPE and "
    "AdaC-OFUL, parts of their own).",
)
open_part(
    "ZCDP-PF8/other-mechanisms", "The private least squares of AdaC-GOPE and the private sums of AdaC-OFUL.",
    "rests on their sensitivities, which have no claims yet",
)  # fmt: skip
BLOCKS = Domain.of(n="integer [1, inf)", rho="(0, inf)", alpha="(1, inf)", change="[0, 1]")


def private_mean(n: Any, rho: Any, alpha: Any, change: Any, factor: Any) -> Sides:
    """D_alpha = alpha shift^2/(2 sigma^2) (ZCDP-D1/renyi): one reward changes by `change`, the mean by change/n."""
    count = to_ball(n) if isinstance(n, int) else n
    variance = 1 / (2 * rho * count**2)
    return alpha * (change / count) ** 2 / (2 * variance), "<=", factor * alpha * rho


def private_mean_argument(factor: Any) -> SymbolicArgument:
    import sympy

    n, odds = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("o", nonnegative=True)
    rho, more = sympy.symbols("rho more", positive=True)
    change = odds / (1 + odds)
    slack = rho * (1 + more) * (factor - 1 + (1 + 2 * odds) / (1 + odds) ** 2)
    return SymbolicArgument({"n": n, "rho": rho, "alpha": 1 + more, "change": change}, slack, "nonnegative")


def largest_change_argument(factor: Any) -> SymbolicArgument:
    import sympy

    n, (rho, more) = sympy.Symbol("n", integer=True, positive=True), sympy.symbols("rho more", positive=True)
    one = {"n": n, "rho": rho, "alpha": 1 + more, "change": sympy.Integer(1)}
    return SymbolicArgument(one, (factor - 1) * rho * (1 + more), "nonnegative")


@claim(
    "ZCDP-PF8/private-mean",
    r"$\frac1n\sum_sr_s+\mathcal N(0,\frac1{2\rho n^2})$ of rewards in $[0,1]$ has $D_\alpha\le<factor>\,\alpha\rho$ "
    "for neighbouring blocks.",
    domain=BLOCKS, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def private_mean_of_a_block(check: Check) -> None:
    routes = ("closed form of the divergence", "budget")
    check.symbolic(private_mean, private_mean_argument, check.domain.restrict(change="[0, 1)"), routes)
    check.symbolic(private_mean, largest_change_argument, check.domain.restrict(change=[1]), routes)


def single_reward(rho: Any, alpha: Any, quarter: Any) -> Sides:
    """The first reward of an arm with 1/2 N_a = 1/2 in EQ14: variance 2/rho, sensitivity 1."""
    return alpha / (2 * (1 / (2 * rho / 4))), "==", quarter * alpha * rho


def single_reward_argument(quarter: Any) -> SymbolicArgument:
    import sympy

    rho, more = sympy.symbols("rho more", positive=True)
    return SymbolicArgument({"rho": rho, "alpha": 1 + more}, sympy.Integer(0), "zero")


@claim(
    "ZCDP-PF8/single-reward",
    r"With $\frac12N_a=\frac12$ as printed, the release of an arm's first reward has $D_\alpha=<quarter>\,\alpha\rho$: "
    "private as well, with more noise than needed.",
    role="remark", domain=Domain.of(rho="(0, inf)", alpha="(1, inf)"), constants={"quarter": "1/4"},
    mutations=[mutation("a third", quarter="1/3")], strongest="symbolic",
)  # fmt: skip
def release_of_a_single_reward(check: Check) -> None:
    check.symbolic(single_reward, single_reward_argument, routes=("closed form of the divergence", "a quarter"))


# ------------------------------------------------------------------------------------------- the generic proof, D-B

parts_decide(
    "ZCDP-PF7",
    r"For neighbouring tables that differ at user $j$: the view splits at $j$ (1, 2), the episode that holds $j$ is "
    r"the "
    "same (3), given the releases up to its end the future is a randomised function of them and of later rewards (4), "
    "and Lemma 1 with post-processing bounds it (5).",
    domain=EVERY_POLICY,
)


def at_user_j(pi: FiniteKernel, seed: int, j: int) -> tuple[Any, Any]:
    """Laws of the view of a random adversary on two tables that differ in row j."""
    every = list(reward_tables(pi))
    left = every[(11 * seed + 5) % len(every)]
    shifted = {r: pi.rewards[(k + 1) % len(pi.rewards)] for k, r in enumerate(pi.rewards)}
    right = (*left[:j], tuple(shifted[r] for r in left[j]), *left[j + 1 :])
    ask = some_queries(seed, pi.arms)
    return interactive_law(pi, ask, left), interactive_law(pi, ask, right)


def split_at(laws: tuple[Any, Any], length: int, inner: Any) -> Fraction:
    """E over the first `length` actions under the second law of inner(conditional laws of the rest)."""
    total = Fraction(0)
    for prefix in sorted({a[:length] for a in laws[0]}):
        parts = [{a: p for a, p in law.items() if a[:length] == prefix} for law in laws]
        weights = [sum(part.values(), Fraction(0)) for part in parts]
        if all(weights):
            rest = [{a: p / w for a, p in part.items()} for part, w in zip(parts, weights, strict=True)]
            total += weights[1] * inner(*rest)
    return total


def moment(left: Any, right: Any, order: int) -> Fraction:
    return sum((p**order / right[a] ** (order - 1) for a, p in left.items() if p), Fraction(0))


def moment_splits(T: int, K: int, policy: int, j: int, order: int, later: int) -> Sides:
    laws = at_user_j(kernel(T, K, policy), policy, j)
    return moment(*laws, order), "==", split_at(laws, j + 1 + later, lambda p, q: moment(p, q, order))


SPLIT = EVERY_POLICY.restrict(j="integer [0, inf)")


def splits(orders: dict[str, Any]) -> list[dict[str, Any]]:
    """Random policies without certain steps; the users in the middle."""
    listed = [(T, K, s, j) for T, K in ((2, 2), (3, 2), (2, 3)) for s in (0, 1, 3, 4) for j in range(T - 1)]
    return [
        {"T": T, "K": K, "policy": s, "j": j, name: value}
        for T, K, s, j in listed for name, values in orders.items() for value in values
    ]  # fmt: skip


@claim(
    "ZCDP-PF7/renyi-splits",
    r"(2) $e^{(\alpha-1)D_\alpha(\mathcal P_d\|\mathcal P_{d'})}=\mathbb E_{\mathbf o_{\le j}}[e^{(\alpha-1)D_\alpha("
    r"\mathcal P_d(\cdot|\mathbf o_{\le j})\|\mathcal P_{d'}(\cdot|\mathbf o_{\le j}))}]$ (prefix <later> longer).",
    domain=SPLIT.restrict(order="integer [2, inf)"), constants={"later": 0},
    mutations=[mutation("one action more", later=1)], strongest="enumeration",
)  # fmt: skip
def renyi_moments_split(check: Check) -> None:
    """Up to action j both views have one law: reward j is not yet heard."""
    check.enumerate(moment_splits, splits({"order": [2, 3, 9]}), rational=True, routes=("whole view", "given o_1..o_j"))


def same_until(budget: Any, rewards: int, T: int, episodes: int) -> Sides:
    """Pulls that differ, up to the end of the episode of the changed reward (and `episodes` more), noise being equal.

    Counted over all times of change.
    """
    make = maker("adac-ucb", budget, T, "none", arms=3)
    base = [float((7 * t + rewards) % 5 < 2) for t in range(T)]
    run = record(make, base, rewards)
    wrong = 0
    for j in range(T):
        other = record(make, far_neighbour(run.rewards, j), rewards)
        ends = [release.records[1] for release in run.releases if release.records]
        at = next(k for k, end in enumerate(ends) if j < end)
        end = ends[min(at + episodes, len(ends) - 1)]
        wrong += run.actions[:end] != other.actions[:end]
    return wrong, "==", 0


@claim(
    "ZCDP-PF7/same-episode",
    r"(3) With the same noise, AdaC-UCB plays the same arms on $d$ and $d'$ up to the end $\xi_j$ of the episode that "
    "holds user $j$ (and <episodes> episodes more).",
    domain=EVERY_RUN, constants={"episodes": 0}, mutations=[mutation("one episode more", episodes=1)],
    strongest="enumeration",
)  # fmt: skip
def same_episode(check: Check) -> None:
    points = [{"budget": b, "rewards": s, "T": 40} for b in BUDGETS for s in range(check.pick(2, 20))]
    region = check.domain.restrict(budget="all: two budgets", T=[40], algorithm="all: AdaC-UCB",
                                   rewards="all: some binary lists")  # fmt: skip
    check.enumerate(
        same_until, points, covers=region, rational=True, routes=("run on the list", "run on the neighbour")
    )


def same_future(budget: Any, rewards: int, T: int, bug: str) -> Sides:
    """Pulls that differ when the releases of one run are replayed on lists that differ at one user."""
    make = maker("adac-ucb", budget, T, bug, arms=3)
    run = record(make, [float((7 * t + rewards) % 5 < 2) for t in range(T)], rewards)
    replays = (replay(make, run, far_neighbour(run.rewards, j), rewards) for j in range(T))
    return sum(run.actions != other.actions for other in replays), "==", 0


@claim(
    "ZCDP-PF7/same-future",
    r"(4) Given the released means AdaC-UCB plays the same arms on $d$ and $d'$ (planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none"}, mutations=[mutation("raw value used", bug="raw value used")],
    strongest="enumeration",
)  # fmt: skip
def same_future_given_the_releases(check: Check) -> None:
    points = [{"budget": b, "rewards": s, "T": 40} for b in BUDGETS for s in range(check.pick(2, 20))]
    region = check.domain.restrict(budget="all: two budgets", T=[40], algorithm="all: AdaC-UCB",
                                   rewards="all: some binary lists")  # fmt: skip
    check.enumerate(same_future, points, covers=region, rational=True, routes=("recorded run", "replay on a neighbour"))


restate("ZCDP-PF7/lemma-1", "TH-L2.10/zcdp", role="part")


def excess_splits(T: int, K: int, policy: int, j: int, ratio: Fraction, later: int) -> Sides:
    laws = at_user_j(kernel(T, K, policy), policy, j)
    inner = split_at(laws, j + 1 + later, lambda p, q: hockey_stick(p, q, ratio)[0])
    return hockey_stick(*laws, ratio)[0], "==", inner


@claim(
    "ZCDP-R8",
    r"The same proof for $(\epsilon,\delta)$: $\delta(\epsilon)$ of the views is $\mathbb E_{\mathbf o_{\le j}}$ of "
    r"that of "
    r"the conditional ones (ratio is $e^\epsilon$; prefix <later> longer).",
    domain=SPLIT.restrict(ratio="[1, inf)"), constants={"later": 0}, mutations=[mutation("one action more", later=1)],
    strongest="enumeration",
)  # fmt: skip
def other_relaxations(check: Check) -> None:
    """The expectation step is an identity for every f-divergence, the prefixes having one law."""
    ratios = [Fraction(1), Fraction(3, 2)]
    check.enumerate(excess_splits, splits({"ratio": ratios}), rational=True, routes=("whole view", "given o_1..o_j"))
