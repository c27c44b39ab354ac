r"""Appendix C.4, page 223: the confidence ellipsoid of AdaC-OFUL, its regret step by step, and the rectified LinPriv.

Inequalities on designs are followed along sequences of unit vectors in exact arithmetic; they do not depend on rewards.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.shared.linear_designs import solved
from banditproof.paper_checks.shared.response_ucb import inner
from banditproof.paper_checks.thesis.facts.contextual import *
from banditproof.paper_checks.thesis.facts.rare_switching import *
from banditproof.verify.runs.contextual import contextual_violations

# The regret, step by step


def log_of_the_trace(vectors: Any, T: Any, ridge: Any) -> Any:
    """d log(1 + T/(lambda d))."""
    d = dimension_of(vectors)
    return d * log(1 + T / (ridge * d))


@quantity
def product_of_growths(vectors: Sequence[Any], T: int, ridge: Any) -> Fraction:
    """The product of 1 + |A_t|^2 in the norms of V_{t-1}^-1 over T rounds, each by elimination."""
    chosen = unit_vectors(vectors, T)
    bonuses = (inner(a, solved(v, a)) for v, a in zip(designs(chosen, Fraction(ridge)), chosen, strict=False))
    return prod((1 + bonus for bonus in bonuses), start=Fraction(1))


@claim("ALG-PC.4.2/determinant-product", on_sequences("determinants", "product of bonuses"), role="step")
def determinant_is_a_product(vectors: Vectors, T: Count, ridge: Positive):
    r"""(C.26) $\det V_T=\det V_0\prod_{t\le T}(1+\|A_t\|^2_{V_{t-1}^{-1}})$, the bonuses by elimination."""
    first, last = (determinant_in(vectors, T, ridge, t) for t in (0, T))
    return last, "==", first * product_of_growths(vectors, T, ridge)


@claim(
    "ALG-PC.4.2/elliptical-potential",
    on_sequences("sum of bonuses", "the bound, in balls", T=[1, 2, 3, 24, 60], ridge=[1, "1/10", 5]),
)
def elliptical_potential(vectors: Vectors, T: Count, ridge: Positive):
    r"""(C.24) $\sum_{t\le T}1\wedge\|A_t\|^2_{V_{t-1}^{-1}}\le2\,d\log(1+\frac T{\lambda d})$.

    The factor is needed at T = 1 and lambda = 1; the dimension is needed if the axes take turns.
    """
    truncated = sum_of_bonuses(vectors, T, ridge, lambda x: minimum(1, x))
    return truncated, "<=", 2 * log_of_the_trace(vectors, T, ridge)


def growth_of_episodes(vectors: Sequence[Any], T: int, ridge: Any, growth: Any, first: int, last: int) -> Fraction:
    """The largest det V_b / det V_a, a and b so many rounds before the first round of an episode and of the next."""
    chosen = unit_vectors(vectors, T)
    volume, starts = volumes(chosen, Fraction(ridge)), episode_starts(chosen, Fraction(ridge), Fraction(growth))
    pairs = zip(starts, starts[1:], strict=False)
    return max((volume[b - last] / volume[a - first] for a, b in pairs), default=Fraction(1))


@quantity
def largest_growth_from_the_first_round(vectors: Sequence[Any], T: int, ridge: Any, growth: Any) -> Fraction:
    """The largest det V_{t_(l+1) - 1} / det V_{t_l} of the episodes within T rounds, 1 where none ends."""
    return growth_of_episodes(vectors, T, ridge, growth, 0, 1)


@quantity
def largest_growth_before_the_end(vectors: Sequence[Any], T: int, ridge: Any, growth: Any) -> Fraction:
    """The largest det V_{t_(l+1) - 2} / det V_{t_l - 1} of the episodes within T rounds, 1 where none ends."""
    return growth_of_episodes(vectors, T, ridge, growth, 1, 2)


@claim(
    "ALG-PC.4.2/episode-determinants",
    fails_at(vectors=["turn", 2, 13], T=15, ridge=Fraction(1), growth=Fraction(1), rational=True),
    role="reading",
)
def determinants_of_an_episode(vectors: Vectors, T: Count, ridge: Positive, growth: Positive):
    r"""(C.25), $\det V_{t_{\ell+1}-1}\le(1+C)\det V_{t_\ell}$, with 'episode $\ell$ starts at $t_\ell$' read as the
    first round of the episode, for every episode within $T$ rounds.

    During an episode, line 6 of Algorithm 9 bounds $\det V_{t-1}$ by $(1+C)\det V_\tau$ with $\tau=t_\ell-1$. At the
    end of the episode the determinant exceeds that bound. With $\tau$ in place of $t_\ell$, (C.25) holds.
    """
    return largest_growth_from_the_first_round(vectors, T, ridge, growth), "<=", 1 + growth


@claim(
    "ALG-PC.4.2/episode-determinants-before",
    on_sequences("determinants", "line 6", growth=[Fraction(1, 2), Fraction(1), Fraction(3, 2)]),
    repairs="ALG-PC.4.2/episode-determinants",
)
def determinants_within_an_episode(vectors: Vectors, T: Count, ridge: Positive, growth: Positive):
    r"""$\det V_{t_{\ell+1}-2}\le(1+C)\det V_{t_\ell-1}$ for every episode within $T$ rounds."""
    return largest_growth_before_the_end(vectors, T, ridge, growth), "<=", 1 + growth


@claim(
    "ALG-PC.4.2/episode-length",
    fails_at(vectors=["same", 1], T=3, ridge=Fraction(1, 10), growth=Fraction(1, 2), rational=True),
    role="reading",
)
def length_of_an_episode(vectors: Vectors, T: Count, ridge: Positive, growth: Positive, factor=1):
    r"""$t_{\ell+1}\le(1+C)(1+\lambda)t_\ell$ for every regulariser (the proof uses $\lambda\ge1$, the algorithm takes
    any and the experiments take $0.1$).

    The left side is the largest quotient of the starts of two successive episodes within T rounds.
    """
    return largest_quotient_of_starts(vectors, T, ridge, growth), "<=", factor * (1 + growth) * (1 + ridge)


def line_6_in_rounds(before: AtLeastOne, growth: Positive, extra: Nonnegative, factor=1, least=1):
    """The last round that line 6 allows for lambda = least + extra: t - 2 + lambda <= (1 + C)(t_l - 1 + lambda)."""
    lam = least + extra
    return (1 + growth) * (before - 1 + lam) + 2 - lam, "<=", factor * (1 + growth) * (1 + lam) * before


@claim(
    "ALG-PC.4.2/episode-length-above-one",
    on_sequences(
        "rounds of the updates",
        "bound",
        ridge=[Fraction(1), Fraction(19)],
        growth=[Fraction(1), Fraction(19)],
        T=[24, 400],
        also=[["same", 1]],
    ),
    argued(
        "det V_{t-1} / det V_tau is at least (lambda + t - 1) / (lambda + tau), since lambda_max(V) <= lambda + t",
        line_6_in_rounds,
    ),
    false=[{"factor": "0.9"}],
)
def length_with_ridge_above_one(vectors: Vectors, T: Count, ridge: AtLeastOne, growth: Positive, factor=1, least=1):
    r"""$t_{\ell+1}\le(1+C)(1+\lambda)t_\ell$ for $\lambda\ge1$."""
    return length_of_an_episode(vectors, T, ridge, growth, factor)


@quantity
def earliest_update(vectors: Sequence[Any], T: int, ridge: Any, growth: Any) -> int:
    """The least tau_t of T rounds."""
    return min(last_updates(unit_vectors(vectors, T), Fraction(ridge), Fraction(growth)))


@claim(
    "ALG-PC.4.2/last-update",
    fails_at(vectors=["same", 1], T=1, ridge=Fraction(1), growth=Fraction(1), rational=True),
    role="reading",
)
def last_update_is_positive(vectors: Vectors, T: Count, ridge: Positive, growth: Positive):
    r"""'$\tau_t$ is the last step where $\tilde\theta$ was updated': with the $\tau$ of Algorithm 9, $\frac1{\tau_t}$
    is defined, $\tau_t\ge1$.

    In the first episode tau = 0, so the width that is used there contains gamma_0 / sqrt(0).
    """
    return earliest_update(vectors, T, ridge, growth), ">=", 1


# LinPriv


@claim("ALG-A-LINPRIV", recorded({"linpriv": [["pure", 2]]}, quick=2), false=BUGS)
def linpriv_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""LinPriv with a tree per arm is $\varepsilon$-global DP for rewards in $[-1,1]$: a reward enters at most
    $\lfloor\log_2T\rfloor+1$ releases, which together cost $\varepsilon$."""
    return contextual_violations(algorithm, budget, T, rewards, bug)


@claim(
    "ALG-SC.4.3/squared-before-the-round",
    fails_at(vectors=["same", 1], T=1, ridge=Fraction(1, 10), rational=True),
    role="reading",
)
def squared_sum_without_truncation(vectors: Vectors, T: Count, ridge: Positive, factor=2):
    r"""'Known as the elliptical potential lemma (Eq. (C.24))', where the design is that before the round: $\sum_{t\le
    n}\|x_t\|^2_{V_{t-1}^{-1}}\le2d\log(1+\frac n{\lambda d})$ for every regulariser.

    (C.24) truncates each term at 1. Without this the first term alone is 1/lambda.
    """
    return sum_of_bonuses(vectors, T, ridge, lambda x: x), "<=", factor * log_of_the_trace(vectors, T, ridge)


@repaired(
    "ALG-SC.4.3/squared-with-ridge",
    "ALG-SC.4.3/squared-before-the-round",
    on_sequences("sum of bonuses", "the bound, in balls", ridge=[Fraction(1), Fraction(5)], T=[1, 3, 24, 60]),
    false=[{"factor": "1.44"}],
)
def squared_sum_with_ridge(ridge: AtLeastOne):
    r"""The same for $\lambda\ge1$ and vectors of norm at most 1."""
