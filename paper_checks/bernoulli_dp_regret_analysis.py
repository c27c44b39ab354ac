"""The regret upper bounds: BDP-T4.3 with its two halves BDP-TF.7 (DP-IMED) and BDP-TF.9 (DP-KLUCB), and BDP-SF.2.

The bounds are asymptotic and about the mean, which rare runs dominate. Their proofs are checked step by step in
bernoulli_dp_batches, bernoulli_dp_index_states, bernoulli_dp_imed_before and bernoulli_dp_imed_after; what the repaired
steps give together, with explicit constants, is in bernoulli_dp_explicit_regret and decides here. Besides, simulated
regret is followed up to very large horizons, where a batched run costs a logarithmic number of draws. It shows medians,
with distribution-free intervals, and no more than that.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.batches import BatchSchedule, GeometricBatches, PolynomialBatches
from banditproof.algorithms.dp_index import DPIMED, DPKLUCB, BatchedIndexPolicy
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks.bernoulli_dp_explicit_regret import BANDITS, EVERY_BANDIT, MEANS, regret_in_the_mean
from banditproof.paper_checks.bernoulli_dp_regret_comparison import COMPOSED, QUADRATIC_BOUND
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Study
from banditproof.theory.bernoulli import d_epsilon
from banditproof.theory.budget import Budget
from banditproof.theory.numeric import log
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import quantile_interval
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
EXACT = ("batches counted exactly", "the bound in integers")
MEDIANS = ("order-statistic intervals of the median regret", "the sum of Delta_i / d_epsilon(mu_i, mu*) times log T")
ALPHA = 2
INTERVAL_ERROR = 1e-3  # of each interval of a median; a trend supports, it never proves

# name -> (means, epsilon); every mean is distinct from the others, so that no batch boundary dominates the sum
INSTANCES: dict[str, tuple[tuple[float, ...], float]] = {
    "spread": ((0.8, 0.6, 0.4, 0.2, 0.1), 1.0),
    "private": ((0.75, 0.625, 0.5, 0.375, 0.25), 0.25),
    "a mean of zero": ((0.5, 0.3, 0.2, 0.1, 0.0), 1.0),
    "two best arms": ((0.8, 0.8, 0.6, 0.4, 0.1), 1.0),
}
POLICIES: dict[str, type[BatchedIndexPolicy]] = {"DP-IMED": DPIMED, "DP-KLUCB": DPKLUCB}


def lower_bound_constant(means: Sequence[float], epsilon: float) -> float:
    """The sum of Delta_i / d_epsilon(mu_i, mu*) over the arms with Delta_i > 0."""
    best = max(means)
    return sum((best - mean) / float(d_epsilon(mean, best, epsilon)) for mean in means if mean < best)


def normalised_regret(
    policy: str, instance: str, batches: BatchSchedule, horizons: Sequence[int], runs: int, seed: np.random.SeedSequence
) -> np.ndarray:
    """Reg_T / (log T sum of Delta_i / d_epsilon) of independent runs: [runs, horizons]."""
    means, epsilon = INSTANCES[instance]
    for_policy, for_rewards = (np.random.default_rng(s) for s in seed.spawn(2))
    player = POLICIES[policy](
        len(means), Budget.pure(epsilon), batches, NoiseSource(for_policy),
        replications=runs, generator=for_policy, ties="random",
    )  # fmt: skip
    result = simulate(player, BernoulliBandit(means), horizons[-1], for_rewards, horizons)
    return result.regret / np.log(horizons) / lower_bound_constant(means, epsilon)


def run_geometric(seed: np.random.SeedSequence, runs: int, decades: Sequence[int]) -> dict[str, np.ndarray]:
    """Both algorithms on every instance with the geometric batches (14), n_0 = 1."""
    horizons = [10**d for d in decades]
    names = [(policy, instance) for policy in POLICIES for instance in INSTANCES]
    children = seed.spawn(len(names))
    batches = GeometricBatches(ALPHA, 1)
    pairs = zip(names, children, strict=True)
    regret = {f"{p}: {i}": normalised_regret(p, i, batches, horizons, runs, child) for (p, i), child in pairs}
    return {"horizons": np.array(horizons), **regret}


def run_polynomial(
    seed: np.random.SeedSequence, runs: int, decades: Sequence[int], policies: Sequence[str]
) -> dict[str, np.ndarray]:
    """Batches B_m = (m + 1)^2, and for contrast geometric ones of ratio 4."""
    horizons = [10**d for d in decades]
    schedules = {"polynomial": PolynomialBatches(2), "geometric": GeometricBatches(4, 1)}
    names = [(schedule, policy) for schedule in schedules for policy in policies]
    regret = {
        f"{name}: {policy}": normalised_regret(policy, "spread", schedules[name], horizons, runs, child)
        for (name, policy), child in zip(names, seed.spawn(len(names)), strict=True)
    }
    return {"horizons": np.array(horizons), **regret}


GEOMETRIC = Study("regret-of-geometric-batches", run_geometric, {"runs": 100, "decades": (6, 8, 10, 12)},
                  {"runs": 2000, "decades": (6, 8, 10, 12, 14, 16, 17, 18)})  # fmt: skip
POLYNOMIAL = Study(
    "regret-of-polynomial-batches", run_polynomial,
    {"runs": 200, "decades": (4, 5, 6, 7, 8, 9), "policies": ("DP-IMED",)},
    {"runs": 400, "decades": (4, 5, 6, 7, 8, 9, 10), "policies": ("DP-IMED", "DP-KLUCB")},
)  # fmt: skip


def median_series(horizons: np.ndarray, regret: np.ndarray) -> list[tuple[int, list[float]]]:
    columns = (quantile_interval(column, 0.5, INTERVAL_ERROR) for column in regret.T)
    return [(int(horizon), [float(low), float(high)]) for horizon, (low, high) in zip(horizons, columns, strict=True)]


def follow(check: Check, policies: Sequence[str], instances: Sequence[str]) -> None:
    """From the middle of the horizons on the median's interval lies below factor alpha sum Delta_i / d_epsilon."""
    data = check.study(GEOMETRIC)
    bound = float(check.constants["factor"] * ALPHA)
    for policy, instance in itertools.product(policies, instances):
        series = median_series(data["horizons"], data[f"{policy}: {instance}"])
        epsilon = INSTANCES[instance][1]
        means = f"all: the instance '{instance}'"
        region = check.domain.restrict(means=means, alpha=[ALPHA], n0=[1], epsilon=[epsilon])
        check.trend("stays_below", series, f"{policy}, {instance}", covers=region, routes=MEDIANS, bound=bound)


