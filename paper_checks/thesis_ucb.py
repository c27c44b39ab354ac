"""UCB with fixed delta and its regret: TH-EQ2.9, TH-T2.23.

The regret bound is compared with the exact regret of short runs (all lists of binary rewards), with the exact regret
against arms without randomness (indices compared in balls), and with simulated runs. A mean regret becomes a
probability by one more draw: a uniform variable below the regret divided by its largest possible value.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.index import UCB
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.paper_checks.thesis_bandit_algorithms import exact_regret
from banditproof.theory.numeric import exp, log, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")

# -------------------------------------------------------------------------------------------------- TH-EQ2.9: the index


def index_of_policy(wins: int, pulls: int, inverse_delta: int, factor: Any) -> Sides:
    """What the policy computes, in floats, against the formula in balls; a few roundings apart."""
    policy = UCB(1, delta=1 / inverse_delta)
    computed = policy.score(np.array([[wins / pulls]]), np.array([[pulls]]))[0, 0]
    printed = to_ball(Fraction(wins, pulls)) + sqrt(factor * log(to_ball(inverse_delta)) / pulls)
    return abs(to_ball(float(computed)) - printed), "<=", to_ball(2) ** -48 * (1 + printed)


@claim(
    "TH-EQ2.9", r"$\mathrm{UCB}_a(t-1,\delta)=\hat\mu_a(t-1)+\sqrt{<factor>\log(1/\delta)/N_a(t-1)}$",
    domain=Domain.of(wins="integer [0, inf)", pulls="integer [1, inf)", inverse_delta="integer [1, inf)",
                     where=["wins <= pulls"]),
    constants={"factor": 2}, mutations=[mutation("factor 1.99", factor="1.99")], strongest="enumeration",
)  # fmt: skip
def ucb_index(check: Check) -> None:
    points = [
        {"wins": wins, "pulls": pulls, "inverse_delta": inverse}
        for wins, pulls in ((0, 1), (1, 1), (3, 7), (10, 1000)) for inverse in (2, 100, 10**14)
    ]  # fmt: skip
    check.enumerate(index_of_policy, [*points, {"wins": 1, "pulls": 2, "inverse_delta": 1}],
                    routes=("index of the policy", "formula (2.9), in balls"))  # fmt: skip


def normal_mean_below(log_inverse: Any, factor: Any) -> Sides:
    """P(mean of n standard normal rewards + sqrt(factor log(1/delta) / n) <= 0), for every n."""
    return sqrt(factor * log_inverse / 2).erfc() / 2, "<=", exp(-log_inverse)


@claim(
    "TH-EQ2.9/optimistic",
    r"for normal rewards of unit variance and a fixed number of them, the index is below the mean with probability at "
    r"most $\delta$, with $<factor>\log(1/\delta)$ in it",
    domain=Domain.of(log_inverse="(0, inf)"), constants={"factor": 2}, mutations=[mutation("factor 1.9", factor="1.9")],
    role="implication", strongest="enumeration",
)  # fmt: skip
def index_is_optimistic(check: Check) -> None:
    grid = {"log_inverse": ["1/1000", "1/10", "1", "5", "20", "100", "400"]}
    check.enumerate(normal_mean_below, grid, routes=("normal tail", "exp(-log(1/delta))"))


# ----------------------------------------------------------------------------------------------------- TH-T2.23: regret


@cache
def sure_regret(gap: Fraction, horizon: int) -> Fraction:
    """Reg_T of UCB with delta = 1/T^2 against the sure rewards -gap and 0, for T >= 2."""
    width, means = 2 * sqrt(log(to_ball(horizon))), [to_ball(-gap), to_ball(0)]
    index, pulls = [mean + width for mean in means], [1, 1]
    for _ in range(horizon - 2):
        worse, better = index
        if not (worse > better or worse < better):
            raise ArithmeticError("balls do not decide between the indices")
        arm = 0 if worse > better else 1
        pulls[arm] += 1
        index[arm] = means[arm] + width / sqrt(to_ball(pulls[arm]))
    return pulls[0] * gap


def regret_and_gaps(means: Sequence[Any], horizon: int) -> tuple[Fraction, list[Fraction]]:
    """Exact: of two sure rewards for "sure" and their gap, else of Bernoulli arms."""
    if means[0] == "sure":
        gap = Fraction(means[1])
        return sure_regret(gap, horizon), [gap, Fraction(0)]
    exact = tuple(map(Fraction, means))
    return exact_regret("UCB", exact, horizon), [max(exact) - mean for mean in exact]


def bounded_regret(means: Sequence[Any], horizon: int, first: Any, second: Any) -> Sides:
    regret, gaps = regret_and_gaps(means, horizon)
    logarithms = [second * log(to_ball(horizon)) / to_ball(gap) for gap in gaps if gap]
    return regret, "<=", sum(logarithms, first * to_ball(sum(gaps)))


def gap_free_regret(means: Sequence[Any], horizon: int, first: Any, root: Any) -> Sides:
    regret, gaps = regret_and_gaps(means, horizon)
    rate = sqrt(to_ball(horizon) * len(gaps) * log(to_ball(horizon)))
    return regret, "<=", root * rate + first * to_ball(sum(gaps))


SHORT = [
    {"means": list(means), "horizon": horizon}
    for means in (("1/2", "1/4"), ("0", "1"), ("9/10", "1/10", "1/2"), ("1/2", "1/2")) for horizon in (1, 2, 4, 8)
]  # fmt: skip
SURE = [
    {"means": ["sure", gap], "horizon": horizon}
    for gap, horizon in (("1", 1000), ("1/4", 1000), ("3", 1000), ("10", 300), ("1/1000", 300))
]
EVERY = Domain.of(means="all: every 1-subgaussian instance", horizon="integer [1, inf)")
TWO_WAYS = ("exact regret", "the stated bound, in balls")

MEANS = {"two arms": (0.75, 0.5), "five arms": (0.75, 0.625, 0.5, 0.375, 0.25)}
HORIZON = 1000


def run_ucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret at the horizon and a uniform variable for every run."""
    found = {}
    for (name, means), seed in zip(MEANS.items(), seeds.spawn(len(MEANS)), strict=True):
        rewards, coins = (np.random.default_rng(s) for s in seed.spawn(2))
        result = simulate(UCB(len(means), horizon=HORIZON, replications=runs), BernoulliBandit(means), HORIZON, rewards)
        found[name], found[f"{name}, uniform"] = result.regret[:, 0], coins.random(runs)
    return found


