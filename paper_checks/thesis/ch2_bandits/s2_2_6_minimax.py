"""Section 2.2.6, page 31: minimax regret, and its lower bound for Gaussian arms."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.two_environments import means
from banditproof.paper_checks.thesis.facts.environments import *

Bandit = tuple[Fraction, ...]  # the means of Bernoulli arms


def bayes_regret(pair: tuple[Bandit, ...], horizon: int, weights: tuple[Fraction, ...]) -> Fraction:
    """The least expected regret under unnormalised weights of two Bernoulli bandits, by dynamic programming."""

    def paid(arm: int) -> Fraction:
        return sum((w * (max(m) - m[arm]) for w, m in zip(weights, pair, strict=True)), Fraction(0))

    def after(arm: int, reward: int) -> tuple[Fraction, ...]:
        return tuple(w * (m[arm] if reward else 1 - m[arm]) for w, m in zip(weights, pair, strict=True))

    if not horizon:
        return Fraction(0)
    return min(
        paid(arm) + sum(bayes_regret(pair, horizon - 1, after(arm, reward)) for reward in (0, 1))
        for arm in range(len(pair[0]))
    )


def best_of_two_rounds(gap: Any) -> tuple[Any, Fraction, Fraction]:
    """Both instances, the smallest worst regret of a mixture of policies, and the prior that forces it."""
    pair = means(2, gap, False), means(2, gap, True)
    rows = [regrets_of(two_rounds(first, corner), pair) for first in (0, 1) for corner in corners(None)]
    return pair, *best_mixture(rows)


@quantity
def least_worst_regret(gap: Any) -> Fraction:
    """inf over policies of two rounds of the larger of the regrets at (gap, 0) and (gap, 2 gap)."""
    return best_of_two_rounds(Fraction(gap))[1]


@quantity
def bayes_regret_at_the_worst_prior(gap: Any) -> Fraction:
    """The smallest regret, of all policies of two rounds, at the prior that the best mixture leaves, step by step."""
    pair, _, prior = best_of_two_rounds(Fraction(gap))
    return bayes_regret(pair, 2, (prior, 1 - prior))


@claim(
    "TH-D2.27",
    enumerated(
        gap=["1/100", "1/10", "1/4", "2/5", "49/100"],
        rational=True,
        routes=("mixtures of policies, exact regrets", "dynamic programming at a prior"),
    ),
)
def value_over_policies(gap: Annotated[Any, "(0, 1/2)"]):
    r"""Minimax regret: $\inf_\pi\sup_\nu\mathrm{Reg}_T(\pi,\nu)=\max_w\inf_\pi\sum_\nu w_\nu\mathrm{Reg}_T(\pi,\nu)$,
    over the Bernoulli instances $(\Delta,0)$ and $(\Delta,2\Delta)$ and two rounds, all policies.

    A mixture of policies attains the left side, and every policy's worst regret is at least the right side.
    """
    return least_worst_regret(gap), "==", bayes_regret_at_the_worst_prior(gap)


COUNTS = {"horizon": "integer [1, inf)", "arms": "integer [1, inf)"}
ONE_ARM_TOO = Domain.of(policy="all: every policy", span=["inf"], **COUNTS, where=["horizon >= arms - 1"])


@claim(
    "TH-T2.28/argument",
    tried_at(policy="the only one", span="inf", horizon=1, arms=1),
    certified(argument_holds, derivation([*TESTING, NON_PRIVATE], JOINTS)),
    false=mutation("also for one arm, K for K - 1", ONE_ARM_TOO, spared=0),
    where=["horizon >= arms - 1"],
    role="implication",
)
def minimax_bound(policy: Policy, span: Annotated[Any, ["inf"]], horizon: Count, arms: TwoOrMore, spared=1, printed=27):
    r"""$\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\frac1{27}\sqrt{(K-1)T}$ for every policy, unit-variance Gaussian arms (no
    range of the means is printed), $K>1$, $T\ge K-1$.

    As printed, the supremum is over all means; then the left side is infinite for every policy
    (TH-T2.28/unrestricted-means), and the bound holds with any constant. The informative reading has means in [0, 1]:
    TH-T2.28/means-in-the-unit-interval.
    """
    return worst_regret(policy, horizon, arms, span), ">=", non_private_term(horizon, arms, printed, spared)


def gap_fits(arms: TwoOrMore, more: Natural, top=1) -> Sides:
    """(2 Delta)^2 = (K - 1)/T, for T = K - 1 or more, against the square of the largest mean allowed."""
    return arms - 1, "<=", top * top * (arms - 1 + more)


@claim(
    "TH-T2.28/means-in-the-unit-interval",
    tried_at(policy="uniform", span=1, horizon=1, arms=[2, 1000]),
    certified(argument_holds, derivation([*TESTING, NON_PRIVATE, fact(gap_fits)], JOINTS)),
    false=[
        mutation("without T >= K - 1", Domain.of(**{**ONE_ARM_TOO.sets, "span": [1], "arms": "integer [2, inf)"})),
        {"printed": "1"},
    ],
    of="TH-T2.28/argument",
    role="reading",
)
def minimax_bound_in_the_unit_interval(span: Annotated[Any, [1]]):
    r"""With means in [0, 1], as in the cited textbook theorem:
    $\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\frac1{27}\sqrt{(K-1)T}$ for every policy, $T\ge K-1$.

    'The set of K-armed Gaussian bandits, with unit variance' gives no range of the means. For T < K - 1 the gap does
    not fit into the range; from K > 729 T + 1 on, uniform play loses less than the bound.
    """
