r"""Appendix D of the zCDP paper: the generic privacy proof, and its mechanisms."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from banditproof.paper_checks import thesis_parallel_composition
from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, kernel
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.linear_designs import information, solved
from banditproof.paper_checks.recorded_privacy import EVERY_RUN, maker
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.response_ucb import inner
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


def linear_release(norm: Any, gauge: Any, change: Any, rho: Any, alpha: Any, factor: Any) -> Sides:
    """D_alpha of vectors that differ by change * a_j (in a norm; squares), with noise N(0, (2/rho) gauge I) added."""
    return alpha * change**2 * norm / (2 * (2 / rho * gauge)), "<=", factor * alpha * rho


def linear_release_symbols() -> tuple[Any, ...]:
    import sympy

    return (*sympy.symbols("rho more gauge", positive=True), *sympy.symbols("o m", nonnegative=True))


def linear_release_slack(factor: Any) -> Any:
    rho, more, _, o, m = linear_release_symbols()
    return rho * (1 + more) * (factor - 1 + ((o**2 + 2 * o) * (1 + m) + m) / ((1 + o) ** 2 * (1 + m)))


def least_squares_argument(factor: Any) -> SymbolicArgument:
    """The change is 2/(1 + o), the norm gauge/(1 + m)."""
    rho, more, gauge, o, m = linear_release_symbols()
    variables = {"norm": gauge / (1 + m), "gauge": gauge, "change": 2 / (1 + o), "rho": rho, "alpha": 1 + more}
    return SymbolicArgument(variables, linear_release_slack(factor), "nonnegative")


def block_sums_argument(factor: Any) -> SymbolicArgument:
    rho, more, _, o, m = linear_release_symbols()
    variables = {"norm": 1 / (1 + m), "gauge": 1 + 0 * m, "change": 2 / (1 + o), "rho": rho, "alpha": 1 + more}
    return SymbolicArgument(variables, linear_release_slack(factor), "nonnegative")


RELEASES = Domain.of(norm="(0, inf)", gauge="(0, inf)", change="(0, 2]", rho="(0, inf)", alpha="(1, inf)",
                     where=["norm <= gauge"])  # fmt: skip
LARGEST_CHANGE = dict.fromkeys(("norm", "gauge"), Fraction(1)) | {"change": Fraction(2), "rho": Fraction(1)}
LINEAR: dict[str, Any] = {
    "constants": {"factor": 1},
    "mutations": [mutation("1 % less", factor="0.99")],
    "strongest": "symbolic",
}
LINEAR_ROUTES = ("closed form of the divergence", "budget")


@claim(
    "ZCDP-PF8/noise-of-algorithm-2",
    r"So is it with the noise $\mathcal N(0,\frac{2d}{\rho c_\ell}I)$ of Algorithm 2 where the design has "
    r"$g_\ell^2\le\frac d{c_\ell}$ (gauge): $D_\alpha\le<factor>\,\alpha\rho$.",
    role="remark", domain=RELEASES, **LINEAR,
)  # fmt: skip
@claim(
    "ZCDP-PF8/private-least-squares",
    r"$\phi_\ell+\mathcal N(0,\frac2\rho g_\ell^2I)$, $\phi_\ell=V_\ell^{-1/2}\sum_sa_sr_s$: with "
    r"$\|\phi_\ell-\phi'_\ell\|=|r_j-r'_j|\,\|a_j\|_{V_\ell^{-1}}$ (norm is its square), rewards in $[-1,1]$ and "
    r"$\|a_j\|_{V_\ell^{-1}}\le g_\ell$ (gauge is $g_\ell^2$), $D_\alpha\le<factor>\,\alpha\rho$.",
    domain=RELEASES, **LINEAR,
)  # fmt: skip
def private_least_squares(check: Check) -> None:
    """Where a_j = 0 or the rewards are equal nothing changes."""
    if not check.search(linear_release, [LARGEST_CHANGE | {"alpha": Fraction(2)}], rational=True):
        check.symbolic(linear_release, least_squares_argument, routes=LINEAR_ROUTES)


@claim(
    "ZCDP-PF8/private-sums",
    r"$\sum_sa_sr_s+\mathcal N(0,\frac2\rho I)$ over a block, rewards in $[-1,1]$ and $\|a\|\le1$: with the change "
    r"$(r_j-r'_j)a_j$ (norm is $\|a_j\|^2$, gauge 1), $D_\alpha\le<factor>\,\alpha\rho$.",
    domain=RELEASES.restrict(gauge=[1], norm="(0, 1]"), **LINEAR,
)  # fmt: skip
def private_block_sums(check: Check) -> None:
    if not check.search(linear_release, [LARGEST_CHANGE | {"alpha": Fraction(2)}], rational=True):
        check.symbolic(linear_release, block_sums_argument, routes=LINEAR_ROUTES)


def random_design(seed: int, d: int) -> tuple[list[list[Fraction]], list[list[Fraction]], Fraction, Fraction]:
    """Actions a_s of a phase (the first of them span), its V, and two rewards in [-1, 1]."""
    draw = random.Random(seed)
    kinds = [[Fraction(draw.randint(-4, 4), 9) for _ in range(d)] for _ in range(3)]
    kinds += [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
    played = [kind for kind in kinds for _ in range(draw.randint(1, 3))]
    first, second = (Fraction(draw.randint(-5, 5), 5) for _ in range(2))
    return played, information(played, [1] * len(played)), first, second


def distance(seed: int, d: int, bound: Any) -> Sides:
    """The largest |phi - phi'|^2 over the user j, from both sums of a_s r_s, against bound g^2."""
    played, V, first, second = random_design(seed, d)
    others = [Fraction(k % 3 - 1) for k in range(len(played))]

    def total(j: int, reward: Fraction) -> list[Fraction]:
        rewards = [*others[:j], reward, *others[j + 1 :]]
        return [inner(rewards, [a[i] for a in played]) for i in range(d)]

    moves = []
    for j in range(len(played)):
        for left, right in ((first, second), (Fraction(1), Fraction(-1))):
            move = [x - y for x, y in zip(total(j, left), total(j, right), strict=True)]
            moves.append(inner(move, solved(V, move)))
    return max(moves), "<=", Fraction(bound) * max(inner(a, solved(V, a)) for a in played)