RUNS = Study("thesis-ucb-regret", run_ucb, {"runs": 1500}, {"runs": 50_000})


def supported_by_runs(check: Check, bound: Any) -> None:
    """The bound at the instances of the study; `bound` is a function of gaps."""

    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, found = check.study(RUNS, stream), []
        for name, means in MEANS.items():
            gaps = [max(means) - mean for mean in means]
            most = HORIZON * max(gaps)
            share = Fraction(min(1.0, bound(gaps) / most)).limit_denominator(10**6)
            event = f"{name}: a uniform variable is below the regret over {most:g}"
            found.append(event_test(event, arrays[f"{name}, uniform"] * most < arrays[name], "<=", share))
        return found

    covers = check.domain.restrict(means=f"all: {len(MEANS)} Bernoulli bandits", horizon=[HORIZON])
    check.statistics(tests, covers=covers, routes=("mean regret as a probability", "the stated bound"))


def width_is_half_a_gap(log_horizon: Any, gap: Any, rounds: Any) -> Sides:
    return (gap / 2) ** 2, ">=", 4 * log_horizon / rounds


def width_argument() -> SymbolicArgument:
    import sympy

    L, gap = sympy.symbols("L gap", positive=True)
    more = sympy.Symbol("more", nonnegative=True)
    rounds = 16 * L / gap**2 + more
    return SymbolicArgument(
        {"log_horizon": L, "gap": gap, "rounds": rounds}, gap**2 / 4 - 4 * L / rounds, "nonnegative"
    )