def runs_for_a_mean(instance: str, horizon: int) -> float:
    """How many runs Hoeffding's interval of half-width 5 % of alpha sum Delta_i / d_epsilon log T takes, at error "
    "1/1000."""
    means, epsilon = INSTANCES[instance]
    width = 0.05 * ALPHA * lower_bound_constant(means, epsilon) * math.log(horizon)
    return (horizon * (max(means) - min(means)) / width) ** 2 * math.log(2 / INTERVAL_ERROR) / 2


BOUND = r"$\mathrm{Reg}_T\le<factor>\sum_{i\ne i^*}\frac{\alpha\Delta_i\log T}{d_\epsilon(\mu_i,\mu^\star)}+o(\log T)$"
TOO_LOW = [mutation("0.9 times the constant", factor="0.9")]


@claim("BDP-T4.3", f"for $\\mu^\\star<1$ and batches (14) with $\\alpha>1$, DP-IMED and DP-KLUCB satisfy {BOUND}",
       domain=BANDITS, constants={"factor": 1}, mutations=TOO_LOW, strongest="certificate")  # fmt: skip
def regret_upper_bound(check: Check) -> None:
    regret_in_the_mean(check, ("DP-IMED", "DP-KLUCB"), tuple(MEANS))


@claim("BDP-TF.7", f"for $\\mu^\\star<1$ and batches (14) with $\\alpha>1$, DP-IMED satisfies {BOUND}",
       domain=BANDITS, constants={"factor": 1}, mutations=TOO_LOW, strongest="certificate")  # fmt: skip
def regret_of_dp_imed(check: Check) -> None:
    regret_in_the_mean(check, ("DP-IMED",), tuple(MEANS))


@claim("BDP-TF.9", f"for $\\mu^\\star<1$ and batches (14) with $\\alpha>1$, DP-KLUCB satisfies {BOUND}",
       domain=BANDITS, constants={"factor": 1}, mutations=TOO_LOW, strongest="certificate")  # fmt: skip
def regret_of_dp_klucb(check: Check) -> None:
    regret_in_the_mean(check, ("DP-KLUCB",), tuple(MEANS))


@claim(
    "BDP-T4.3/edge-mean-zero",
    f"an arm of mean 0, for which Proposition 4.1 is not stated: {BOUND}",
    domain=BANDITS.restrict(means="all: every Bernoulli bandit with best mean below 1 and a mean of 0"),
    constants={"factor": 1}, mutations=TOO_LOW, role="edge", strongest="certificate",
)  # fmt: skip
def regret_with_a_mean_of_zero(check: Check) -> None:
    regret_in_the_mean(check, tuple(POLICIES), ("a mean of zero",))


