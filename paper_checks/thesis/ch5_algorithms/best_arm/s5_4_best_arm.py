r"""Section 5.4, page 117: the private Top Two algorithms AdaP-TT and AdaP-TT*.

Times are those of Gaussian arms with sigma = 1/2, as the theorems have them; L stands for log(1/delta). No value of the
exponent s is printed: runs use s = 2. Phases of sizes 1, 1, 2, 4, ... have n = 2^i rewards.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import BernoulliBandit, NoiseSource
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar, PrivateTopTwo
from banditproof.algorithms.run.identification import identify
from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.best_arm import *
from banditproof.theory.best_arm.thresholds import (
    far_growth,
    far_threshold,
    near_growth,
    near_threshold,
    private_threshold,
)
from banditproof.theory.numbers.numeric import binary_exponent
from banditproof.verify import decided
from banditproof.verify.kernel.bandits import of_each_arm
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import function_of, sum_of, when
from banditproof.verify.kernel.policies import every
from banditproof.verify.kernel.rules import eq, le, lt
from banditproof.verify.kernel.terms import Term, term, var

HALF = Fraction(1, 2)
Instances = Annotated[Any, "all: every instance with a unique best arm"]
SmallRisk = Annotated[Any, "[1099511627776, inf)"]  # log(1/delta) from 2^40 on


TIMED = [groups for groups in EXACT if len(groups) < 4]


@quantity
def largest_gap_of(groups: Groups) -> Fraction:
    """Delta_max."""
    return max(gap for gap, _ in gaps(groups, closest_first=False))


# Times with a share of the best arm, in words of the kernel.


def of_others(K: Any, best: Any, says: Callable[[Any], Any]) -> Any:
    return of_each_arm(K, lambda a: when(lt(0, (a - best) * (a - best)), then=says(a)))


@word
def shared_game_is_at_most(
    centre: Callable[[Any], Any], best: Any, K: Any, beta: Any, most: Any, epsilon: Any = None
) -> Any:
    """1/T*_beta <= most: the shares omega have omega(best) = beta, and c is at most gap(a)^2/(2 sigma^2 (1/beta +
    1/omega_a)) for each other arm a, sigma = 1/2; with epsilon, one gap is min(3 epsilon, gap)."""
    c = var("c")

    def share(a: Any) -> Any:
        return function_of("shares", a)

    def paid(a: Any) -> Any:
        gap = centre(best) - centre(a)
        least = gap if epsilon is None else gap + (3 * epsilon - gap) * Term("ind", (term(3 * epsilon), gap))
        return le(c * (share(a) + beta), share(a) * beta * 2 * gap * least)

    fair = of_each_arm(K, lambda a: le(0, share(a))), eq(sum_of(share, K, "b"), 1), eq(share(best), beta)
    return every(("shares", "c"), (*fair, of_others(K, best, paid)), le(c, most))


# Shapes of the thresholds, at counts up to 1/delta: delta^-x for an x in [0, 1] is the count of an arm.

VerySmallRisk = Annotated[Any, "[10000, inf)"]  # log(1/delta)
SHAPES = enumerated(
    log_risk=["10000", "100000000", "1" + 16 * "0"],
    x_a=["0", "1/2500", "1"],
    x_b=["0", "1/1000", "1"],
    epsilon=["1/100", "1", "1" + 6 * "0"],
)
FIVE_ARMS = "to five arms and the exponent s = 2"


def is_the_shape(threshold: Any, shape: Any, log_risk: Any, rate: Any) -> Sides:
    return absolute(threshold / shape - 1), "<=", rate * log(log_risk) / log_risk


@claim("ALG-R5.19", SHAPES, false=[{"plain": "1.9"}, {"plain": "2.1"}, {"rate": 9}], restricted=FIVE_ARMS)
def shape_of_the_threshold(
    log_risk: VerySmallRisk, x_a: Probability, x_b: Probability, epsilon: Positive, plain=2, rate=10
):
    r"""$c^{G,\varepsilon}_{a,b}\approx_{\delta\to0}2\log\frac1\delta+\frac{1}{\varepsilon^2\sigma^2}
    (\frac1{\omega_a}+\frac1{\omega_b})\log^2\frac1\delta$: for $L=\log\frac1\delta\ge10^4$ and counts
    $1\le\omega_a,\omega_b\le\frac1\delta$ their ratio differs from 1 by at most $10\log(L)/L$.

    The first term dominates if epsilon^2 n >> L, and otherwise the second one. The points cover both cases.

    No such rate holds for all counts: the threshold has terms log(log(n)), and the shape does not grow with n.
    """
    n_a, n_b = exp(x_a * log_risk), exp(x_b * log_risk)
    shape = plain * log_risk + 4 * (1 / n_a + 1 / n_b) / epsilon**2 * log_risk**2
    return is_the_shape(private_threshold(n_a, n_b, exp(-log_risk), 5, epsilon), shape, log_risk, rate)


@claim(
    "ALG-R5.22/far",
    SHAPES,
    false=[{"plain": "2.9"}, {"noise": "2.9"}, {"plain": "3.1"}, {"noise": "3.1"}, {"rate": 2}],
    restricted=FIVE_ARMS,
)
def shape_far(log_risk: VerySmallRisk, x_a: Probability, x_b: Probability, epsilon: Positive, plain=3, noise=3, rate=3):
    r"""Where the lead is at least $3\varepsilon$, the ratio of the threshold to $\frac{3}{\sigma^2}L+
    \frac{3\varepsilon}{\sqrt2\sigma}(\sqrt{\omega_a}+\sqrt{\omega_b})\sqrt L$ differs from 1 by at most $3\log(L)/L$,
    for $L\ge10^4$ and counts up to $\frac1\delta$."""
    n_a, n_b = exp(x_a * log_risk), exp(x_b * log_risk)
    shape = 4 * plain * log_risk + sqrt(to_ball(2)) * noise * epsilon * (sqrt(n_a) + sqrt(n_b)) * sqrt(log_risk)
    return is_the_shape(far_threshold(n_a, n_b, exp(-log_risk), 5, epsilon), shape, log_risk, rate)


@claim(
    "ALG-R5.22/near",
    SHAPES,
    false=[{"plain": "0.9"}, {"plain": "1.1"}, {"square": "1.9"}, {"cross": "1.9"}, {"rate": 9}],
    restricted=FIVE_ARMS,
)
def shape_near(
    log_risk: VerySmallRisk, x_a: Probability, x_b: Probability, epsilon: Positive, plain=1, square=2, cross=2, rate=10
):
    r"""Where the lead is below $3\varepsilon$, the ratio of the threshold to $L+\frac{1}{2\varepsilon^2\sigma^2}
    (\frac1{\omega_a}+\frac1{\omega_b})L^2+\frac{\sqrt2}{\varepsilon\sigma}(\omega_a^{-1/2}+\omega_b^{-1/2})L^{3/2}$
    differs from 1 by at most $10\log(L)/L$, for $L\ge10^4$ and counts up to $\frac1\delta$."""
    n_a, n_b = exp(x_a * log_risk), exp(x_b * log_risk)
    spread, roots = 1 / n_a + 1 / n_b, 1 / sqrt(n_a) + 1 / sqrt(n_b)
    shape = plain * log_risk + square * spread * log_risk**2 / epsilon**2
    shape += cross * sqrt(to_ball(2)) * roots * sqrt(log_risk) * log_risk / epsilon
    return is_the_shape(near_threshold(n_a, n_b, exp(-log_risk), 5, epsilon), shape, log_risk, rate)


# The functions of Theorem 5.23.


@claim("ALG-T5.23/g1-at-zero", enumerated(y=[0], rational=True))
def near_growth_at_zero(y: Annotated[Any, [0]]):
    r"""$g_1(0)=1$: the value is $\sup\{x:x^2<x\}$, which is a root of $x^2-x$."""
    return 1, "==", 1 + y


@claim("ALG-T5.23/g1-at-twelve", enumerated(y=["12"]), false={"most": "9.9"})
def near_growth_at_twelve(y: Annotated[Any, [12]], most=10):
    r"""$g_1(12)\le10$ (it is 9.9794...)."""
    return near_growth(y), "<=", most


# Theorem 5.20.


DISTINCT = (0.9, 0.5, 0.1)
LOG_RISKS = (20, 80, 320, 640)
TREND_BUDGETS = (1.0, 0.1)


def run_top_two(
    policy: type[PrivateTopTwo], delta: float, epsilon: float, means: Sequence[float], runs: int, seed: Any
):
    play, rewards = (np.random.default_rng(child) for child in seed.spawn(2))
    run = policy(len(means), Budget.pure(epsilon), NoiseSource(play), delta=delta, replications=runs)
    return identify(run, BernoulliBandit(means), 10**9, rewards)


def run_small_risks(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Mean stopping times for log(1/delta) in LOG_RISKS, at most `runs` each."""
    arrays: Arrays = {}
    for (policy, budget), child in zip(product((AdaPTT, AdaPTTStar), TREND_BUDGETS), seeds.spawn(4), strict=True):
        pulls = [
            run_top_two(policy, float(np.exp(-risk)), budget, DISTINCT, runs, seed).pulls.mean()
            for risk, seed in zip(LOG_RISKS, child.spawn(len(LOG_RISKS)), strict=True)
        ]
        arrays[f"{policy.__name__}, {budget:g}"] = np.array(pulls)
    return arrays