@claim(
    "ZCDP-PF8/distance-of-least-squares",
    r"$\|\phi_\ell-\phi'_\ell\|^2\le<bound>\,g_\ell^2$, with both vectors computed from their rewards.",
    role="step", domain=Domain.of(seed="all: every phase", d="integer [1, inf)"), constants={"bound": 4},
    mutations=[mutation("3.99", bound="3.99")], strongest="enumeration",
)  # fmt: skip
def distance_of_least_squares(check: Check) -> None:
    points = [{"seed": s, "d": d} for s in range(check.pick(4, 40)) for d in (1, 2, 3)]
    check.enumerate(distance, points, rational=True, routes=("both releases", "largest norm of an action"))


def partial_sums(blocks: int, changed: int, noises: str) -> Sides:
    """x^T C^-1 x for a unit change in one block; C is the covariance of the partial sums, x the change of their means.

    `noises`: "all", the j-th partial sum carries the noises of blocks 1, ..., j; "last", each has one of its own.
    """
    order = range(1, blocks + 1)
    C = [[Fraction(min(i, k)) if noises == "all" else Fraction(int(i == k)) for k in order] for i in order]
    x = [Fraction(int(i >= changed)) for i in order]
    return inner(x, solved(C, x)), "==", Fraction(1)


@claim(
    "ZCDP-PF8/cumulative-sums",
    r"The partial sums of the released blocks, the $j$-th with <noises> noises so far, tell no more than the one block "
    "that changed: their divergence is that of its release.",
    role="step", domain=Domain.of(blocks="integer [1, inf)", changed="integer [1, inf)", where=["changed <= blocks"]),
    constants={"noises": "all"}, mutations=[mutation("one fresh noise each", noises="last")], strongest="enumeration",
)  # fmt: skip
def cumulative_sums(check: Check) -> None:
    """The map from blocks to partial sums is one-to-one."""
    points = [{"blocks": n, "changed": j} for n in range(1, check.pick(7, 15)) for j in range(1, n + 1)]
    check.enumerate(partial_sums, points, rational=True, routes=("law of the partial sums", "law of the block"))


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
