r"""The regret of DP-IMED and DP-KLUCB: simulated medians up to very large horizons, and explicit bounds of the mean.

The mean regret is dominated by rare runs, so simulations say little of it; the proofs of Theorems F.7 and F.9, with
their repaired steps, say E Reg_T <= a log T + C at every T. Write d for d_epsilon. Fix an arm i of gap Delta > 0, a
best arm j with 0 < mu* < 1, and 0 < s < 1/2; let x = mu_i + s Delta < y = mu* - s Delta. After batch m an arm has n_m
pulls and m + 1 noise terms in its noisy mean mu~_m. Arm i is selected after its batch m at most once, and then costs
B_{m+1} = n_{m+1} - n_m pulls. By (14), alpha n_m - alpha + n0 < n_{m+1} < alpha n_m + n0 + 1; hence

    (W)  the sum of B_{m+1} over the m with n_m <= E (or < E) is n_{M+1} - n0 <= alpha E + 1,   M the last such m.

Before convergence (A). DP-IMED: every noisy mean is below y. The selected index is the smallest, so that with
[mu~*] <= y and d([mu~_j], .) increasing on [mu~_j, 1]

    log n_m <= I_i <= I_j <= N_j d([mu~_j], y) + log N_j <= I_bar, the largest such value over the batches of j,

and (W) gives alpha e^I_bar + 1 pulls (BDP-TF.7/37-repaired). DP-KLUCB: every index is below y. Then mu~_j < y, and
log t < N_j d([mu~_j], y), so that n_m <= t - 1 < e^I_bar - 1 with I_bar the largest N_j d([mu~_j], y), and (W) gives
alpha e^I_bar pulls (BDP-TF.9/count). A maximum is at most the sum:

    E e^I_bar <= sum_m n_m^p E[1{mu~_m < y} e^(n_m d([mu~_m], y))],       p = 1 for DP-IMED, 0 for DP-KLUCB.

For c <= y, d(c, y) <= d(c, mu*) - r with r = d(y, mu*): the difference falls in c, since logit y < logit mu*
(BDP-TF.7/39-expectation-repaired). For D = d([mu~], mu*) <= d1 = d(0, mu*), e^(nD) = 1 + int_0^D n e^(nv) dv; and
{D >= v, mu~ < mu*} is {mu~ <= c} with d(c, mu*) = v, of probability at most A e^(-nv) for all v at once, by BDP-DF6
with a deviation of at most n mu*. As A >= 1,

    E e^I_bar <= sum_m n_m^p (1 + n_m d1) A_m e^(-r n_m),     A_m = (e max{1, epsilon mu* n_m / (m + 1)})^(m + 1).

After convergence (B). Let H = log T / d(x, y). The batches with n_m < H cost n_{m*} - n0 <= alpha H + 1 pulls, by (W).
If n_m >= H, then mu~_i >= x: either mu~_i >= y, or mu~_i < y and n_m d([mu~_i], y) <= log T, as for DP-IMED
n_m d([mu~_i], [mu~*]) <= I_i <= log N of the leader < log T, and for DP-KLUCB d([mu~_i], index) <= log t / n_m; and
d(., y) falls strictly on [0, y] (BDP-TF.7/42-repaired, TF.9/index-above-repaired). By BDP-DF6 with deviation n s Delta
and arm i's own mean (BDP-TF.7/45-tail-repaired; at mu_i = 0 there is only noise, and the same Chernoff bound holds),

    E (B) <= alpha log T / d(x, y) + 1 + sum_m B_{m+1} A'_m e^(-n_m d(x, mu_i)),
    A'_m = (e max{1, epsilon s Delta n_m / (m + 1)})^(m + 1).

The first batches cost n0 Delta each. Therefore, for every T,

    E Reg_T <= a(s) log T + C(s),   a(s) = sum_i alpha Delta_i / d(mu_i + s Delta_i, mu* - s Delta_i),

with finite C(s), and a(s) falls to sum_i alpha Delta_i / d(mu_i, mu*) as s falls to 0, because d is continuous there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import DPIMED, DPKLUCB, BatchedIndexPolicy, BernoulliBandit, NoiseSource, simulate
from banditproof.algorithms.batches import BatchSchedule, GeometricBatches
from banditproof.claims.derivations import facts_hold
from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp import studies
from banditproof.paper_checks.bernoulli_dp.facts.batches import pulls
from banditproof.paper_checks.bernoulli_dp.facts.chernoff import MARKOV, SHARP_FACTS
from banditproof.theory import d_epsilon
from banditproof.verify import holds, quantile_interval
from banditproof.verify.forms.calculus import exponential_integral

EVERY_BANDIT = "all: every Bernoulli bandit with best mean below 1"
Means = Annotated[Any, EVERY_BANDIT]


MEDIANS = ("order-statistic intervals of the median regret", "the sum of Delta_i / d_epsilon(mu_i, mu*) times log T")
INTERVAL_ERROR = 1e-3  # of each interval of a median; a trend supports, it never proves
POLICIES: dict[str, type[BatchedIndexPolicy]] = {"DP-IMED": DPIMED, "DP-KLUCB": DPKLUCB}

# name -> (means, epsilon); every mean is distinct from the others, so that no batch boundary dominates the sum
INSTANCES: dict[str, tuple[tuple[float, ...], float]] = {
    "spread": ((0.8, 0.6, 0.4, 0.2, 0.1), 1.0),
    "private": ((0.75, 0.625, 0.5, 0.375, 0.25), 0.25),
    "a mean of zero": ((0.5, 0.3, 0.2, 0.1, 0.0), 1.0),
    "two best arms": ((0.8, 0.8, 0.6, 0.4, 0.1), 1.0),
}


def lower_bound_constant(means: Sequence[float], epsilon: float) -> float:
    """The sum of Delta_i / d_epsilon(mu_i, mu*) over the arms with Delta_i > 0."""
    best = max(means)
    return sum((best - mean) / float(d_epsilon(mean, best, epsilon)) for mean in means if mean < best)


def normalised_regret(
    policy: str, instance: str, batches: BatchSchedule, horizons: Sequence[int], runs: int, seed: np.random.SeedSequence
) -> np.ndarray:
    """Reg_T / (log T sum of Delta_i / d_epsilon) of independent runs: [runs, horizons]."""
    means, epsilon = INSTANCES[instance]
    generator, for_rewards = (np.random.default_rng(s) for s in seed.spawn(2))
    budget, switches = Budget.pure(epsilon), {"replications": runs, "generator": generator, "ties": "random"}
    player = POLICIES[policy](len(means), budget, batches, NoiseSource(generator), **switches)
    result = simulate(player, BernoulliBandit(means), horizons[-1], for_rewards, horizons)
    return result.regret / np.log(horizons) / lower_bound_constant(means, epsilon)


def median_series(horizons: np.ndarray, regret: np.ndarray) -> list[tuple[int, list[float]]]:
    columns = (quantile_interval(column, 0.5, INTERVAL_ERROR) for column in regret.T)
    return [(int(horizon), [float(low), float(high)]) for horizon, (low, high) in zip(horizons, columns, strict=True)]


def slope_in_target(share: AboveZero, u: Inside) -> Sides:
    """d/du kl(z, u) >= 0 for z = share u, the slope of d_epsilon(x, u) in u with z the minimiser."""
    return 0, "<=", (u - share * u) / (u * (1 - u))


def slope_at_most(z: Inside, u: Inside, factor=1) -> Sides:
    """The same slope, for z on either side of u, against the slope 1/(1 - u) of Lemma F.5."""
    return (u - z) / (u * (1 - u)), "<=", factor / (1 - u)


def odds_ordered(share: Inside, mu_star: Inside) -> Sides:
    """logit y <= logit mu* for y = share mu*, compared as odds."""
    y = share * mu_star
    return y / (1 - y), "<=", mu_star / (1 - mu_star)


def layers(n: Count, level: Positive) -> Sides:
    return exp(n * level), "==", 1 + exponential_integral(n, n, 0, level)


def pulls_after_the_next_batch(alpha: AboveOne, n0: Count, m: Natural) -> Sides:
    return pulls(alpha, n0, m, 2), "<", alpha * pulls(alpha, n0, m, 1) + n0 + 1


def pulls_of_the_next_batch(alpha: AboveOne, n0: Count, m: Natural) -> Sides:
    return (alpha - 1) * (pulls(alpha, n0, m, 1) - 1), "<", pulls(alpha, n0, m, 2) - pulls(alpha, n0, m, 1)


FACTS = [
    fact(pulls_after_the_next_batch),
    fact(pulls_of_the_next_batch),
    fact(slope_in_target),
    fact(odds_ordered),
    fact(layers),
    *SHARP_FACTS,
]

JOINT = (
    "an arm is selected after its batch m at most once; the index rules and the monotony of d_epsilon in both means "
    "bound the pulls on every path, by batches before and after the best arm has converged; the tails of the noisy "
    f"means are those of BDP-DF6 ({MARKOV}), uniformly in the level; Fubini's theorem; a series is bounded by first "
    "terms and a geometric one; d_epsilon is continuous"
)
ARGUMENT = derivation(FACTS, JOINT)


@dataclass(frozen=True)
class LogarithmicBound:
    """slope log T + constant, two balls."""

    slope: Any
    constant: Any

    def __add__(self, other: LogarithmicBound) -> LogarithmicBound:
        return LogarithmicBound(self.slope + other.slope, self.constant + other.constant)

    def per_log(self, doublings: int) -> Any:
        """The bound divided by log T at log T = 2^doublings; it falls in T."""
        return self.slope + self.constant / to_ball(2) ** doublings


def series_bound(batches: GeometricBatches, weights: Sequence[Any], growth: Any, rate: Any) -> Any:
    """A ball above the sum over m of w(n_m) A_m e^(-rate n_m), A_m = (e max{1, growth n_m / (m + 1)})^(m + 1).

    w(n) = weights[0] + weights[1] n + ... with nonnegative weights; growth >= 0 and rate > 0 are balls.

    From m on let n_{k+1} / n_k <= e^h with e^h = alpha + (n0 + 1) / n_m; also B_{k+1} >= (alpha - 1)(n_k - 1). With
    u_m = 1 + log max{1, growth n_m / (m + 1)} the logarithm of the ratio of terms m + 1 and m is at most

        (degree + m + 2) h + u_m - rate (alpha - 1)(n_m - 1),

    whose first part grows by at most 2h from one m to the next, while what is subtracted grows by at least
    rate (alpha - 1)^2 (n_m - 1). Once the latter is at least 2h and the ratio at most 1/2, all later ratios are at most
    1/2, and the rest of the series is at most twice its first term.

    Raises InvalidInput unless the rate is certainly positive.
    """
    if not rate > 0:
        raise InvalidInput("rate", rate, "certainly positive; divergences of close means need more precision")
    alpha, total = to_ball(batches.alpha), to_ball(0)
    for m, n in enumerate(batches.totals()):
        crowd = 1 + log(maximum(growth * n / (m + 1), 1))
        weight = sum((w * to_ball(n) ** k for k, w in enumerate(weights)), to_ball(0))
        term = weight * exp((m + 1) * crowd - rate * n)
        step = log(alpha + to_ball(Fraction(batches.n0 + 1, n)))
        drop = rate * (alpha - 1) * (n - 1)
        halved = drop - (len(weights) + m + 1) * step - crowd >= log(to_ball(2))
        if halved and (alpha - 1) * drop >= 2 * step:
            return total + 2 * term
        total += term
    raise AssertionError("a schedule has no last batch")


@cache
def bound_for_arm(
    policy: str, mean: Fraction, best: Fraction, epsilon: Fraction, batches: GeometricBatches, share: Fraction
) -> LogarithmicBound:
    """What an arm with mean < best < 1 adds to the regret of 'DP-IMED' or 'DP-KLUCB'; 0 < share < 1/2."""
    alpha, budget, top, shift = map(to_ball, (batches.alpha, epsilon, best, share * (best - mean)))
    y, largest = to_ball(best - share * (best - mean)), d_epsilon(to_ball(0), top, budget)
    of_index, more = ([1, largest], 0) if policy == "DP-KLUCB" else ([0, 1, largest], 1)
    before = alpha * series_bound(batches, of_index, budget * top, d_epsilon(y, top, budget)) + more
    x = mean + share * (best - mean)
    own = d_epsilon(to_ball(x), to_ball(mean), budget)
    after = series_bound(batches, [batches.n0 + 1, alpha - 1], budget * shift, own) + 1
    gap, slope = to_ball(best - mean), alpha / d_epsilon(to_ball(x), y, budget)
    return LogarithmicBound(gap * slope, gap * (batches.n0 + before + after))


def explicit_bound(
    policy: str, means: Sequence[Any], epsilon: Fraction, batches: GeometricBatches, share: Fraction
) -> LogarithmicBound:
    """E Reg_T <= slope log T + constant for every T >= 1, best mean below 1. Raises InvalidInput."""
    exact = [Fraction(mean) for mean in means]
    best = max(exact)
    if not (min(exact) >= 0 and best < 1):
        raise InvalidInput("means", means, "in [0, 1)")
    if not 0 < share < Fraction(1, 2):
        raise InvalidInput("share", share, "between 0 and 1/2")
    if policy not in POLICIES:
        raise InvalidInput("policy", policy, f"one of {', '.join(POLICIES)}")
    arms = (bound_for_arm(policy, mean, best, Fraction(epsilon), batches, share) for mean in exact if mean < best)
    return sum(arms, LogarithmicBound(to_ball(0), to_ball(0)))


def leading_constant(means: Sequence[Any], epsilon: Any, share: Any = 0) -> Any:
    """The sum of Delta_i / d_epsilon(mu_i, mu*) over Delta_i > 0, both means moved together by the share of the gap."""
    exact = [Fraction(mean) for mean in means]
    best, budget = max(exact), to_ball(epsilon)
    pairs = ((best - mean, mean + share * (best - mean)) for mean in exact if mean < best)
    moved = ((to_ball(gap), to_ball(x), to_ball(x + (1 - 2 * share) * gap)) for gap, x in pairs)
    return sum((gap / d_epsilon(x, y, budget) for gap, x, y in moved), to_ball(0))


def raised(alpha: Any, power: Any) -> Any:
    """alpha^power, exactly at the printed power 1."""
    return alpha if power == 1 else to_ball(alpha) ** power


def explicit_regret(
    policy: str,
    means: Any,
    epsilon: Any,
    alpha: Any,
    n0: int,
    slack: Any,
    share: Any,
    doublings: int,
    factor: Any,
    power: Any = 1,
) -> Sides:
    """The bound over log T at log T = 2^doublings, hence at every larger T, against (1 + slack) times the constant."""
    bound = explicit_bound(policy, means, epsilon, GeometricBatches(alpha, n0), share)
    claimed = to_ball(factor * (1 + slack) * raised(alpha, power)) * leading_constant(means, epsilon)
    return bound.per_log(doublings), "<=", claimed


def with_witnesses(case: Mapping[str, Any]) -> dict[str, Any]:
    """The case with a share that brings the leading term down, and doublings that bring down the rest."""
    means, epsilon, half = case["means"], case["epsilon"], Fraction(case["slack"]) / 2
    target = leading_constant(means, epsilon)
    shares = (Fraction(1, 2**k) for k in itertools.count(2))
    share = next(s for s in shares if leading_constant(means, epsilon, s) <= to_ball(1 + half) * target)
    bound = explicit_bound(case["policy"], means, epsilon, GeometricBatches(case["alpha"], case["n0"]), share)
    needed = log(bound.constant / (to_ball(half * case["alpha"]) * target)) / log(to_ball(2))
    return {**case, "share": share, "doublings": max(0, int(needed.upper().ceil().unique_fmpz()))}


def explicit_bounds_hold(data: Mapping[str, Any], factor: Any = 1, power: Any = 1) -> Sides:
    """How many of a certificate's facts are proved and of its cases hold, compared with how many there are."""
    proved, _, facts = facts_hold(dict(data))
    held = sum(holds(*explicit_regret(**case, factor=factor, power=power)) is True for case in data["cases"])
    return proved + held, "==", facts + len(data["cases"])


