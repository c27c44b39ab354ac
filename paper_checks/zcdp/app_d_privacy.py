"""Appendix D: the generic privacy proof, and its mechanisms."""

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import Algorithm, EveryBudget, RewardLists
from banditproof.paper_checks.shared.composition import renyi_moment
from banditproof.paper_checks.shared.linear_designs import solved
from banditproof.paper_checks.shared.policies import EVERY_POLICY, kernel, some_queries, some_table
from banditproof.paper_checks.shared.response_ucb import inner
from banditproof.paper_checks.zcdp.facts import BUDGETS
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify import FiniteKernel, far_neighbour, hockey_stick, record, replay
from banditproof.verify.privacy.interactive import interactive_law
from banditproof.verify.runs.recorded import maker

Change = Annotated[Any, "(0, 2]"]


item(
    "ZCDP-PF7",
    "For neighbouring tables that differ at user $j$: the view splits at $j$ (1, 2), the episode that holds $j$ is "
    "the same (3), given the releases up to its end the future is a randomised function of them and of later rewards "
    "(4), and Lemma 1 with post-processing bounds it (5).",
    domain=EVERY_POLICY,
)


def at_user_j(pi: FiniteKernel, seed: int, j: int) -> tuple[Any, Any]:
    """Laws of the view of a random adversary on two tables that differ in row j."""
    left, ask = some_table(pi, seed), some_queries(seed, pi.arms)
    shifted = {r: pi.rewards[(k + 1) % len(pi.rewards)] for k, r in enumerate(pi.rewards)}
    right = (*left[:j], tuple(shifted[r] for r in left[j]), *left[j + 1 :])
    return interactive_law(pi, ask, left), interactive_law(pi, ask, right)


def split_at(laws: tuple[Any, Any], length: int, of_rest: Callable[..., Any]) -> Fraction:
    """E over the first `length` actions under the second law of of_rest(conditional laws of the rest)."""
    total = Fraction(0)
    for prefix in sorted({a[:length] for a in laws[0]}):
        parts = [{a: p for a, p in law.items() if a[:length] == prefix} for law in laws]
        weights = [sum(part.values(), Fraction(0)) for part in parts]
        if all(weights):
            rest = [{a: p / w for a, p in part.items()} for part, w in zip(parts, weights, strict=True)]
            total += weights[1] * of_rest(*rest)
    return total


def splits(name: str, values: list[Any]) -> enumerated:
    """Random policies without certain steps; the users in the middle."""
    users = [(T, K, s, j) for T, K in ((2, 2), (3, 2), (2, 3)) for s in (0, 1, 3, 4) for j in range(T - 1)]
    points = [{"T": T, "K": K, "policy": s, "j": j, name: value} for T, K, s, j in users for value in values]
    return enumerated(points, rational=True, routes=("whole view", "given o_1..o_j"))


@quantity
def moment_of_the_views(T: int, K: int, policy: int, j: int, order: int) -> Fraction:
    """e^((order - 1) D_order) of the views on two tables that differ at user j."""
    return renyi_moment(*at_user_j(kernel(T, K, policy), policy, j), order)


@quantity
def mean_moment_given_the_past(T: int, K: int, policy: int, j: int, order: int) -> Fraction:
    """The mean over o_1, ..., o_j of that of the conditional laws."""
    laws = at_user_j(kernel(T, K, policy), policy, j)
    return split_at(laws, j + 1, lambda p, q: renyi_moment(p, q, order))


@quantity
def delta_of_the_views(T: int, K: int, policy: int, j: int, ratio: Any) -> Fraction:
    """delta(epsilon) of the views on two tables that differ at user j, e^epsilon = ratio."""
    return hockey_stick(*at_user_j(kernel(T, K, policy), policy, j), ratio)[0]


@quantity
def mean_delta_given_the_past(T: int, K: int, policy: int, j: int, ratio: Any) -> Fraction:
    """The mean over o_1, ..., o_j of that of the conditional laws."""
    laws = at_user_j(kernel(T, K, policy), policy, j)
    return split_at(laws, j + 1, lambda p, q: hockey_stick(p, q, ratio)[0])