def rare_deviation(log_horizon: Any, gap: Any) -> Sides:
    """log of the Chernoff bound for a mean of 16 L / gap^2 rewards to exceed its expectation by gap/2: T^-2."""
    return -(16 * log_horizon / gap**2) * (gap / 2) ** 2 / 2, "==", -2 * log_horizon


def rare_argument() -> SymbolicArgument:
    import sympy

    L, gap = sympy.symbols("L gap", positive=True)
    return SymbolicArgument({"log_horizon": L, "gap": gap}, sympy.Integer(0), "zero")


def pulls_add_up(rounds: Any, horizon: Any, rest: Any) -> Sides:
    """u <= rounds + 1 pulls, plus T times the probability T delta + T^-2 that an index misleads."""
    return rounds + 1 + horizon * (horizon / horizon**2 + 1 / horizon**2), "<=", rounds + rest


def pulls_argument(rest: Any) -> SymbolicArgument:
    import sympy

    rounds, more = sympy.Symbol("rounds", positive=True), sympy.Symbol("more", nonnegative=True)
    return SymbolicArgument({"rounds": rounds, "horizon": 1 + more}, rest - 2 - 1 / (1 + more), "nonnegative")


POSITIVE = Domain.of(log_horizon="(0, inf)", gap="(0, inf)")
ENOUGH = Domain.of(
    log_horizon="(0, inf)", gap="(0, inf)", rounds="(0, inf)", where=["rounds * gap**2 >= 16 * log_horizon"]
)
DEPENDENT = derivation(
    [
        fact(width_is_half_a_gap, ENOUGH, width_argument),
        fact(rare_deviation, POSITIVE, rare_argument),
        fact(pulls_add_up, Domain.of(rounds="(0, inf)", horizon="[1, inf)"), pulls_argument),
    ],
    "after u = ceil(16 log T / gap^2) pulls the width is at most gap/2, so one more pull needs a mean of u rewards "
    "that exceeds its expectation by gap/2, or an index of the best arm below its mean at one of T counts: Chernoff's "
    "bound, the union bound and the regret decomposition",
)

parts_decide(
    "TH-T2.23",
    r"UCB with $\delta=1/T^2$ on a 1-subgaussian instance: $\mathrm{Reg}_T\le3\sum_a\Delta_a+\sum_{\Delta_a>0}\frac{16"
    r"\log T}{\Delta_a}$, $\mathrm{Reg}_T\le8\sqrt{TK\log T}+3\sum_a\Delta_a$, and $\le8\sqrt{TK\log T}+3K$ if all "
    r"$\Delta_a\le1$",
    domain=EVERY,
)


