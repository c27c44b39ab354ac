"""The indices of the episodic algorithms, what their runs decide and release, and the steps that compare them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.run.simulator import simulate
from banditproof.claims.language import *
from banditproof.paper_checks.shared.dyadic_runs import DyadicNoise
from banditproof.theory import clip01, kl_ucb_index
from banditproof.verify import RecordingNoise
from banditproof.verify.runs.recorded import budget_of

Name = Annotated[Any, "all: the algorithm"]
Budgets = Annotated[Any, "all: budgets"]
ListRewards = Annotated[Any, "all: every list of rewards"]

POLICIES: dict[str, type[EpisodicUCB]] = {
    "adap-ucb": AdaPUCB,
    "adap-klucb": AdaPKLUCB,
    "adac-ucb": AdaCUCB,
    "adar-ucb": AdaRUCB,
}
BETA = Fraction("3.1")
LENGTH = 24  # of the runs

OTHER_WIDTHS = [mutation(plain="0.99"), mutation(private="0.99")]
ONE_PART_ONLY = [mutation(plain=0), mutation(private=0)]


def private_scale(budget: Any) -> Any:
    """1/epsilon of a pure budget; b, the variance of the noise on a sum, of the others. A ball."""
    kind, *values = budget
    numbers = [to_ball(Fraction(value)) for value in values]
    if kind == "pure":
        return 1 / numbers[0]
    return 1 / (2 * numbers[0]) if kind == "zcdp" else numbers[0] / (2 * numbers[1])


def printed_index(name: str, mean: Any, n: int, t: int, budget: Any, plain: Any = 1, private: Any = 1) -> Any:
    """The index of n samples at t, a ball; `plain` and `private` multiply the two parts of the width."""
    L, scale = to_ball(BETA) * log(to_ball(t)), private_scale(budget)
    plain, private = to_ball(plain), to_ball(private)
    if name == "adap-ucb":
        return mean + sqrt(plain * L / (2 * n)) + private * L * scale / n
    if name == "adap-klucb":
        return kl_ucb_index(clip01(mean + private * L * scale / n), plain * L / n)
    return mean + sqrt((plain / (2 * n) + private * 2 * scale / to_ball(n * n)) * L)


def index_of_policy(name: str, mean: Any, n: int, t: int, budget: Any, plain: Any, private: Any) -> Sides:
    """What the policy computes before pull t, in floats, against the formula in balls; a few roundings apart.

    Where kl is flat around its minimum an index is as uncertain as the root of a rounding error.
    """
    policy = POLICIES[name](1, budget_of(budget), RecordingNoise(), beta=float(BETA))
    policy.clock[:] = t - 1
    computed = policy.score(np.array([[float(Fraction(mean))]]), np.array([[n]]))[0, 0]
    printed = printed_index(name, to_ball(Fraction(mean)), n, t, budget, plain, private)
    return abs(to_ball(float(computed)) - printed), "<=", to_ball("1e-11") * (1 + abs(printed))


def wrong_decisions(name: str, rewards: int, budget: Any, plain: Any, private: Any) -> Sides:
    """Decisions for an arm of three whose printed index, from the releases, is not the largest.

    Indices closer than 1e-12 count as equal: near 1, where KL-UCB indices crowd, floats cannot tell them apart.
    """
    noise = DyadicNoise(np.random.default_rng(rewards))
    policy = POLICIES[name](3, budget_of(budget), noise, beta=float(BETA))
    coming, clock, wrong = np.random.default_rng(rewards + 1), 0, 0
    means, samples = [to_ball(0)] * 3, [0] * 3
    while clock < LENGTH:
        arm, count = policy.next_batch()
        a, n = int(arm[0]), int(count[0])
        if clock >= 3:
            index = [printed_index(name, means[i], samples[i], clock + 1, budget, plain, private) for i in range(3)]
            wrong += any(other > index[a] + to_ball("1e-12") for other in index)
        policy.observe(np.array([float(coming.binomial(n, 0.5))]), count)
        samples[a], clock = n, clock + n
        means[a] = to_ball(Fraction(noise.releases[-1].released.item())) / n
    return wrong, "==", 0


def releases_as_printed(name: str, rewards: int, budget: Any, factor: Any) -> Sides:
    """Releases that are not one per episode, of its n rewards, with the printed noise on their mean."""
    noise = RecordingNoise(np.random.default_rng(rewards))
    policy = POLICIES[name](3, budget_of(budget), noise, beta=float(BETA))
    simulate(policy, RewardList([t % 2 for t in range(LENGTH)], 3), LENGTH, np.random.default_rng(0))
    spans, wrong, last = [r.records or (0, 0) for r in noise.releases], 0, 0
    for release, (start, stop, *_) in zip(noise.releases, spans, strict=True):
        scale = to_ball(Fraction(release.scale)) / (stop - start)
        printed = private_scale(budget) / (stop - start)
        if name not in ("adap-ucb", "adap-klucb"):
            scale, printed = scale * scale, printed / (stop - start)
        wrong += start != last or bool(abs(scale - to_ball(factor) * printed) > to_ball("1e-12") * printed)
        last = stop
    return wrong + (last != LENGTH), "==", 0


# Steps for relations that are one of the three above.

INDEX_ROUTES = ("index of the policy", "printed formula, in balls")


def indices_of(name: str, budgets: Sequence[Any]) -> enumerated:
    """Means of either sign and beyond 1, with few and many samples."""
    means = [Fraction(m) for m in ("-1/2", "0", "1/3", "1", "5/2")]
    pairs = [(1, 3), (1, 1000), (2, 7), (512, 1025), (2**20, 2**23)]
    points = [{"name": name, "mean": m, "n": n, "t": t, "budget": b} for m in means for n, t in pairs for b in budgets]
    return enumerated(points, rational=True, routes=INDEX_ROUTES)


def runs_of(name: str, budgets: Sequence[Any], quick: int, full: int, routes: tuple[str, str]) -> enumerated:
    def points(check: Any) -> list[dict[str, Any]]:
        return [{"name": name, "rewards": s, "budget": b} for s in range(check.pick(quick, full)) for b in budgets]

    return enumerated(points, routes=routes)


def decisions_of(name: str, budgets: Sequence[Any]) -> enumerated:
    return runs_of(name, budgets, 12, 100, ("arms the policy pulled", "printed indices of its releases"))


def releases_of(name: str, budgets: Sequence[Any]) -> enumerated:
    return runs_of(name, budgets, 3, 20, ("recorded releases", "printed noise"))