SMALL_RISKS = Study("thesis-top-two-small-risks", run_small_risks, {"runs": 20}, {"runs": 400})
TREND = Domain.of(groups="all: every instance without equal means", epsilon="(0, inf)", log_risk="(0, inf)")
OF_DISTINCT = [[str(mean), 1] for mean in DISTINCT]


def limit_of_adap_tt(epsilon: Any) -> float:
    spread = 8 * (DISTINCT[0] - DISTINCT[-1]) ** 2 / epsilon**2
    return 4 * float(gaussian_time(OF_DISTINCT, HALF)) * (1 + float(np.sqrt(1 + spread)))


def limit_of_adap_tt_star(epsilon: Any) -> float:
    largest = DISTINCT[0] - DISTINCT[-1]
    if largest < 3 * epsilon:
        return 4 * float(gaussian_time(OF_DISTINCT, HALF)) * near_growth(4 * largest / epsilon)
    time = float(relaxed_time(OF_DISTINCT, Fraction(str(epsilon)), HALF))
    return 48 * time * far_growth(0.75 * epsilon**2 * time)


def below_the_limit(check: Check, policy: str, limit: Any) -> None:
    share, means = float(check.constants["share"]), check.study(SMALL_RISKS)
    for budget in TREND_BUDGETS:
        times = means[f"{policy}, {budget:g}"]
        ratios = [float(time) / risk / limit(budget) / share for risk, time in zip(LOG_RISKS, times, strict=True)]
        covers = check.domain.restrict(
            groups="all: means (0.9, 0.5, 0.1)",
            epsilon=[Fraction(str(budget))],
            log_risk=[Fraction(r) for r in LOG_RISKS],
        )
        source = f"mean stopping time over log(1/delta) and the bound, epsilon = {budget:g}"
        check.trend("stays_below", list(zip(LOG_RISKS, ratios, strict=True)), source, covers, bound=1)