@claim(
    "BDP-T4.3/edge-several-best-arms",
    f"several best arms, the sum running over $\\Delta_i>0$: {BOUND}",
    domain=BANDITS.restrict(means="all: every Bernoulli bandit with several best means below 1"),
    constants={"factor": 1}, mutations=TOO_LOW, role="edge", strongest="certificate",
)  # fmt: skip
def regret_with_several_best_arms(check: Check) -> None:
    regret_in_the_mean(check, tuple(POLICIES), ("two best arms",))


@claim(
    "BDP-T4.3/medians",
    r"in simulations with batches of ratio 2 the median of $\mathrm{Reg}_T$ is at most $<factor>\cdot2\sum_{\Delta_i>0}"
    r"\frac{\Delta_i\log T}{d_\epsilon(\mu_i,\mu^\star)}$ from the middle of the horizons on, for DP-IMED and DP-KLUCB",
    domain=BANDITS.restrict(alpha=[ALPHA]), constants={"factor": 1}, role="remark", strongest="trend",
    mutations=[mutation("0.4 times the constant", factor="0.4")], studies=[GEOMETRIC],
)  # fmt: skip
def medians_of_simulated_regret(check: Check) -> None:
    follow(check, tuple(POLICIES), tuple(INSTANCES))


@claim(
    "BDP-T4.3/mean-by-simulation",
    r"in simulations with batches of ratio 2 the mean of $\mathrm{Reg}_T$, known within 5 %, is at most "
    r"$2\sum_{\Delta_i>0}\frac{\Delta_i\log T}{d_\epsilon(\mu_i,\mu^\star)}$, for DP-IMED and DP-KLUCB",
    domain=BANDITS.restrict(alpha=[ALPHA]), role="remark", strongest="statistics",
)  # fmt: skip
def mean_by_simulation(check: Check) -> None:
    horizon = 10 ** GEOMETRIC.parameters(check.profile)["decades"][0]
    needed = min(runs_for_a_mean(instance, horizon) for instance in INSTANCES)
    check.could_not(
        "statistics",
        f"an interval of the mean that is valid for every law on [0, T max Delta], of half-width 5 % of the bound, "
        f"takes {needed:.0e} runs at T = {horizon:,}, and more at larger T",
    )


def denominator(mu_i: Any, mu_star: Any, epsilon: Any) -> Sides:
    return d_epsilon(mu_i, mu_star, epsilon), ">", 0


TERM = {"mu_i": "[0, 1)", "mu_star": "[0, 1)", "epsilon": "(0, inf)"}


@claim(
    "BDP-T4.3/reading-terms-of-the-sum",
    r"the sum over $i\ne i^*$ read literally, with $i^*$ one of several best arms: every term has "
    r"$d_\epsilon(\mu_i,\mu^\star)>0$",
    domain=Domain.of(**TERM, where=["mu_i <= mu_star"]), role="reading",
)  # fmt: skip
def terms_of_the_sum(check: Check) -> None:
    """A second best arm has the term 0/0; the bound is meant over the arms with Delta_i > 0."""
    check.counterexample(denominator, {"mu_i": Fraction(1, 2), "mu_star": Fraction(1, 2), "epsilon": Fraction(1)})


@claim(
    "BDP-T4.3/terms-of-positive-gaps",
    r"over the arms with $\Delta_i>0$ every term has $d_\epsilon(\mu_i,\mu^\star)>0$",
    domain=Domain.of(**TERM, where=["mu_i < mu_star"]),
    mutations=[mutation("arms with gap zero as well", domain=Domain.of(**TERM, where=["mu_i <= mu_star"]))],
    role="repair", repairs="BDP-T4.3/reading-terms-of-the-sum",
)  # fmt: skip
def terms_of_positive_gaps(check: Check) -> None:
    points = itertools.product(("0", "1/4", "1/2"), ("1/2", "3/4", "99/100"), ("1/1000", "1", "50"))
    over = [dict(zip(TERM, map(Fraction, point), strict=True)) for point in points]
    inside = [point for point in over if check.domain.contains(point)]
    if check.enumerate(denominator, inside, routes=("d_epsilon in balls", "zero")):
        check.certificate(facts_hold, QUADRATIC_BOUND, routes=COMPOSED)


# --------------------------------------------------------------------------------------------------- polynomial batches

SEQUENCES = Domain.of(means=EVERY_BANDIT, epsilon="(0, inf)", power="integer [1, inf)")

parts_decide(
    "BDP-SF.2",
    r"the analysis only needs the number of batches to be sublinear in $T$; hence polynomially increasing batches "
    r"may replace "
    r"the geometric ones, which makes the regret asymptotically optimal (constant 1 in place of $\alpha$)",
    domain=SEQUENCES,
)

BATCHES = Domain.of(m="integer [0, inf)", power="integer [1, inf)")