@claim(
    "TH-T2.23/gap-dependent",
    r"$\mathrm{Reg}_T\le<first>\sum_a\Delta_a+\sum_{\Delta_a>0}\frac{<second>\log T}{\Delta_a}$",
    domain=EVERY, constants={"first": 3, "second": 16, "rest": 3},
    mutations=[mutation("half of the gaps", first="1/2"), mutation("log T for 16 log T", second=1, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def regret_bound_with_gaps(check: Check) -> None:
    first, second = (float(check.constants[name]) for name in ("first", "second"))
    if check.enumerate(bounded_regret, [*SHORT, *SURE], routes=TWO_WAYS):
        check.certificate(facts_hold, DEPENDENT, routes=COMPOSED)
        supported_by_runs(
            check, lambda gaps: first * sum(gaps) + sum(second * np.log(HORIZON) / gap for gap in gaps if gap)
        )


def split_at_a_gap(horizon: Any, arms: Any, log_horizon: Any, root: Any, second: Any) -> Sides:
    """T gap + second K log(T) / gap, at the gap where both summands are equal, squared."""
    gap = sqrt(second * arms * log_horizon / horizon)
    return (horizon * gap + second * arms * log_horizon / gap) ** 2, "<=", root**2 * horizon * arms * log_horizon


def split_argument(root: Any, second: Any) -> SymbolicArgument:
    import sympy

    T, K, L = sympy.symbols("T K L", positive=True)
    return SymbolicArgument(
        {"horizon": T, "arms": K, "log_horizon": L}, (root**2 - 4 * second) * T * K * L, "nonnegative"
    )


SPLIT = derivation(
    [fact(split_at_a_gap, Domain.of(horizon="(0, inf)", arms="(0, inf)", log_horizon="(0, inf)"), split_argument)],
    "arms with gaps below sqrt(16 K log T / T) cost at most T times that, the others what the bound with gaps says of "
    "them; 3 sum Delta_a is kept",
)


@claim(
    "TH-T2.23/gap-free",
    r"$\mathrm{Reg}_T\le<root>\sqrt{TK\log T}+<first>\sum_a\Delta_a$",
    domain=EVERY, constants={"root": 8, "first": 3, "second": 16},
    mutations=[mutation("3/10 for 8", root="3/10", gradual=False), mutation("half of the gaps", first="1/2")],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def regret_bound_without_gaps(check: Check) -> None:
    root, first = (float(check.constants[name]) for name in ("root", "first"))
    points = [*SHORT, *SURE, {"means": ["sure", "1/5"], "horizon": 1000}]
    if check.enumerate(gap_free_regret, points, routes=TWO_WAYS):
        check.certificate(facts_hold, SPLIT, routes=COMPOSED)
        supported_by_runs(check, lambda gaps: root * np.sqrt(HORIZON * len(gaps) * np.log(HORIZON)) + first * sum(gaps))


@claim(
    "TH-T2.23/split",
    r"$T\Delta+\frac{<second>K\log T}{\Delta}\le<root>\sqrt{TK\log T}$ at $\Delta=\sqrt{<second>K\log(T)/T}$ (squared)",
    domain=Domain.of(horizon="(0, inf)", arms="(0, inf)", log_horizon="(0, inf)"), constants={"root": 8, "second": 16},
    mutations=[mutation("7.9", root="7.9"), mutation("17", second=17)], role="step", strongest="symbolic",
)  # fmt: skip
def split_of_the_arms(check: Check) -> None:
    check.symbolic(split_at_a_gap, split_argument, routes=("both summands", "the rate"))


def gaps_at_most_one(total: Any, arms: Any, factor: Any) -> Sides:
    return 3 * total, "<=", factor * arms


def at_most_one_argument(factor: Any) -> SymbolicArgument:
    import sympy

    arms, odds = sympy.Symbol("arms", positive=True), sympy.Symbol("odds", nonnegative=True)
    total = arms * odds / (1 + odds)
    return SymbolicArgument({"total": total, "arms": arms}, (factor - 3) * arms + 3 * arms / (1 + odds), "nonnegative")


@claim(
    "TH-T2.23/unit-gaps",
    r"if every $\Delta_a\le1$ then $3\sum_a\Delta_a\le<factor>K$; one arm is best, so the sum is below $K$",
    domain=Domain.of(total="[0, inf)", arms="(0, inf)", where=["total < arms"]), constants={"factor": 3},
    mutations=[mutation("2 K", factor=2)], strongest="symbolic",
)  # fmt: skip
def bound_for_unit_gaps(check: Check) -> None:
    check.symbolic(gaps_at_most_one, at_most_one_argument, routes=("sum of gaps", "number of arms"))


@claim(
    "TH-T2.23/edge-short-horizon",
    r"$T<K$, $T=1$: some arms are never pulled, $\delta=1/T^2=1$ at $T=1$, and without the logarithm "
    r"$\mathrm{Reg}_T\le<first>\sum_a\Delta_a$",
    domain=EVERY, constants={"first": 1, "second": 0}, mutations=[mutation("less than one gap", first="9/10")],
    role="edge", strongest="enumeration",
)  # fmt: skip
def horizon_below_the_number_of_arms(check: Check) -> None:
    instances = (("0", "1"), ("0", "1", "1"), ("1/4", "1/2", "3/4"), ("1/2", "1/2", "1"))
    points = [
        {"means": list(means), "horizon": T} for means, T in itertools.product(instances, (1, 2)) if T <= len(means)
    ]
    check.enumerate(bounded_regret, points, routes=("exact regret", "sum of gaps"))
