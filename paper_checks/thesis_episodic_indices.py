"""The indices of Algorithm 7 and the algorithms they make, in the thesis: ALG-EQ5.1, ALG-EQ5.2, ALG-EQ5.4,
ALG-A-ADAPUCB, ALG-A-ADAPKLUCB, ALG-A-ADACUCB, ALG-A-LAZYDPTS, ALG-A-NP-UCB.

The number of samples of an arm's last episode is n = max(1, N/2).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.index import KLUCB
from banditproof.algorithms.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks import thesis_anytime_ucb, thesis_ucb
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.recorded_privacy import BUGS, EVERY_RUN, Sides, budget_of, check_runs
from banditproof.paper_checks.recorded_runs import DyadicNoise
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.theory.bernoulli import kl_bernoulli, kl_ucb_index
from banditproof.theory.budget import Budget
from banditproof.theory.numeric import clip01, exp, log, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.recorder import RecordingNoise

POLICIES: dict[str, type[EpisodicUCB]] = {
    "adap-ucb": AdaPUCB,
    "adap-klucb": AdaPKLUCB,
    "adac-ucb": AdaCUCB,
    "adar-ucb": AdaRUCB,
}
BETA = Fraction("3.1")


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


INDEX = Domain.of(
    name="all: the algorithm", mean="(-inf, inf)", n="integer [1, inf)", t="integer [2, inf)", budget="all: budgets"
)


def index_points(name: str, budgets: list[list[Any]]) -> list[dict[str, Any]]:
    means = [Fraction(m) for m in ("-1/2", "0", "1/3", "1", "5/2")]
    pairs = [(1, 3), (1, 1000), (2, 7), (512, 1025), (2**20, 2**23)]
    return [
        {"name": name, "mean": m, "n": n, "t": t, "budget": b} for m in means for n, t in pairs for b in budgets
    ]  # fmt: skip


PURE = [["pure", "1/10"], ["pure", "4"]]
ZCDP = [["zcdp", "1/100"], ["zcdp", "2"]]
INDEX_ROUTES = ("index of the policy", "printed formula, in balls")


def compare_indices(check: Check, name: str, budgets: list[list[Any]]) -> None:
    check.enumerate(index_of_policy, index_points(name, budgets), rational=True, routes=INDEX_ROUTES)


PARTS = {"plain": 1, "private": 1}
OTHER_WIDTHS = [mutation("1 % less of the plain part", plain="0.99"), mutation("1 % less for noise", private="0.99")]


@claim(
    "ALG-EQ5.1",
    r"$\mathrm{UCB}_a^\varepsilon(t_\ell-1,\beta)=\tilde\mu_a+\sqrt{\frac{<plain>\beta\log t_\ell}{2n}}+"
    r"\frac{<private>\beta\log t_\ell}{\varepsilon n}$, $n=\frac12N_a(t_\ell-1)$ (1 if $N_a=1$).",
    domain=INDEX, constants=PARTS, mutations=OTHER_WIDTHS, strongest="enumeration",
)  # fmt: skip
def index_of_adap_ucb(check: Check) -> None:
    compare_indices(check, "adap-ucb", PURE)


parts_decide(
    "ALG-EQ5.2",
    r"$\mathrm{UCB}_a^\varepsilon=\max\{q\in[0,1]:d(\check\mu,q)\le\frac{\beta\log t_\ell}n\}$, "
    r"$\check\mu=\mathrm{Clip}_{0,1}(\tilde\mu+\frac{\beta\log t_\ell}{\varepsilon n})$.",
    domain=INDEX,
)


@claim(
    "ALG-EQ5.2/formula",
    r"The policy's index is $\max\{q:d(\check\mu,q)\le\frac{<plain>\beta\log t_\ell}n\}$, "
    r"$\check\mu=\mathrm{Clip}_{0,1}(\tilde\mu+\frac{<private>\beta\log t_\ell}{\varepsilon n})$.",
    domain=INDEX, constants=PARTS, mutations=OTHER_WIDTHS, strongest="enumeration",
)  # fmt: skip
def index_of_adap_klucb(check: Check) -> None:
    compare_indices(check, "adap-klucb", PURE)


def largest_mean(x: Any, n: int, t: int, factor: Any) -> Sides:
    """kl at the index is within the level, and beyond it 1e-9 above: the larger excess."""
    level, slack = to_ball(BETA) * log(to_ball(t)) / n, to_ball("1e-9")
    index = kl_ucb_index(x, to_ball(factor) * level)
    below = kl_bernoulli(x, index - slack) - level if index - slack > x else to_ball(-1)
    above = level - kl_bernoulli(x, index + slack) if index + slack < 1 else to_ball(-1)
    return below.max(above), "<=", 0


CLIPPED = Domain.of(x="[0, 1]", n="integer [1, inf)", t="integer [2, inf)")


@claim(
    "ALG-EQ5.2/largest", r"The index for the level $<factor>\frac{\beta\log t}n$ is the largest $q$ with "
                         r"$d(\check\mu,q)\le\frac{\beta\log t}n$, up to $10^{-9}$.",
    domain=CLIPPED, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def index_is_the_largest_mean(check: Check) -> None:
    grid = {"x": ["0", "1/100", "1/2", "99/100"], "n": [1, 16, 4096], "t": [2, 100, 10**7]}
    check.enumerate(largest_mean, grid, routes=("certified root", "relative entropy"))


def index_at_the_ends(x: Any, n: int, t: int, power: Any) -> Sides:
    """1 at a clipped mean of 1, and 1 - t^(-beta/n) at 0."""
    L = to_ball(BETA) * log(to_ball(t)) / n
    closed = to_ball(1) if x == 1 else 1 - exp(-to_ball(power) * L)
    return abs(kl_ucb_index(x, L) - closed), "<=", to_ball("1e-12")


@claim(
    "ALG-EQ5.2/at-the-ends", r"$\check\mu=1$ gives the index 1, $\check\mu=0$ gives $1-t^{-<power>\beta/n}$.",
    domain=CLIPPED.restrict(x=["0", "1"]), role="edge", constants={"power": 1},
    mutations=[mutation("exponent 2", power=2)], strongest="enumeration",
)  # fmt: skip
def index_where_the_mean_is_clipped(check: Check) -> None:
    grid = {"x": ["0", "1"], "n": [1, 16, 4096], "t": [2, 100, 10**7]}
    check.enumerate(index_at_the_ends, grid, routes=("certified root", "closed form"))


def index_grows(x: Any, n: int, t: int, up: int) -> Sides:
    """The smallest growth of the index when the mean or the time grows by a step."""

    def index(y: Any, s: int) -> Any:
        return kl_ucb_index(y, to_ball(BETA) * log(to_ball(s)) / n)

    base = index(x, t)
    return up * (index(x + (1 - x) / 100, t) - base).min(index(x, t + 1) - base), ">=", to_ball("-1e-12")


@claim(
    "ALG-EQ5.2/monotone", r"The index does not fall when $\check\mu$ or $t$ grows (sign <up>).",
    domain=CLIPPED, role="remark", constants={"up": 1}, mutations=[mutation("it does not rise", up=-1)],
    strongest="enumeration",
)  # fmt: skip
def index_is_monotone(check: Check) -> None:
    grid = {"x": ["0", "1/100", "1/2", "99/100"], "n": [1, 16, 4096], "t": [2, 100, 10**7]}
    check.enumerate(index_grows, grid, routes=("certified root", "certified root one step on"))


@claim(
    "ALG-EQ5.4",
    r"$I_a^\rho(t_\ell-1,\beta)=\hat\mu_a+\mathcal N(0,\frac1{2\rho n^2})+\sqrt{(\frac{<plain>}{2n}+"
    r"\frac{<private>}{\rho n^2})\beta\log t_\ell}$, $n=\frac12N_a(t_\ell-1)$ (1 if $N_a=1$): the part that is added.",
    domain=INDEX, constants=PARTS, mutations=OTHER_WIDTHS, strongest="enumeration",
)  # fmt: skip
def index_of_adac_ucb(check: Check) -> None:
    compare_indices(check, "adac-ucb", ZCDP)


# ------------------------------------------------------------------------------------------------------ the algorithms

RUNS = Domain.of(name="all: the algorithm", rewards="all: every list of rewards", budget="all: every budget")
LENGTH = 24


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
        if name != "adap-ucb" and name != "adap-klucb":
            scale, printed = scale * scale, printed / (stop - start)
        wrong += start != last or bool(abs(scale - to_ball(factor) * printed) > to_ball("1e-12") * printed)
        last = stop
    return wrong + (last != LENGTH), "==", 0


def decisions(check: Check, name: str, budgets: list[list[Any]]) -> None:
    points = [{"name": name, "rewards": s, "budget": b} for s in range(check.pick(12, 100)) for b in budgets]
    check.enumerate(wrong_decisions, points, routes=("arms the policy pulled", "printed indices of its releases"))


def released(check: Check, name: str, budgets: list[list[Any]]) -> None:
    points = [{"name": name, "rewards": s, "budget": b} for s in range(check.pick(3, 20)) for b in budgets]
    check.enumerate(releases_as_printed, points, routes=("recorded releases", "printed noise"))


def algorithm_claims(item: str, name: str, title: str, noise: str, budgets: list[list[Any]]) -> None:
    """The two claims under an algorithm: where episodes go, and what is released."""

    @claim(
        f"{item}/decisions",
        rf"{title}: after each arm once, every episode goes to an arm with the largest index of the stored releases "
        r"(plain part times $<plain>$, private part times $<private>$).",
        domain=RUNS, constants=PARTS,
        mutations=[mutation("no plain part", plain=0, gradual=False), mutation("no private part", private=0,
                                                                                gradual=False)],
        strongest="enumeration",
    )  # fmt: skip
    def decisions_follow_the_index(check: Check) -> None:
        decisions(check, name, budgets)

    @claim(
        f"{item}/releases", rf"{title}: one release per episode, the mean of its $n$ rewards with noise {noise}, drawn "
                            r"once (times $<factor>$).",
        domain=RUNS, constants={"factor": 1}, mutations=[mutation("half", factor="1/2")], strongest="enumeration",
    )  # fmt: skip
    def one_release_per_episode(check: Check) -> None:
        released(check, name, budgets)


parts_decide("ALG-A-ADAPUCB", "AdaP-UCB: Algorithm 7 with index (5.1) of private means of the last episode.")
algorithm_claims("ALG-A-ADAPUCB", "adap-ucb", "AdaP-UCB", r"$\mathrm{Lap}(\frac1{\varepsilon n})$", PURE)
parts_decide("ALG-A-ADAPKLUCB", "AdaP-KLUCB: Algorithm 7 with index (5.2) of the same private means.")
# With a large budget the clipped means stay below 1, and the plain part of the index decides.
algorithm_claims(
    "ALG-A-ADAPKLUCB", "adap-klucb", "AdaP-KLUCB", r"$\mathrm{Lap}(\frac1{\varepsilon n})$", [*PURE, ["pure", "100"]]
)
parts_decide("ALG-A-ADACUCB", "AdaC-UCB: Algorithm 7 with index (5.4) and Gaussian noise on the means.")
algorithm_claims("ALG-A-ADACUCB", "adac-ucb", "AdaC-UCB", r"$\mathcal N(0,\frac1{2\rho n^2})$", ZCDP)


# ---------------------------------------------------------------------------------------------------- ALG-A-LAZYDPTS


class BetaMeans:
    """Stands for a generator: answers a Beta law with its mean and keeps the parameters."""

    def __init__(self) -> None:
        self.asked: list[tuple[np.ndarray, np.ndarray]] = []

    def beta(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        self.asked.append((a, b))
        return a / (a + b)


def lazy_run(rewards: int, epsilon: Any, optimism: Any, length: int) -> Sides:
    """Differences from the pseudo code: releases after 1, then 2, 4, 8, ... new rewards of an arm, and Beta laws."""
    noise, coins, coming = DyadicNoise(np.random.default_rng(rewards)), BetaMeans(), np.random.default_rng(rewards + 1)
    policy = LazyDPTS(2, Budget.pure(float(epsilon)), noise, coins)  # type: ignore[arg-type]
    known: list[tuple[float, int]] = [(0.0, 0)] * 2
    fresh: list[list[float]] = [[], []]
    phase, wrong, done = [0, 0], 0, 0
    for clock in range(length):
        arm = int(policy.next_batch()[0][0])
        if clock >= 2:
            for a, (mean, number) in enumerate(known):
                shifted = float(optimism) * np.log(clock + 1) / (float(epsilon) * number)
                m = min(max(mean + shifted, 0.0), 1.0)
                asked = [float(part[0, a]) for part in coins.asked[-1]]
                wrong += not np.allclose(asked, [m * number + 1, (1 - m) * number + 1])
        else:
            wrong += arm != clock
        fresh[arm].append(float(coming.random() < 0.5))
        policy.observe(np.array(fresh[arm][-1:]), np.ones(1, dtype=np.int64))
        if len(fresh[arm]) == 2 ** phase[arm]:
            release = noise.releases[done]
            wrong += release.value.item() != sum(fresh[arm]) or release.scale != 1 / float(epsilon)
            known[arm], fresh[arm] = (release.released.item() / len(fresh[arm]), len(fresh[arm])), []
            phase[arm], done = phase[arm] + 1, done + 1
    return wrong + len(noise.releases) - done, "==", 0


parts_decide(
    "ALG-A-LAZYDPTS",
    r"Lazy-DP-TS: the sum of an arm's rewards is released after 1, 2, 4, 8, ... new ones with "
    r"$\mathrm{Lap}(1/\varepsilon)$, older data is dropped, and the arm with the largest draw from "
    r"$\mathrm{Beta}(\bar\mu_jO_j+1,(1-\bar\mu_j)O_j+1)$ is played; the source claims regret "
    r"$\sum_j\mathcal O(\log T/\min\{\varepsilon,\Delta_j\})$.",
)


@claim(
    "ALG-A-LAZYDPTS/pseudo-code",
    r"Releases after $2^r$ new rewards, of these only, and Beta laws around "
    r"$\bar\mu_j=\mathrm{Clip}_{0,1}(\tilde\mu_j+\frac{<optimism>\log t}{\varepsilon O_j})$.",
    domain=Domain.of(rewards="all: every list of rewards", epsilon="(0, inf)", length="integer [1, inf)"),
    constants={"optimism": 3}, mutations=[mutation("2 log t", optimism=2)], strongest="enumeration",
)  # fmt: skip
def pseudo_code_of_lazy_dp_ts(check: Check) -> None:
    seeds = range(check.pick(4, 30))
    points = [{"rewards": s, "epsilon": Fraction(e), "length": 40} for s in seeds for e in ("1", "50")]
    check.enumerate(lazy_run, points, rational=True, routes=("program", "pseudo code"))


@claim(
    "ALG-A-LAZYDPTS/privacy",
    r"Drawing from the Beta laws is post-processing: actions depend on releases only, and no reward is charged more "
    r"than $\varepsilon$ (planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none", "adversary": 0}, mutations=BUGS[:6], strongest="enumeration",
)  # fmt: skip
def runs_of_lazy_dp_ts(check: Check) -> None:
    check_runs(check, {"lazy-dp-ts": [["pure", 1]]}, quick=2)


not_checkable(
    "ALG-A-LAZYDPTS/regret", r"Its regret is $\sum_j\mathcal O(\log T/\min\{\varepsilon,\Delta_j\})$.",
    "unspecified constant", "the constant of the bound, or a bound on it",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------ ALG-A-NP-UCB

parts_decide(
    "ALG-A-NP-UCB",
    "Counterparts without privacy: UCB (2.9), asymptotically optimal UCB (2.12), KL-UCB (2.14), and UCB with adaptive "
    "episodes and forgetting.",
    twins=["TH-EQ2.9", "TH-EQ2.12", "TH-EQ2.14"],
)


@claim(
    "ALG-A-NP-UCB/ucb", r"UCB: $\hat\mu+\sqrt{<factor>\log(1/\delta)/N}$.",
    domain=Domain.of(wins="integer [0, inf)", pulls="integer [1, inf)", inverse_delta="integer [1, inf)"),
    constants={"factor": 2}, mutations=[mutation("1.99", factor="1.99")], strongest="enumeration", twins=["TH-EQ2.9"],
)  # fmt: skip
def index_of_ucb(check: Check) -> None:
    grid = {"wins": [1, 3], "pulls": [7, 1000], "inverse_delta": [2, 100, 10**14]}
    check.enumerate(thesis_ucb.index_of_policy, grid, routes=INDEX_ROUTES)


@claim(
    "ALG-A-NP-UCB/anytime", r"Asymptotically optimal UCB: $\hat\mu+\sqrt{<factor>\log f(t)/N}$, $f(t)=1+t\log^2t$.",
    domain=Domain.of(wins="integer [0, inf)", pulls="integer [1, inf)", t="integer [2, inf)"),
    constants={"factor": 2, "shift": 0}, mutations=[mutation("1.99", factor="1.99")], strongest="enumeration",
    twins=["TH-EQ2.12"],
)  # fmt: skip
def index_of_anytime_ucb(check: Check) -> None:
    grid = {"wins": [1, 3], "pulls": [7, 1000], "t": [1001, 10**7]}
    check.enumerate(thesis_anytime_ucb.index_of_policy, grid, routes=INDEX_ROUTES)


def index_of_kl_ucb(wins: int, pulls: int, t: int, factor: Any) -> Sides:
    policy = KLUCB(1, exploration="log f(t)")
    policy.clock[:] = t - 1
    computed = policy.score(np.array([[wins / pulls]]), np.array([[pulls]]))[0, 0]
    level = to_ball(factor) * thesis_anytime_ucb.log_f(t) / pulls
    return abs(to_ball(float(computed)) - kl_ucb_index(to_ball(Fraction(wins, pulls)), level)), "<=", to_ball("1e-11")


@claim(
    "ALG-A-NP-UCB/kl-ucb", r"KL-UCB: $\max\{q:\mathrm{kl}(\hat\mu,q)\le<factor>\log f(t)/N\}$.",
    domain=Domain.of(wins="integer [0, inf)", pulls="integer [1, inf)", t="integer [2, inf)"),
    constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="enumeration", twins=["TH-EQ2.14"],
)  # fmt: skip
def index_of_klucb(check: Check) -> None:
    grid = {"wins": [0, 1, 7], "pulls": [7, 1000], "t": [1001, 10**7]}
    check.enumerate(index_of_kl_ucb, grid, routes=INDEX_ROUTES)


def same_actions(rewards: Any, limit: Any) -> Sides:
    """Actions of episodic UCB, and of AdaP-UCB, AdaC-UCB and AdaR-UCB at a budget of `limit`, on one list."""
    T, large = len(rewards), np.inf if limit == "inf" else float(limit)
    budgets = [Budget.pure(large), Budget.zcdp(large), Budget.rdp(2.0, large)]
    policies = [EpisodicUCB(2), *(kind(2, b, RecordingNoise(np.random.default_rng(0)), beta=3.1) for kind, b in
                                  zip((AdaPUCB, AdaCUCB, AdaRUCB), budgets, strict=True))]  # fmt: skip
    times, found = np.arange(1, T + 1), []
    for policy in policies:
        run = simulate(policy, RewardList(list(map(float, rewards)), 2), T, np.random.default_rng(0), times)
        found.append(run.actions[0].tolist())
    return sum(actions != found[0] for actions in found), "==", 0


@claim(
    "ALG-A-NP-UCB/episodic",
    r"UCB with adaptive episodes and forgetting is AdaP-UCB at $\varepsilon=<limit>$ and AdaC-UCB at $\rho=<limit>$: "
    r"the same actions on every list of rewards.",
    domain=Domain.of(rewards="all: every list of rewards"), constants={"limit": "inf"},
    mutations=[mutation("budgets of 1", limit=1, gradual=False)], strongest="enumeration",
)  # fmt: skip
def limit_of_infinite_budgets(check: Check) -> None:
    points = [{"rewards": list(r)} for r in product((0, 1), repeat=check.pick(8, 12))]
    check.enumerate(same_actions, points, rational=True, routes=("episodic UCB", "private policies without noise"))
