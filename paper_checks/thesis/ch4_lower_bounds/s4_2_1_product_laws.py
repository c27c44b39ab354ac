r"""Section 4.2.1, page 83: private mechanisms on data from two product laws, Theorem 4.8 and its readings.

The product of maximal couplings is compared with the exact optimum of both transport problems, and the resulting bounds
with exact output laws. The quoted lemma for single events is compared with the event on which it is tightest.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import distance, proved_minimum
from banditproof.theory import optimal_transport, sharp_zcdp_of_pure
from banditproof.theory.numbers.exact_numbers import check_count, exact
from banditproof.theory.numbers.special import binomial_tail
from banditproof.theory.privacy.couplings import Law, product_cost
from banditproof.verify import random_law
from banditproof.verify.finite.coupled_play import product_law

ProductPair = Annotated[Any, "all: every pair of product laws"]
Pair = Sequence[Any]  # (seed, number of coordinates, size of the alphabet)


def product_pair(pair: Pair) -> tuple[Sequence[Law], Sequence[Law]]:
    """Two lists of coordinate laws."""
    seed, n, size = pair
    left, right = ([dict(enumerate(random_law(seed, (side, i), size, 0, 6))) for i in range(n)] for side in "pq")
    return left, right


PRODUCTS = [[seed, n, k] for n, k in ((1, 3), (2, 2), (2, 3), (3, 2)) for seed in range(4)]


def on_products(*routes: str) -> enumerated:
    """The step that evaluates a relation on pairs of product laws."""
    covers = {"pair": f"all: {len(PRODUCTS)} pairs of rational product laws"}
    return enumerated(pair=PRODUCTS, covers=covers, rational=True, routes=(routes[0], routes[1]))


@cache
def full_program(pair: tuple[Any, ...], power: int) -> Fraction:
    """The optimum over all couplings of the two product laws, with one variable per pair of data sets."""
    left, right = map(product_law, product_pair(pair))
    cost = [[distance(d, e) ** power for e in right] for d in left]
    return proved_minimum(optimal_transport(list(left.values()), list(right.values()), cost))


@quantity
def least_distance(pair: Sequence[Any]) -> Fraction:
    """inf E[d_Ham] over all couplings of a pair of product laws, by a linear program with potentials."""
    return full_program(tuple(pair), 1)


@quantity
def sum_of_variations(pair: Sequence[Any]) -> Fraction:
    """The sum of t_i."""
    return Fraction(product_cost(*product_pair(pair), "hamming"))


@claim("TH-T4.8/linear-cost-is-solved", on_products("transport problem with potentials", "closed form"), role="remark")
def linear_cost_is_solved(pair: ProductPair):
    r"""$\inf_{\mathcal C}\mathbb E[d_{\rm Ham}]=\sum_it_i$ for product laws: as a proxy for (4.3) $\mathcal C_\infty$
    loses nothing.

    In any coupling, coordinate i differs with probability at least t_i.
    """
    return least_distance(pair), "==", sum_of_variations(pair)


@quantity
def least_squared_cost(p: Any, q: Any, n: int) -> Fraction:
    """inf E[d_Ham^2] over couplings of two laws of n <= 6 equal coins, by a linear program over all data sets."""
    means = exact("p", p, lambda m: 0 <= m <= 1, "in [0, 1]"), exact("q", q, lambda m: 0 <= m <= 1, "in [0, 1]")
    sets = list(product((0, 1), repeat=check_count("n", n, 1, 6)))
    left, right = ([prod((m if b else 1 - m for b in bits), start=Fraction(1)) for bits in sets] for m in means)
    return proved_minimum(optimal_transport(left, right, [[distance(d, e) ** 2 for e in sets] for d in sets]))


@claim("TH-T4.8/squared-cost-is-solved", tried_at(p="1/2", q="1/4", n=2, rational=True), role="reading")
def squared_cost_is_solved(p: Probability, q: Probability, n: Count):
    r"""$\mathcal C_\infty$ solves the transport problem (4.4) for $n$ equal Bernoulli coordinates of means $p$ and $q$.

    The coupling is used 'as a proxy to solve the transport problems of Equation (4.3) and Equation (4.4)'. E[d^2] of
    independent maximal couplings is compared with the optimum of (4.4), both exact. With independent coordinates the
    distance is a binomial variable; with nested datasets it is nearly constant.
    """
    t = absolute(p - q)
    return (n * t) ** 2 + n * t * (1 - t), "<=", least_squared_cost(p, q, n)


MEANS = ["0", "1/4", "1/2", "9/10", "1"]


@claim(
    "TH-T4.8/squared-cost-by-nested-coins",
    enumerated(
        lambda check: {"p": MEANS, "q": MEANS, "n": range(1, check.pick(5, 7))},
        rational=True,
        routes=("linear program over data sets", "tails of two sums"),
    ),
    false={"factor": "1.01"},
    repairs="TH-T4.8/squared-cost-is-solved",
)
def squared_cost_by_nested_coins(p: Probability, q: Probability, n: Count, factor=1):
    r"""For $n$ equal Bernoulli coordinates (4.4) equals $\min\mathbb E[(S-S')^2]$ over couplings of $\mathrm{Bin}(n,p)$
    and $\mathrm{Bin}(n,q)$, attained by nested sets of ones.

    Nested sums have E[S S'] = sum over j and k of min(P(S >= j), P(S' >= k)).
    """
    both = lambda j, k: minimum(binomial_tail(n, p, j), binomial_tail(n, q, k))  # noqa: E731
    product_of_sums = total(lambda j: total(lambda k: both(j, k), 1, n), 1, n)
    squares = sum(n * m * (1 - m) + (n * m) ** 2 for m in (p, q))
    return squares - 2 * product_of_sums, "==", factor * least_squared_cost(p, q, n)


def mixture_of_responses(ratio: Any, t: Any, spread: Any) -> Sides:
    """One record: P_1 = Bernoulli(t), P_2 = 0, randomised response; KL against rho (t^2 + spread t (1 - t)).

    rho is epsilon tanh(epsilon/2), the smallest for which randomised response is rho-zCDP (TH-P2.6/sharp).
    """
    high = ratio / (1 + ratio)
    mixed = t * high + (1 - t) * (1 - high)
    return kl_bernoulli(mixed, 1 - high), "<=", sharp_zcdp_of_pure(log(ratio)) * (t * t + spread * t * (1 - t))


@claim("TH-S4.2a/zcdp", tried_at(ratio=99, t="1/2", rational=True), role="reading")
def as_neighbours_zcdp(ratio: AboveOne, t: Probability):
    r"""Under $\rho$-zCDP the same data sets bound the divergence as $k$-neighbours do, by $\rho k^2$ with $k=\sum_it_i$
    (randomised response with odds ratio on one record of mean $t$ or $0$, $\rho$ its divergence).

    They 'could be thought of as (sum_i t_i)-neighboring datasets'. The distance is random, and the bound under zCDP
    contains its second moment, not the square of its mean.
    """
    return mixture_of_responses(ratio, t, 0)


@claim("TH-S4.2a/zcdp-with-spread", deduced(), repairs="TH-S4.2a/zcdp")
def as_neighbours_with_spread(ratio: AboveOne, t: Inside):
    r"""With the variance of the number of differing records, $\rho k^2+\rho\sum_it_i(1-t_i)$, the bound holds (for the
    same mechanisms)."""
    return mixture_of_responses(ratio, t, 1)


item(
    "TH-S4.2b",
    r"For i.i.d. laws and $\varepsilon$-DP, $M_1(E)\le e^{6\varepsilon n\mathrm{TV}}M_2(E)$ for every event, hence"
    r" $D_{\rm KL}(M_1\|M_2)\le6\varepsilon n\mathrm{TV}$; Theorem 4.8 removes the factor 6.",
    domain=Domain.of(epsilon="(0, 1]"),
    covered=r"Both inequalities are parts, Theorem 4.8 is an item. No range is printed: $\varepsilon$ is read as"
    r" in Theorem 2.14, as one of the small values that Chapter 2 thinks of; beyond, the first inequality is false.",
)


@claim("TH-S4.2b/edge-above-one", tried_at(epsilon=4, t="1/100", n=1, rational=True))
def every_event(epsilon: Positive, t: Probability, n: Count, factor=6):
    r"""For every $\varepsilon>0$: $M_1(E)\le e^{6\,\varepsilon n\mathrm{TV}(p_1\|p_2)}M_2(E)$ for every event $E$,
    $\varepsilon$-DP mechanism and data sets of $n$ i.i.d. records from $p_1$ or $p_2$.

    One record changes the probability of an event by a factor of up to 1 + t (e^epsilon - 1), t = TV, which exceeds
    e^(6 epsilon t) for large epsilon and small t. The lemma holds for epsilon <= 2.9; Chapter 2 has the range [0, 1] in
    mind.

    The check compares logarithms per record, for p = Bernoulli(t), q = 0, and the event that all answers of randomised
    response are 1. Each record answers 1 with probability e^epsilon/(1 + e^epsilon) or 1/(1 + e^epsilon), whatever the
    other records are.
    """
    e = exp(to_ball(epsilon))
    answers = (to_ball(t) * e / (1 + e) + (1 - to_ball(t)) / (1 + e)) ** n
    return log(answers / (1 / (1 + e)) ** n), "<=", to_ball(factor) * to_ball(epsilon) * n * to_ball(t)
