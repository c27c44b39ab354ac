"""Theorem 4.8 of the thesis and its readings: private mechanisms on data from two product laws.

The product of maximal couplings is compared with the exact optimum of both transport problems, and the resulting bounds
with exact output laws. The quoted lemma for single events is compared with the event on which it is tightest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_couplings import (
    EVERY_MECHANISM,
    Sides,
    budget,
    distance,
    mechanism_numbered,
    mechanisms,
    proved_minimum,
)  # fmt: skip
from banditproof.theory.comonotone import least_square_distance
from banditproof.theory.couplings import (
    Law,
    maximal_coupling,
    optimal_coupling,
    product_cost,
    variation,
)  # fmt: skip
from banditproof.theory.numeric import exp, expm1, log, to_ball
from banditproof.theory.transport import optimal_transport
from banditproof.verify.channels import channel_ratio, randomised_response, zcdp_rho
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law
from banditproof.verify.kl_decompositions import output_law, product_law, relative_entropy
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------- the product of maximal couplings

Pair = Sequence[Any]  # (seed, number of coordinates, size of the alphabet)
PRODUCTS: list[list[Any]] = [[seed, n, k] for n, k in ((1, 3), (2, 2), (2, 3), (3, 2)) for seed in range(4)]
EVERY_PRODUCT = Domain.of(pair="all: every pair of product laws")


def product_pair(pair: Pair) -> tuple[Sequence[Law], Sequence[Law]]:
    """Two lists of coordinate laws."""
    seed, n, size = pair
    left, right = ([dict(enumerate(random_law(seed, (side, i), size, 0, 6))) for i in range(n)] for side in "pq")
    return left, right


def coupled_distance_law(laws: Sequence[Law], others: Sequence[Law]) -> dict[int, Fraction]:
    """The law of the Hamming distance under the product of maximal couplings, cell by cell."""
    law: dict[int, Fraction] = defaultdict(Fraction)
    for cells in product(*(maximal_coupling(p, q).items() for p, q in zip(laws, others, strict=True))):
        law[sum(x != y for (x, y), _ in cells)] += prod((mass for _, mass in cells), start=Fraction(1))
    return dict(law)


def distance_law(pair: Pair, factor: Any) -> Sides:
    """Law, mean and second moment of the distance, against independent Bernoulli(t_i)."""
    laws, others = product_pair(pair)
    chances = [variation(p, q) for p, q in zip(laws, others, strict=True)]
    sums: dict[int, Fraction] = defaultdict(Fraction)
    for bits in product((0, 1), repeat=len(chances)):
        sums[sum(bits)] += prod((t if b else 1 - t for t, b in zip(chances, bits, strict=True)), start=Fraction(1))
    found = coupled_distance_law(laws, others)
    square = sum(d * d * mass for d, mass in found.items())
    return ([found.get(d, 0) for d in sums], square), "==", (
        list(sums.values()), factor * (sum(chances) ** 2 + sum(t * (1 - t) for t in chances)))  # fmt: skip


@claim(
    "TH-T4.8/distance-law",
    r"Proof: under $\mathcal C_\infty$, $d_{\rm Ham}(D,D')\sim\sum_i\mathrm{Bernoulli}(t_i)$ with independent terms, so"
    r" $\mathbb E[d_{\rm Ham}^2]=<factor>\,[(\sum_it_i)^2+\sum_it_i(1-t_i)]$.",
    domain=EVERY_PRODUCT, role="step", constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def distance_under_the_coupling(check: Check) -> None:
    over, region = [{"pair": pair} for pair in PRODUCTS], listed(check, PRODUCTS)
    check.enumerate(
        distance_law, over, covers=region, rational=True, routes=("cells of the coupling", "Bernoulli sums")
    )


def listed(check: Check, pairs: Sequence[Any]) -> Domain:
    return check.domain.restrict(pair=f"all: {len(pairs)} pairs of rational product laws")


def second_moment(t_1: Any, t_2: Any, t_3: Any, factor: Any) -> Sides:
    """E[(X_1 + X_2 + X_3)^2] over the eight outcomes."""
    chances = (t_1, t_2, t_3)
    total = 0
    for bits in product((0, 1), repeat=3):
        weight = 1
        for t, b in zip(chances, bits, strict=True):
            weight = weight * (t if b else 1 - t)
        total = total + sum(bits) ** 2 * weight
    return total, "==", factor * ((t_1 + t_2 + t_3) ** 2 + sum(t * (1 - t) for t in chances))


def second_moment_argument(factor: Any) -> SymbolicArgument:
    import sympy

    names = {f"t_{i}": sympy.Symbol(f"t_{i}", nonnegative=True) for i in (1, 2, 3)}
    return SymbolicArgument({n: t / (1 + t) for n, t in names.items()}, sympy.Integer(0), "zero")


@claim(
    "TH-T4.8/second-moment",
    r"For three records the second moment is $<factor>\,[(\sum_it_i)^2+\sum_it_i(1-t_i)]$.",
    domain=Domain.of(t_1="[0, 1)", t_2="[0, 1)", t_3="[0, 1)"), role="step", constants={"factor": 1},
    mutations=[mutation("1 % more", gradual=False, factor="1.01")], strongest="symbolic",
)  # fmt: skip
def second_moment_of_the_sum(check: Check) -> None:
    check.symbolic(second_moment, second_moment_argument, points=10)


def product_data(mechanism: int) -> tuple[Sequence[Law], Sequence[Law]]:
    """Two product laws on two bits; for randomised response they are deterministic and differ in the last bit."""
    if mechanism >= 10_000:
        ones = {1: Fraction(1), 0: Fraction(0)}
        return [ones, ones], [ones, {0: Fraction(1), 1: Fraction(0)}]
    return product_pair((mechanism, 2, 2))


def _decomposed(mechanism: int, notion: str, cost: str, factor: Any) -> Sides:
    laws, others = product_data(mechanism)
    channel = mechanism_numbered(mechanism)
    bound = to_ball(factor) * to_ball(budget(mechanism, notion)) * to_ball(product_cost(laws, others, cost))
    outputs = (output_law(channel, product_law(side)) for side in (laws, others))
    return relative_entropy(*outputs), "<=", bound


def decomposed_pure(mechanism: int, factor: Any) -> Sides:
    return _decomposed(mechanism, "pure", "hamming", factor)


def decomposed_zcdp(mechanism: int, factor: Any) -> Sides:
    return _decomposed(mechanism, "zcdp", "hamming-squared", factor)


parts_decide(
    "TH-T4.8",
    r"For product laws, $D_{\rm KL}(M_1\|M_2)\le\varepsilon\sum_it_i$ under $\varepsilon$-DP and"
    r" $\le\rho(\sum_it_i)^2+\rho\sum_it_i(1-t_i)$ under $\rho$-zCDP.",
    domain=EVERY_MECHANISM,
)


@claim(
    "TH-T4.8/pure",
    r"$\varepsilon$-DP: $D_{\rm KL}(M_1\|M_2)\le<factor>\,\varepsilon\sum_it_i$.",
    domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("10 % less", factor="0.9")],
    strongest="enumeration",
)  # fmt: skip
def decomposition_pure(check: Check) -> None:
    over, region = mechanisms(check)
    check.enumerate(decomposed_pure, over, covers=region, rational=True, routes=("exact output laws", "formula"))


@claim(
    "TH-T4.8/zcdp",
    r"$\rho$-zCDP: $D_{\rm KL}(M_1\|M_2)\le<factor>\,\rho[(\sum_it_i)^2+\sum_it_i(1-t_i)]$.",
    domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def decomposition_zcdp(check: Check) -> None:
    over, region = mechanisms(check)
    check.enumerate(decomposed_zcdp, over, covers=region, rational=True, routes=("exact output laws", "formula"))


# ----------------------------------------------------------------------------------------- how far from the optimum


@cache
def full_program(pair: tuple[Any, ...], power: int) -> Fraction:
    """The optimum over all couplings of the two product laws, with one variable per pair of data sets."""
    left, right = map(product_law, product_pair(pair))
    solved = optimal_transport(
        list(left.values()), list(right.values()), [[distance(d, e) ** power for e in right] for d in left]
    )
    return proved_minimum(solved)


def linear_optimum(pair: Pair, factor: Any) -> Sides:
    laws, others = product_pair(pair)
    return full_program(tuple(pair), 1), "==", factor * product_cost(laws, others, "hamming")


@claim(
    "TH-T4.8/linear-cost-is-solved",
    r"$\inf_{\mathcal C}\mathbb E[d_{\rm Ham}]=<factor>\sum_it_i$ for product laws: as a proxy for (4.3)"
    r" $\mathcal C_\infty$ loses nothing.",
    domain=EVERY_PRODUCT, role="remark", constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="certificate",
)  # fmt: skip
def linear_cost_is_solved(check: Check) -> None:
    """Each coordinate of any coupling differs with probability at least t_i."""
    over = [{"pair": pair} for pair in PRODUCTS]
    check.enumerate(linear_optimum, over, covers=listed(check, PRODUCTS), rational=True,
                    routes=("transport problem with potentials", "closed form"))  # fmt: skip


COINS = Domain.of(p="[0, 1]", q="[0, 1]", n="integer [1, inf)")


def product_cost_of_coins(p: Any, q: Any, n: int) -> Sides:
    """E[d^2] of independent maximal couplings against the optimum of (4.4), both exact."""
    best = optimal_coupling([p] * n, [q] * n, "hamming-squared")
    if not best.recheck():
        raise ArithmeticError("the certificate of the optimal coupling does not hold")
    return best.product, "<=", best.exact


@claim(
    "TH-T4.8/squared-cost-is-solved",
    r"$\mathcal C_\infty$ solves the transport problem (4.4) for $n$ equal Bernoulli coordinates of means $p$ and $q$.",
    domain=COINS, role="reading", strongest="certificate",
)  # fmt: skip
def squared_cost_is_solved(check: Check) -> None:
    """Independent coordinates make the distance a binomial variable; nested data sets make it nearly constant."""
    check.search(product_cost_of_coins, [{"p": Fraction(1, 2), "q": Fraction(1, 4), "n": 2}], rational=True)


def nested_coins(p: Any, q: Any, n: int, factor: Any) -> Sides:
    """The optimum over all couplings of 2^n data sets, against the closest coupling of two binomial numbers."""
    sets = list(product((0, 1), repeat=n))
    left, right = ([prod((m if b else 1 - m for b in bits), start=Fraction(1)) for bits in sets] for m in (p, q))
    full = proved_minimum(optimal_transport(left, right, [[distance(d, e) ** 2 for e in sets] for d in sets]))
    sums = least_square_distance([(p, n)], [(q, n)])
    return sums.contains(factor * full), "==", True


@claim(
    "TH-T4.8/squared-cost-by-nested-coins",
    r"For $n$ equal Bernoulli coordinates (4.4) equals $<factor>\min\mathbb E[(S-S')^2]$ over couplings of"
    r" $\mathrm{Bin}(n,p)$ and $\mathrm{Bin}(n,q)$, attained by nested sets of ones.",
    domain=COINS, role="repair", repairs="TH-T4.8/squared-cost-is-solved", constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="certificate",
)  # fmt: skip
def squared_cost_by_nested_coins(check: Check) -> None:
    means = [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10), Fraction(1)]
    grid = {"p": means, "q": means, "n": range(1, check.pick(5, 7))}
    check.enumerate(nested_coins, grid, rational=True, routes=("linear program over data sets", "tails of two sums"))


# ------------------------------------------------------------------------------------------- as neighbours at sum of t


@claim(
    "TH-S4.2a",
    r"Under $\varepsilon$-DP, data sets from two product laws bound $D_{\rm KL}(M_1\|M_2)$ as"
    r" $k$-neighbours do ($\varepsilon k$), with $k=<factor>\sum_it_i$.",
    domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("10 % fewer", factor="0.9")],
    strongest="enumeration",
)  # fmt: skip
def as_neighbours(check: Check) -> None:
    over, region = mechanisms(check)
    check.enumerate(decomposed_pure, over, covers=region, rational=True, routes=("exact output laws", "group privacy"))


def mixture_of_responses(ratio: Any, t: Any, spread: Any) -> Sides:
    """One record: P_1 = Bernoulli(t), P_2 = 0, randomised response; KL against rho (t^2 + spread t (1 - t)).

    rho is the upper end of an enclosure from Rényi divergences, so randomised response certainly satisfies rho-zCDP.
    """
    high = ratio / (1 + ratio)
    mixed = t * high + (1 - t) * (1 - high)
    kl = relative_entropy({0: mixed, 1: 1 - mixed}, {0: 1 - high, 1: high})
    return kl, "<=", to_ball(response_rho(Fraction(ratio)) * (t * t + spread * t * (1 - t)))


@cache
def response_rho(ratio: Fraction) -> Any:
    laws = randomised_response(ratio).laws
    return zcdp_rho(laws[0,], laws[1,]).upper


RESPONSES = Domain.of(ratio="(1, inf)", t="[0, 1]")


@claim(
    "TH-S4.2a/zcdp",
    r"Under $\rho$-zCDP the same data sets bound the divergence as $k$-neighbours do, by $\rho k^2$ with"
    r" $k=\sum_it_i$ (randomised response with odds ratio on one record of mean $t$ or $0$, $\rho$ its divergence).",
    domain=RESPONSES, role="reading", constants={"spread": 0}, strongest="enumeration",
)  # fmt: skip
def as_neighbours_zcdp(check: Check) -> None:
    """The distance is random: its second moment, not the square of its mean, is what zCDP pays for."""
    check.search(mixture_of_responses, [{"ratio": Fraction(99), "t": Fraction(1, 2)}], rational=True)


@claim(
    "TH-S4.2a/zcdp-with-spread",
    r"With the variance of the number of differing records, $\rho k^2+<spread>\,\rho\sum_it_i(1-t_i)$, the bound holds"
    r" (for the same mechanisms).",
    domain=RESPONSES.restrict(t="(0, 1)"), role="repair", repairs="TH-S4.2a/zcdp", constants={"spread": 1},
    mutations=[mutation("half the variance", spread="1/2")], strongest="interval",
)  # fmt: skip
def as_neighbours_with_spread(check: Check) -> None:
    ratios = [Fraction(r) for r in ("11/10", "3", "99", "10000", "1000000")]
    check.enumerate(mixture_of_responses, {"ratio": ratios, "t": [Fraction(n, 20) for n in range(1, 20)]},
                    rational=True, routes=("exact mixture", "formula"))  # fmt: skip


# ----------------------------------------------------------------------------------------- the lemma for single events

parts_decide(
    "TH-S4.2b",
    r"For i.i.d. laws and $\varepsilon$-DP, $M_1(E)\le e^{6\varepsilon n\mathrm{TV}}M_2(E)$ for every event, hence"
    r" $D_{\rm KL}(M_1\|M_2)\le6\varepsilon n\mathrm{TV}$; Theorem 4.8 removes the factor 6.",
    domain=EVERY_MECHANISM,
)

ONE_EVENT = Domain.of(epsilon="(0, inf)", t="[0, 1]", n="integer [1, inf)")


def worst_event(epsilon: Any, t: Any, n: int, factor: Any) -> Sides:
    """Logarithms per record: p = Bernoulli(t), q = 0, and the event that all answers of randomised response are 1.

    Each record answers 1 with probability e^epsilon/(1 + e^epsilon) or 1/(1 + e^epsilon), whatever the others hold.
    """
    e = exp(to_ball(epsilon))
    answers = (to_ball(t) * e / (1 + e) + (1 - to_ball(t)) / (1 + e)) ** n
    return log(answers / (1 / (1 + e)) ** n), "<=", to_ball(factor) * to_ball(epsilon) * n * to_ball(t)


@claim(
    "TH-S4.2b/every-event",
    r"$M_1(E)\le e^{<factor>\,\varepsilon n\mathrm{TV}}M_2(E)$ (quoted without a range of $\varepsilon$; the text of "
    r"Chapter 2 thinks of $\varepsilon$ and $\rho$ as small values in $[0,1]$, TH-S2.1d).",
    domain=ONE_EVENT, role="part", constants={"factor": 6}, strongest="interval",
)  # fmt: skip
def every_event(check: Check) -> None:
    """One record changes the event by up to 1 + t (e^epsilon - 1), which outgrows e^{6 epsilon t} for small t."""
    check.search(worst_event, [{"epsilon": Fraction(4), "t": Fraction(1, 100), "n": 1}], rational=True)


def single_event(mechanism: int, factor: Any) -> Sides:
    """The largest M_1(E)/M_2(E), attained by a single output, against (1 + t (e^epsilon - 1))^n: rationals."""
    channel = mechanism_numbered(mechanism)
    p, q = (side[1] for side in product_data(mechanism))
    m_1, m_2 = (output_law(channel, product_law([law, law])) for law in (p, q))
    growth = 1 + factor * variation(p, q) * (Fraction(channel_ratio(channel).value) - 1)
    return max(m_1[o] / m_2[o] for o in m_1), "<=", growth**2


@claim(
    "TH-S4.2b/every-event-any-budget",
    r"$M_1(E)\le(1+<factor>\,t(e^\varepsilon-1))^nM_2(E)$ for every $\varepsilon$, $t=\mathrm{TV}(p_1\|p_2)$.",
    domain=EVERY_MECHANISM, role="repair", repairs="TH-S4.2b/every-event", constants={"factor": 1},
    mutations=[mutation("variation at 80 %", factor="0.8")], strongest="enumeration",
)  # fmt: skip
def every_event_any_budget(check: Check) -> None:
    """As a function of one record the probability of an event lies in [m, e^epsilon m], so exchanging that record's law
    moves it by at most t (e^epsilon - 1) m."""
    over, region = mechanisms(check)  # the last two, one randomised response, give way to two of them
    over[-2:] = [{"mechanism": 30_003}, {"mechanism": 30_099}]
    check.enumerate(single_event_or_pair, over, covers=region, rational=True,
                    routes=("exact output laws", "growth per record"))  # fmt: skip


def single_event_or_pair(mechanism: int, factor: Any) -> Sides:
    """As `single_event`; 30,000 + odds is two randomised responses, p_1 = Bernoulli(1/10), p_2 = 0."""
    if mechanism < 30_000:
        return single_event(mechanism, factor)
    ratio, t = Fraction(mechanism - 30_000), Fraction(1, 10)
    likelier = t * ratio / (1 + ratio) + (1 - t) / (1 + ratio)
    return (likelier * (1 + ratio)) ** 2, "<=", (1 + factor * t * (ratio - 1)) ** 2


def growth_rate(epsilon: Any, factor: Any) -> Sides:
    """(e^epsilon - 1)/epsilon, the mean of e^x on [0, epsilon]: times t epsilon it bounds the log of a record."""
    if epsilon > 0:
        return (expm1(epsilon) / epsilon).min(exp(epsilon)), "<=", to_ball(factor)
    return to_ball(1).union(exp(epsilon.upper())), "<=", to_ball(factor)


@claim(
    "TH-S4.2b/every-event-small-budget",
    r"$t(e^\varepsilon-1)\le<factor>\,\varepsilon t$ for $0<\varepsilon\le2.9$: there the quoted lemma follows, and "
    r"this includes the small values $(0,1]$ of TH-S2.1d.",
    domain=Domain.of(epsilon="(0, 29/10]"), role="repair", repairs="TH-S4.2b/every-event", constants={"factor": 6},
    mutations=[mutation("factor 5.9", factor="5.9")], strongest="interval",
)  # fmt: skip
def every_event_small_budget(check: Check) -> None:
    check.interval(growth_rate, routes=("mean of the exponential", "constant"))


@claim(
    "TH-S4.2b/divergence",
    r"$D_{\rm KL}(M_1\|M_2)\le6\varepsilon n\mathrm{TV}(p_1\|p_2)$, and already with $<factor>$ in place of 6.",
    domain=EVERY_MECHANISM, role="part", constants={"factor": 1}, mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)  # fmt: skip
def divergence_of_equal_records(check: Check) -> None:
    over, region = mechanisms(check)
    check.enumerate(decomposed_equal, over, covers=region, rational=True, routes=("exact output laws", "formula"))


def decomposed_equal(mechanism: int, factor: Any) -> Sides:
    """Two records of one law; randomised response hears the second of them."""
    channel = mechanism_numbered(mechanism)
    p, q = (side[1] for side in product_data(mechanism))
    records = 1 if mechanism >= 10_000 else 2  # the first record is not heard
    bound = to_ball(factor) * budget(mechanism, "pure") * to_ball(records * variation(p, q))
    return relative_entropy(*(output_law(channel, product_law([law, law])) for law in (p, q))), "<=", bound