@claim("ALG-T5.20/limit", domain=TREND, constants={"share": 1}, false={"share": "1/2"}, studies=[SMALL_RISKS])
def sample_complexity_of_adap_tt(check: Check) -> None:
    r"""$\mathbb E[\tau_\delta]/\log(1/\delta)$ of AdaP-TT ($\beta=\frac12$) falls below the bound
    $4T^*_{\mathrm{KL},\beta}\bigl(1+\sqrt{1+8\Delta_{\max}^2/\varepsilon^2}\bigr)$.

    Line 16 is as printed. While L doubles, the ratio varies between half of the bound and nearly all of it, because of
    the phases.
    """
    below_the_limit(check, "AdaPTT", limit_of_adap_tt)


@claim("ALG-T5.23/limit", domain=TREND, constants={"share": 1}, false={"share": "7/10"}, studies=[SMALL_RISKS])
def sample_complexity_of_adap_tt_star(check: Check) -> None:
    r"""$\mathbb E[\tau_\delta]/\log(1/\delta)$ of AdaP-TT* ($\beta=\frac12$) falls below the bound of its regime:
    $\Delta_{\max}=0.8<3\varepsilon$ at $\varepsilon=1$, and $\Delta_{\min}\ge3\varepsilon$ at $0.1$."""
    below_the_limit(check, "AdaPTTStar", limit_of_adap_tt_star)


