"""Section 3: the conversion of a bandit algorithm, its privacy and its utility."""

from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS
from banditproof.paper_checks.adversarial.facts import ATTAINED, SHORT_GAMES, excess_of_batches
from banditproof.paper_checks.adversarial.studies import worst_losses_study
from banditproof.theory.bounds.adversarial import (
    batched_exp4_bound,
    exp3_bound,
    ftpl_bound,
    htinf_bound,
    local_exp4_bound,
)
from banditproof.theory.numbers.numeric import least
from banditproof.verify.runs.followed import departures
from banditproof.verify.runs.planted import with_bug
from banditproof.verify.runs.recorded import once

Learners = Annotated[Any, "all: every bandit algorithm"]
Lists = Annotated[Any, "all: every sequence of losses"]


def converted(learner: str, batch: int, bug: str) -> Any:
    """Builds Algorithm 1 around a learner on three arms, epsilon = 1/2, with a planted bug where one is named."""
    from banditproof.algorithms.adversarial.conversion import PrivateBatches
    from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF

    def make(noise: Any, generator: np.random.Generator) -> Any:
        learners = {
            "EXP3": lambda: EXP3(3, generator, rate=0.5, mixing=0.3),
            "FTPL": lambda: FTPL(3, generator, rate=0.5, cap=20),
            "HTINF": lambda: HTINF(3, generator, sigma=6**0.5),
        }
        return PrivateBatches(learners[learner](), Budget.pure(0.5), noise, batch=batch)

    return with_bug(bug, make)


RUNS = [
    {"learner": learner, "tau": tau, "T": T, "losses": seed}
    for seed in range(10)
    for learner in ("EXP3", "HTINF", "FTPL")
    for tau, T in ((1, 40), (2, 61), (7, 90))
]


@once
def departures_of_the_conversion(learner: str, tau: int, T: int, losses: int, bug: str) -> Sides:
    return departures(converted(learner, tau, bug), T, Budget.pure(0.5), losses, lists=3), "==", 0


@claim(
    "ADV-L3/recorded-runs",
    enumerated(pick(RUNS[:9], RUNS), rational=True, routes=("recorded run", "replay on neighbours")),
    false=BUGS,
    role="implication",
)
def runs_of_the_conversion(learner: Learners, tau: Count, T: Count, losses: Lists, bug="none") -> Sides:
    r"""In runs of Algorithm 1, a release is the mean, or the sum, of the losses of a batch, plus Laplace noise that
    hides one of these losses. Each loss enters one release. Actions depend on releases only. All this holds whether or
    not $\tau$ divides $T$ ($\varepsilon=\frac12$)."""
    return departures_of_the_conversion(learner, int(tau), int(T), int(losses), bug)


HTINF, on_worst_losses = worst_losses_study("htinf", ["htinf", "exp3"], "1", 200_000)


@claim(
    "ADV-C2/worst-sequences",
    on_worst_losses,
    false=[{"constant": "1/10"}],
    studies=[HTINF],
    role="implication",
    restricted="to stored sequences that a search found, at one K, T and epsilon",
)
def htinf_on_worst_losses(K: Count, T: Count, epsilon: AboveZero, constant=208, *, regret=0) -> Sides:
    r"""On sequences that a search found to be bad the regret is at most
    $208\sqrt{\frac{TK}\varepsilon}+\frac2\varepsilon$, at a horizon where that is below $T$.

    The regret is far below the bound; the false variants show how small a constant these runs can detect. Runs at one
    horizon cannot test the powers of K, T and epsilon.
    """
    return regret, "<=", constant * sqrt(T * K / epsilon) + 2 / epsilon


# ------------------------------------------------------------------------------------------------------ the reduction


# ---------------------------------------------------------------------------------------------- exact laws, short games

ALGORITHMS = "to learners that compare losses with levels"
EXACT = ("exact law", "the inequality")


@claim(
    "ADV-A1/exact-laws",
    enumerated(SHORT_GAMES, rational=True, routes=EXACT),
    false=[{"power": 2}, {"noise": "9/10"}, {"power": 0, "noise": "2/5"}],
    role="implication",
    restricted=ALGORITHMS,
)
def exact_privacy_of_algorithm_1(learner: Learners, losses: Lists, T: Count, tau: Count, power=1, noise=1) -> Sides:
    r"""Exact laws of Algorithm 1's actions at $\varepsilon=\frac12$, whether or not $\tau$ divides $T$: with noise
    $\mathrm{Lap}(\frac1{\tau\varepsilon})$ on a mean every ratio of neighbours is within $e^\varepsilon$ (to
    $10^{-9}$)."""
    scale = noise * ratio(2, tau**power)
    return excess_of_batches(learner, losses, T, tau, scale, exp(ratio(1, 2))), "<=", ATTAINED


# ------------------------------------------------------------------------------------------------- rates and constants


@claim(
    "ADV-X9/above-minimax",
    enumerated(K=[2, 3, 1000], T=[1, 10, 10**30], epsilon=["1", "1/1000"]),
    restricted="to N = K, lambda = 1, alpha = 2, sigma = 1 and delta up to 1/e",
)
def bounds_above_minimax(K: TwoOrMore, T: Count, epsilon: AboveZero) -> Sides:
    r"""Every printed upper bound is at least $\frac1{20}\min\{\sqrt{KT},T\}$, which no algorithm is below: the
    least of those of Corollaries 2 and 8, 22 and 24, Lemma 25, and Theorems 9, 10 and 21."""
    bounds = [
        htinf_bound(K, T, epsilon),
        exp3_bound(K, T, epsilon),
        ftpl_bound(K, T, epsilon),
        11 * sqrt(K * T) * log(K) * log(K * T) + 10 * sqrt(K * T),
        local_exp4_bound(K, K, T, epsilon),
        batched_exp4_bound(K, K, T, epsilon, exp(-1)),
        30 * sqrt(K * (T + 1)),
    ]
    return minimum(sqrt(K * T), T) / 20, "<=", least(bounds)


@claim("ADV-X9/barrier-below-every-round", deduced())
def barrier_below_the_horizon(share_of_all: Probability, T: AtLeastOne, e: AtLeastOne):
    r"""The second term of Lemma 11, for $e^{\varepsilon p}=e\ge1$ and $\tau=0$, asks for no more than $\frac T8$: with
    $p=s\gamma T$, $s\in[0,1]$ (as $p\le\gamma(T-\tau)$), $(1-\frac e2)\frac p{4\gamma} =(1-\frac e2)\frac{sT}4\le\frac
    T8$."""
    return (1 - e / 2) * share_of_all * T / 4, "<=", T / 8