MEANS: dict[str, tuple[str, ...]] = {
    **studies.INSTANCES,
    "Figure 8": studies.FIGURE_8,
    "a mean of zero": ("1/2", "3/10", "1/5", "1/10", "0"),
    "two best arms": ("4/5", "4/5", "3/5", "2/5", "1/10"),
}
RATIOS, BUDGETS, SLACKS = (
    [Fraction(value) for value in listed]
    for listed in (("11/10", "3/2", "2"), ("1/100", "1/4", "4"), ("1/10", "1/100"))
)


def cases(check: Check, policies: Iterable[str] = POLICIES, instances: Iterable[str] = MEANS) -> list[dict[str, Any]]:
    """Policies and instances at every ratio, budget and slack; under the quick profile every fifth of these."""
    return _cases(tuple(policies), tuple(instances), check.pick(5, 1))


@cache
def _cases(policies: Sequence[str], instances: Sequence[str], every: int) -> list[dict[str, Any]]:
    names = ("policy", "means", "alpha", "epsilon", "slack")
    grid = itertools.product(policies, [MEANS[name] for name in instances], RATIOS, BUDGETS, SLACKS)
    chosen = itertools.islice(grid, 0, None, every)
    return [with_witnesses({**dict(zip(names, case, strict=True)), "n0": 1}) for case in chosen]