# The discussions.

LITTLE = Fraction(1, 10**9)


@claim("ALG-S5.4b/sixteen", enumerated(groups=TIMED, rational=True))
def factor_without_privacy(groups: Instances):
    r"""As $\varepsilon\to\infty$: $8T^*_{\mathrm{KL},1/2}\le16T^*_{\mathrm{KL}}$."""
    return 8 * gaussian_time(groups, HALF), "<=", (16 + LITTLE) * gaussian_time(groups)


@claim("ALG-S5.4b/inverse-squares", enumerated(groups=TIMED, rational=True))
def time_and_inverse_squares(groups: Instances):
    r"""$2T^*_{\mathrm{KL}}\le8\sum_{a\ne a^*}\Delta_a^{-2}$ with $\sigma=\frac12$ as in Theorem 5.20 (4 will do)."""
    return 2 * gaussian_time(groups), "<=", (8 + LITTLE) * sum_of_inverse_gaps(groups, 2, first=2)


@claim("ALG-S5.4b/inverse-squares-unit", fails_at(groups=exact([[1, 1], [0, 1]]), rational=True), role="reading")
def time_and_inverse_squares_of_unit_variance(groups: Instances):
    r"""$2T^*_{\mathrm{KL}}\le8\sum_{a\ne a^*}\Delta_a^{-2}$ with the $\sigma=1$ of the lines on $H(\mu)$ in place of
    the $\sigma=\frac12$ of Theorem 5.20.

    For two arms, $2T^*_{\mathrm{KL}}=16\Delta^{-2}$. With $\sigma=\frac12$ the inequality holds.
    """
    return 8 * gaussian_time(groups), "<=", 8 * sum_of_inverse_gaps(groups, 2, first=2)


@claim("ALG-S5.4b/constant", enumerated(groups=TIMED, epsilon=["1/1000", "1/10", "1", "1000"], rational=True))
def universal_constant(groups: Instances, epsilon: Positive):
    r"""$4T^*_{\mathrm{KL},1/2}\bigl(1+\sqrt{1+8\Delta_{\max}^2/\varepsilon^2}\bigr)\le\frac{2263}{50}\max\{T^*_{\mathrm{KL},1/2},
    \frac C\varepsilon(\frac1{\Delta_{\min}}+\sum_{a\ge2}\frac1{\Delta_a})\}$ with $C=\Delta_{\max}/\Delta_{\min}$.

    The chain gives 32 sqrt(2) = 45.25...; at sigma = 1/2 already 8 + 16 sqrt(2) is enough.
    """
    time, largest, smallest = gaussian_time(groups, HALF), largest_gap_of(groups), gap_of(groups, 1)
    left = 4 * time * (1 + sqrt(1 + 8 * (largest / epsilon) ** 2))
    private = largest / smallest / epsilon * (1 / smallest + sum_of_inverse_gaps(groups, first=2))
    return left, "<=", Fraction(2263, 50) * maximum(time, private)


def variation_side(groups: Any, epsilon: Any) -> Any:
    """T*_TV / epsilon for Bernoulli arms."""
    return sum_of_inverse_gaps(groups) / epsilon


@claim(
    "ALG-S5.4c/tv-time",
    fails_at(groups=exact([["0.9", 1], ["0.1", 1]]), epsilon=Fraction(1, 10), beta=Fraction(1, 10), rational=True),
    role="reading",
)
def twelve_relaxed_times(groups: Instances, epsilon: Positive, beta: Inside):
    r"""'$12T^*_{\varepsilon,\beta}\le8T^*_{\rm TV}/\varepsilon$' if $\Delta_{\min}\ge3\varepsilon$, for every
    $\beta\in(0,1)$ of the theorem: of two arms the left side is $\frac2{\varepsilon\Delta\beta(1-\beta)}$.

    The factor 8 of the sentence before is that of beta = 1/2, which the text does not mention.
    """
    return 12 * relaxed_time(groups, epsilon, beta), "<=", 8 * variation_side(groups, epsilon)