def number_of_batches(m: int, power: int, factor: Any) -> Sides:
    return Fraction((m + 1) ** (power + 1)), "<=", factor * (power + 1) * PolynomialBatches(power).total(m)


def relative_size(m: int, power: int, factor: Any) -> Sides:
    schedule = PolynomialBatches(power)
    return Fraction((m + 1) * schedule.size(m + 1)), "<=", factor * (power + 1) * 2**power * schedule.total(m)


def below_the_end(x: Any, end: Any, power: Any) -> Sides:
    return power * log(x), "<=", power * log(end)


def below_the_end_argument() -> SymbolicArgument:
    import sympy

    v, x = sympy.symbols("v x", positive=True)
    power = sympy.Symbol("k", positive=True, integer=True)
    return SymbolicArgument({"x": x, "end": x * (1 + v), "power": power}, power * sympy.log(1 + v), "nonnegative")


def next_at_most_double(m: Any) -> Sides:
    return m + 2, "<=", 2 * (m + 1)


def next_at_most_double_argument() -> SymbolicArgument:
    import sympy

    m = sympy.Symbol("m", integer=True, nonnegative=True)
    return SymbolicArgument({"m": m}, m, "nonnegative")


BELOW_END = fact(below_the_end, Domain.of(x="(0, inf)", end="(0, inf)", power="integer [1, inf)", where=["x < end"]),
                 below_the_end_argument)  # fmt: skip
INTEGRAL = "(j + 1)^k is above the integral of x^k over [j, j + 1], so n_m is at least (m + 1)^(k + 1) / (k + 1)"


@claim(
    "BDP-SF.2/sublinear",
    r"batches $B_m=(m+1)^k$: after $n_m$ pulls their number $m+1$ is at most $(<factor>(k+1)n_m)^{1/(k+1)}$",
    domain=BATCHES, constants={"factor": 1}, mutations=[mutation("factor 0.95", factor="0.95")],
)  # fmt: skip
def polynomially_many_batches(check: Check) -> None:
    counted = check.enumerate(number_of_batches, {"m": range(100), "power": range(1, 6)}, rational=True, routes=EXACT)
    if counted and check.constants["factor"] >= 1:
        check.certificate(facts_hold, derivation([BELOW_END], INTEGRAL), routes=COMPOSED)


@claim(
    "BDP-SF.2/relative-size",
    r"batches $B_m=(m+1)^k$: $B_{m+1}\le\frac{<factor>(k+1)2^k}{m+1}n_m$, so that the factor $\alpha$ for the last "
    r"batch becomes 1",
    domain=BATCHES, constants={"factor": 1}, mutations=[mutation("factor 0.45", factor="0.45")],
)  # fmt: skip
def batches_small_against_the_past(check: Check) -> None:
    counted = check.enumerate(relative_size, {"m": range(100), "power": range(1, 6)}, rational=True, routes=EXACT)
    if counted and check.constants["factor"] >= 1:
        double = fact(next_at_most_double, Domain.of(m="integer [0, inf)"), next_at_most_double_argument)
        proof = derivation([BELOW_END, double], f"{INTEGRAL}, and (m + 2)^k is at most 2^k (m + 1)^k")
        check.certificate(facts_hold, proof, routes=COMPOSED)


@claim(
    "BDP-SF.2/medians",
    r"<schedule> batches: for large $T$ the median of $\mathrm{Reg}_T/\log T$ is at most $<factor>(1+<tolerance>)"
    r"\sum_{\Delta_i>0}\Delta_i/d_\epsilon(\mu_i,\mu^\star)$ (the mean is beyond simulation)",
    role="remark",
    domain=SEQUENCES, constants={"schedule": "polynomial", "factor": 1, "tolerance": "2/5"},
    mutations=[mutation("half the constant", factor="1/2"), mutation("batches of ratio 4", schedule="geometric")],
    strongest="trend", studies=[POLYNOMIAL],
)  # fmt: skip
def regret_with_polynomial_batches(check: Check) -> None:
    """The tolerance is for lower-order terms: at the few pulls of a suboptimal arm, B_{m+1}/n_m is still near 1/4."""
    data = check.study(POLYNOMIAL)
    policies = sorted(name.split(": ")[1] for name in data if name.startswith("polynomial"))
    bound = float(check.constants["factor"] * (1 + check.constants["tolerance"]))
    for policy in policies:
        series = median_series(data["horizons"], data[f"{check.constants['schedule']}: {policy}"])
        region = check.domain.restrict(means="all: the instance 'spread'", epsilon=[1], power=[2])
        check.trend("stays_below", series, f"{policy}, B_m = (m + 1)^2", covers=region, routes=MEDIANS, bound=bound)
