"""Section 4: expert advice, Theorems 9 and 10 and which of the three bounds is best where.

D stands for log(1/delta). Rates are those of Table 2, with their logarithms.
"""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS
from banditproof.theory.bounds.adversarial import batched_exp4_bound, batched_exp4_parameters, batched_exp4_terms
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.followed import departures
from banditproof.verify.runs.planted import with_bug
from banditproof.verify.runs.recorded import once

LARGE = Annotated[Any, "[1, inf)"]


@claim(
    "ADV-T10/mixing",
    fails_at(T=10**40, D=10**20),
    false={"least": "1/25"},
    assuming="""the lower bound on the regret: the batch size is rounded up, so that there are n >= T/(tau + 1) - 1
    batches; S, the sum of the estimates of the second expert's loss up to a batch, has mean at most r Delta after r
    batches (they are unbiased), so exceeds 6 r Delta with probability at most 1/6; the sum G of the r differences of
    noises is symmetric and unimodal with density at most 1/(2 sqrt(pi r) lambda), so G >= 6 r Delta with probability at
    least 1/2 - 3 r Delta/(sqrt(pi r) lambda); where G >= S the second expert has at least half of the weight and costs
    Delta/2; with Delta <= (3/20) lambda/sqrt(n) the sum over the batches is at least (2/25) n tau Delta""",
    called={
        r"$K=N=2$, $\varepsilon=1$, $T$": "T",
        r"$\log\frac1\delta$": "D",
        "a lower bound on the regret": "left",
        "the printed bound": "right",
    },
)
def regret_with_the_stated_mixing(T: TwoOrMore, D: LARGE, least=Fraction(2, 25), constant=100, mixing="stated"):
    r"""Theorem 10 with the printed $\gamma$: the regret is at most
    $100\,\frac{N^{1/6}K^{1/2}T^{2/3}D^{1/6}\log^{1/3}(NT)\log^{1/3}N}{\varepsilon^{1/3}}+\frac{N^{1/2}D^{1/2}\log(NT)\log
    N}\varepsilon$ with $D=\log\frac1\delta$, the constants of its proof.

    The first entry of the printed $\gamma$ has $N^{1/3}$ where the proof needs $(N\log\frac1\delta)^{1/3}$. With too
    little exploration, the noise, whose scale is proportional to $\frac1\gamma$, is too large. The regret exceeds the
    bound by a factor of the order of $\log^{1/3}(1/\delta)/\log(NT)$, so no constant in $O(\cdot)$ helps; in the proof
    the loss appears already at $\delta=10^{-6}$, as a factor of 5.8. It only matters if $\log(1/\delta)$ is above
    $\log^3(NT)$. With the $\gamma$ of the proof the bound follows if that $\gamma$ is at most 1. The check uses $K=N=2$
    and $\varepsilon=1$: two experts name an action each, and the losses are $\ell_t=(0,\Delta)$ with
    $\Delta=\min\{1,\frac3{20}\lambda/\sqrt n\}$, for the noise scale $\lambda$ of Algorithm 2 and its $n$ batches; the
    regret is at least $\frac2{25}n\tau\Delta$.
    """
    two, T, D = to_ball(2), to_ball(T), to_ball(D)
    parameters = batched_exp4_parameters(two, two, T, to_ball(1), exp(-D), as_proved=mixing == "proved")
    lam = 6 * sqrt(2 * D) / (parameters.mixing * (parameters.batch + 1))
    n = T / (parameters.batch + 1) - 1
    regret = least * n * parameters.batch * minimum(to_ball(1), to_ball(Fraction(3, 20)) * lam / sqrt(n))
    first, second = batched_exp4_terms(two, two, T, to_ball(1), exp(-D))
    return regret, "<=", constant * first + second


@claim("ADV-T10/batch-not-whole", fails_at(K=2, N=2, T=10**12, epsilon=1, delta="1/100"), role="reading")
def batch_as_printed(K: TwoOrMore, N: TwoOrMore, T: Count, epsilon: AboveZero, delta: Annotated[Any, "(0, 1)"]):
    r"""Algorithm 2 with $\tau$ exactly as printed keeps its bound $100(\ldots)+(\ldots)$ on $\ell_t=(0,1)$ with
    experts that name an action each: $\frac T2$, the regret of weights that never move, is below it.

    The algorithm tests 't = r tau', and tau is a root of logarithms, not an integer, so no batch ends. The text does
    not round tau.
    """
    values = (to_ball(K), to_ball(N), to_ball(T), epsilon, delta)
    return to_ball(T) / 2, "<=", batched_exp4_bound(*values)


@claim("ADV-T10/constants-for-every-delta", fails_at(T=100, delta=1 - Fraction(1, 10**30)), role="reading")
def theorem_10_above_minimax(T: TwoOrMore, delta: Inside, share=Fraction(1, 20)):
    r"""'For every $\delta\in(0,1]$ ... $O(\ldots)$' with one constant, the 100 and 1 of its proof: at $K=N=2$,
    $\varepsilon=1$, experts that name an action each, $\frac1{20}\min\{\sqrt{KT},T\}\le100(\ldots)+(\ldots)$.

    O() leaves open what the constant may depend on. The bound is proportional to powers of log(1/delta); near delta = 1
    it is below the regret of every algorithm, private or not.
    """
    two, one = to_ball(2), to_ball(1)
    return share * minimum(sqrt(two * T), T), "<=", batched_exp4_bound(two, two, to_ball(T), one, delta)