PRIVATE = [groups for groups in TIMED if min(gap for gap, _ in gaps(groups)) >= Fraction(3, 100)]


@claim(
    "ALG-S5.4c/tv-time-at-one-half",
    enumerated(groups=PRIVATE, epsilon=["1/100", "1/1000"], rational=True),
    restricted="to beta = 1/2",
)
def twelve_relaxed_times_at_one_half(groups: Instances, epsilon: Positive):
    r"""$12T^*_{\varepsilon,1/2}(\nu)\le8T^*_{\rm TV}(\nu)/\varepsilon$ if $\Delta_{\min}\ge3\varepsilon$; 4 will do.

    T = z / (6 epsilon) with sum 1/(z Delta_a - 2) = 1/2, and at z = 4 T_TV the sum is at most 1/2 as T_TV Delta_a >= 1.
    """
    return 12 * relaxed_time(groups, epsilon, HALF), "<=", (8 + LITTLE) * variation_side(groups, epsilon)


@claim(
    "ALG-S5.4c/forty-eight",
    enumerated(groups=PRIVATE, epsilon=["1/1000000", "1/1000000000"], rational=True),
    restricted="to beta = 1/2",
)
def factor_of_high_privacy(groups: Instances, epsilon: Positive):
    r"""As $\varepsilon\to0$ the bound of Theorem 5.23 is at most $48T^*_{\rm TV}/\varepsilon$ ($\beta=\frac12$; a
    factor of 16 is reached)."""
    time = relaxed_time(groups, epsilon, HALF)
    bound = 48 * time * far_growth(3 * epsilon**2 * time / 4)
    return bound, "<=", Fraction(481, 10) * variation_side(groups, epsilon)


# Rounds of adaptivity: two arms with rewards 1 and 0, no noise, beta = 1/2. Both arms' last phases have n = 2^i rewards
# when 4 n rewards have been collected; W = n, and T*_KL = 2.


@quantity
def pulls_of_two_sure_arms(log_risk: Any, star: int) -> int:
    """4 n with the first n = 2^i at which W = n reaches the threshold, which is above log_risk/8 and more."""
    n = 2 ** max(0, binary_exponent(log_risk) - 3)
    risk, epsilon = exp(-log_risk), to_ball(10) ** 300
    while True:
        sides = to_ball(n), to_ball(n)
        threshold = near_threshold(*sides, risk, 2, epsilon) if star else private_threshold(*sides, risk, 2, epsilon)
        if not decided(n, "<", threshold):
            return 4 * n
        n *= 2


@claim(
    "ALG-R5.24/adap-tt-repaired",
    enumerated(log_risk=[2**40, 2**50, 2**59, 3 * 2**50]),
    restricted="to two arms with rewards 1 and 0",
    repairs="ALG-R5.24/adap-tt",
)
def adap_tt_up_to_eight(log_risk: SmallRisk):
    r"""$\tau_\delta\le8T^*_{\mathrm{KL}}\log\frac1\delta$ for AdaP-TT without privacy and small $\delta$."""
    return pulls_of_two_sure_arms(log_risk, 0), "<=", Fraction(801, 100) * 2 * log_risk


@claim(
    "ALG-R5.24/adap-tt-star",
    enumerated(log_risk=[2**40, 2**50, 2**59, 3 * 2**50]),
    restricted="to two arms with rewards 1 and 0",
)
def adap_tt_star_up_to_a_factor(log_risk: SmallRisk):
    r"""$\tau_\delta\le4T^*_{\mathrm{KL}}\log\frac1\delta$ for AdaP-TT* without privacy and for small $\delta$; its
    threshold is half of that of AdaP-TT."""
    return pulls_of_two_sure_arms(log_risk, 1), "<=", Fraction(401, 100) * 2 * log_risk