@claim("ZCDP-PF7/renyi-splits", splits("order", [2, 3, 9]))
def renyi_moments_split(T: Count, K: Count, policy: Policy, j: Natural, order: TwoOrMore):
    r"""(2) $e^{(\alpha-1)D_\alpha(\mathcal P_d\|\mathcal P_{d'})}=\mathbb E_{\mathbf o_{\le
    j}}[e^{(\alpha-1)D_\alpha(\mathcal P_d(\cdot|\mathbf o_{\le j})\|\mathcal P_{d'}(\cdot|\mathbf o_{\le j}))}]$.

    Up to action j both views have the same law, since reward j has not yet been observed.
    """
    case = T, K, policy, j, order
    return moment_of_the_views(*case), "==", mean_moment_given_the_past(*case)


def compared_on_runs(*routes: str) -> enumerated:
    """AdaC-UCB with three arms on binary lists of length 40."""
    return enumerated(
        algorithm="adac-ucb",
        budget=BUDGETS,
        T=40,
        rewards=pick(range(2), range(20)),
        covers={"algorithm": "all: AdaC-UCB", "budget": "all: two budgets", "rewards": "all: some binary lists"},
        rational=True,
        routes=(routes[0], routes[1]),
    )


def binary_list(T: int, number: int) -> list[float]:
    return [float((7 * t + number) % 5 < 2) for t in range(T)]


@claim("ZCDP-PF7/same-episode", compared_on_runs("run on the list", "run on the neighbour"), false={"episodes": 1})
def same_episode(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, episodes=0):
    r"""(3) With the same noise, AdaC-UCB plays the same arms on $d$ and $d'$ up to the end $\xi_j$ of the episode that
    holds user $j$ (and 0 episodes more).

    The left side counts the times of change after which the pulls differ up to the end of that episode.
    """
    make = maker(algorithm, budget, T, "none", arms=3)
    run, wrong = record(make, binary_list(T, rewards), rewards), 0
    ends = [release.records[1] for release in run.releases if release.records]
    for j in range(T):
        other = record(make, far_neighbour(run.rewards, j), rewards)
        at = next(k for k, end in enumerate(ends) if j < end)
        end = ends[min(at + episodes, len(ends) - 1)]
        wrong += run.actions[:end] != other.actions[:end]
    return wrong, "==", 0


@claim(
    "ZCDP-PF7/same-future", compared_on_runs("recorded run", "replay on a neighbour"), false={"bug": "raw value used"}
)
def same_future_given_the_releases(
    algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"
):
    r"""(4) Given the released means AdaC-UCB plays the same arms on $d$ and $d'$.

    The left side counts the users whose change makes the pulls differ when the releases of one run are replayed.
    """
    make = maker(algorithm, budget, T, bug, arms=3)
    run = record(make, binary_list(T, rewards), rewards)
    replays = (replay(make, run, far_neighbour(run.rewards, j), rewards) for j in range(T))
    return sum(run.actions != other.actions for other in replays), "==", 0


@claim("ZCDP-R8", splits("ratio", [1, "3/2"]))
def other_relaxations(T: Count, K: Count, policy: Policy, j: Natural, ratio: AtLeastOne):
    r"""The same proof for $(\epsilon,\delta)$: $\delta(\epsilon)$ of the views is $\mathbb E_{\mathbf o_{\le j}}$ of
    that of the conditional ones (ratio is $e^\epsilon$).

    The expectation step is an identity for every f-divergence, since the prefixes have the same law.
    """
    case = T, K, policy, j, ratio
    return delta_of_the_views(*case), "==", mean_delta_given_the_past(*case)


@quantity
def divergence_of_partial_sums(blocks: int, changed: int) -> Fraction:
    """x^T C^-1 x, where C is the covariance of the partial sums and x the change of their means."""
    order = range(1, check_count("blocks", blocks, 1) + 1)
    C = [[Fraction(min(i, k)) for k in order] for i in order]
    x = [Fraction(int(i >= changed)) for i in order]
    return inner(x, solved(C, x))


@claim(
    "ZCDP-PF8/cumulative-sums",
    enumerated(
        lambda check: [{"blocks": n, "changed": j} for n in range(1, check.pick(7, 15)) for j in range(1, n + 1)],
        rational=True,
        routes=("law of the partial sums", "law of the block"),
    ),
    where=["changed <= blocks"],
    role="step",
)
def cumulative_sums(blocks: Count, changed: Count):
    r"""The partial sums of the released blocks, the $j$-th with all noises so far, tell no more than the one block that
    changed: their divergence is that of its release.

    Both are in units of the squared change over the variance of one noise. The map from blocks to partial sums is
    one-to-one, since each sum has all noises so far.
    """
    return divergence_of_partial_sums(blocks, changed), "==", 1