# ------------------------------------------------------------------------------------------------------ comparisons


def leading_powers(N: Any, T: Any, epsilon: Any) -> Any:
    """Both terms of Theorem 10 in N, T and epsilon, without K and the logarithms."""
    first = exp((log(N) + 4 * log(T) - 2 * log(epsilon)) / 6)
    return first + sqrt(N) / epsilon


@claim(
    "ADV-S4.5/panels-below-the-horizon",
    tried_at(N=[1, 10], T=[10, 10**20]),
    deduced(),
    false=[{"sixth": "1/5"}, {"twice": "1.9"}],
    where=["N <= T"],
    restricted="to N below T: from N = T on the text calls the bound vacuous itself, two sentences later",
)
def sublinear_below_the_horizon(N: AtLeastOne, T: AtLeastOne, sixth=Fraction(1, 6), twice=2):
    r"""For $1\le N\le T$ and $\varepsilon=T^{-1/2}$ the terms of Theorem 10 without $K$ and logarithms,
    $N^{1/6}T^{2/3}\varepsilon^{-1/3}+N^{1/2}\varepsilon^{-1}$, are at most $2\,T(\frac NT)^{1/6}$: with $N=T^b$ a power
    of $T$ below one for every $b<1$."""
    return leading_powers(N, T, 1 / sqrt(T)), "<=", twice * T * exp(sixth * log(N / T))


def private_experts(algorithm: str, bug: str) -> Any:
    """Builds Algorithm 6, 5 around 1, or 2 on four experts, with a planted bug where one is named."""
    from banditproof.algorithms.adversarial.conversion import PrivateBatches
    from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
    from banditproof.algorithms.adversarial.learners import EXP3

    agreeing = Panel([[1, 0], [1, 0], [1, 0], [0, 1]])

    def make(noise: Any, generator: np.random.Generator) -> Any:
        if algorithm == "2":
            return PrivateEXP4(agreeing, TIGHT, noise, generator, batch=5, rate=0.5, mixing=0.9)
        if algorithm == "6":
            return PrivateBatches(EXP4(agreeing, generator, rate=0.5, mixing=0.3), PURE, noise, batch=1)
        learner = PrivateBatches(EXP3(4, generator, rate=0.5, mixing=0.3), PURE, noise, batch=3)
        return FromBandit(learner, agreeing, generator)

    return with_bug(bug, make)


PURE = Budget.pure(0.5)
TIGHT = Budget.approximate(0.5, 0.64)  # with four experts nearly all of it is spent, as pure privacy
Algorithms = Annotated[Any, "all: the algorithms of the claim"]
Lists = Annotated[Any, "all: every sequence of losses"]


@once
def violations_with_experts(algorithm: Any, T: Any, losses: Any, bug: Any) -> Sides:
    budget = TIGHT if algorithm == "2" else PURE
    report = find_violation(private_experts(algorithm, bug), int(T), budget, int(losses), lists=3)
    return 0 if report is None else len(report.violations), "==", 0


@once
def departures_with_experts(algorithm: Any, T: Any, losses: Any, bug: Any) -> Sides:
    return departures(private_experts(algorithm, bug), int(T), PURE, int(losses), lists=3), "==", 0


def on_runs(algorithm: str) -> enumerated:
    """Recorded runs on several streams of loss sequences, replayed on neighbours."""
    points = [{"algorithm": algorithm, "T": T, "losses": seed} for seed in range(12) for T in (40, 61)]
    return enumerated(pick(points[:8], points), rational=True, routes=("recorded run", "replay on neighbours"))


@claim("ADV-T9/recorded-runs", on_runs("6"), false=BUGS)
def runs_of_algorithm_6(algorithm: Algorithms, T: Count, losses: Lists, bug="none"):
    r"""Algorithm 6 is $\varepsilon$-DP: runs replayed on neighbours show no violation."""
    return violations_with_experts(algorithm, T, losses, bug)


@claim("ADV-T10/recorded-runs", on_runs("2"), false=BUGS, restricted="to N <= 9 log(1/delta)")
def runs_of_algorithm_2(algorithm: Algorithms, T: Count, losses: Lists, bug="none"):
    r"""Algorithm 2 is $(\varepsilon,\delta)$-DP: with four experts and $\delta=0.64$, where the stated noise spends
    $\frac\varepsilon3\sqrt{N/\log(1/\delta)}<\varepsilon$ even as pure privacy, runs show no violation."""
    return violations_with_experts(algorithm, T, losses, bug)


@claim("ADV-T7/recorded-runs", on_runs("5"), false=BUGS, role="implication")
def runs_of_algorithm_5(algorithm: Algorithms, T: Count, losses: Lists, bug="none"):
    r"""In runs of Algorithm 5 around Algorithm 1, a release is the sum of the losses of a batch, plus Laplace noise
    that hides one of these losses. Each loss enters one release. Actions depend on releases and public advice only."""
    return departures_with_experts(algorithm, T, losses, bug)