def part_of(domain: Domain, chosen: Sequence[Mapping[str, Any]]) -> Domain:
    """The part of a claim's domain that cases are about."""
    numbers = {name: [case[name] for case in chosen] for name in domain.sets if name not in ("means", "policy")}
    return domain.restrict(means=f"all: {len({case['means'] for case in chosen})} instances", **numbers)


SHARP = """a lower limit of their regret: the algorithms are epsilon-DP (BDP-P4.2) and, by the bounds here, have
regret O(log T) at every instance with best mean below 1. By the proof of BDP-T3.1/repair-optimal-mean-below-one,
N_i(T) > (1 - eta) log T / d_epsilon(mu_i, mu*) with probability tending to 1. At log T = (n_m + 1) d_epsilon / (1 -
eta), batch m + 1 of arm i has then begun; when it ends, N_i >= n_{m+1} ~ alpha n_m while log T has hardly changed.
So limsup Reg_T / log T is at least alpha Delta_i / d_epsilon for any one arm i, plus Delta_j / d_epsilon for each of
the other arms"""
FALSE = [{"factor": "0.9"}, {"power": 0}]


def against_what_is_lost(means: Sequence[Any], epsilon: Any, alpha: Any, factor: Any, power: Any) -> Sides:
    """The claimed constant against a lower bound of limsup Reg_T / log T, both over Delta_i / d_epsilon of arm i.

    i is the worse arm closest to the best, whose quotient is largest as d_epsilon is convex in its first mean. With one
    worse arm both sides are alpha, so that any constant below the printed one is caught.
    """
    exact, budget = [Fraction(mean) for mean in means], to_ball(epsilon)
    best = max(exact)
    closest, *others = sorted(best - mean for mean in exact if mean < best)
    unit = d_epsilon(to_ball(best - closest), to_ball(best), budget) / closest
    rest = sum((unit * gap / d_epsilon(to_ball(best - gap), to_ball(best), budget) for gap in others), 0)
    return factor * raised(alpha, power) * (1 + rest), ">=", alpha + rest


def with_one_other(means: Sequence[str]) -> list[str]:
    """The best arms of an instance and its last arm."""
    best = max(Fraction(mean) for mean in means)
    return [mean for mean in means if Fraction(mean) == best] + [means[-1]]


def explicit_bounds(policies: Iterable[str] = POLICIES, instances: Iterable[str] = MEANS) -> tuple[Any, Any]:
    """The steps: explicit bounds of the mean regret that come down to the theorem's constant, for every slack tried."""
    tried = [form(MEANS[name]) for name in instances for form in (with_one_other, list)]
    return (
        tried_at(means=tried, alpha=RATIOS, epsilon=BUDGETS, n0=1, rational=True),
        certified(
            explicit_bounds_hold,
            lambda check: {**ARGUMENT, "cases": cases(check, policies, instances)},
            covers=lambda check: part_of(check.domain, cases(check, policies, instances)),
            routes=("the explicit bound, in balls, from formulas proved by trees", "the claimed constant, log T"),
        ),
    )
