"""Bounds on how far a private mechanism can tell two product laws apart, and what better couplings gain.

With M_1, M_2 the laws of the output when the data set comes from one product law or the other, each bound is an upper
bound of the Kullback-Leibler divergence KL(M_1 || M_2). The printed bounds stand beside those of the optimal coupling
and of a sharper form of group privacy.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws.comonotone import mean_and_variance, quantile_cost, sum_cost
from banditproof.theory.numbers.certified import of_numbers
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import check_count, exact
from banditproof.theory.numbers.logarithms import kl_term
from banditproof.theory.numbers.number_types import Exact, Number
from banditproof.theory.numbers.numeric import exp, product, to_ball, working_precision
from banditproof.theory.numbers.ranges import Domains, inside, number_as_ball
from banditproof.theory.privacy.couplings import (
    Blocks,
    FiniteLaw,
    blocks_of,
    exact_laws,
    optimal_coupling,
    sums_can_be_nested,
    variation,
)
from banditproof.theory.tables import NamedBounds, OneBound

_BITS = 192
_FARTHEST = 10**15
_DOMAINS: Domains = {"epsilon": (0, math.inf, "nonnegative")}
POSITIVE = (lambda budget: budget > 0, "a positive finite number, or a string such as '0.1'")


@dataclass(frozen=True, repr=False)
class CouplingBound(OneBound):
    """An upper bound of KL(M_1 || M_2); where it does not apply (`applies` False, see `why`) it guarantees nothing."""


@dataclass(frozen=True, repr=False)
class CouplingBounds(NamedBounds[CouplingBound]):
    """All bounds for one pair of product laws and one budget, by name."""

    bounds: dict[str, CouplingBound]

    @property
    def best(self) -> CouplingBound:
        """The applicable bound with the smallest guaranteed value."""
        return min((bound for bound in self.bounds.values() if bound.applies), key=lambda bound: bound.value.upper)


@named
@of_numbers
def group_variation(epsilon: Number, distance: int) -> Any:
    """The largest total variation of the outputs of an epsilon-private mechanism on data sets at a Hamming distance.

    1 - e^{-d epsilon/2} for even d, 1 - 2 e^{-(d-1) epsilon/2}/(1 + e^epsilon) for odd d: along a chain of neighbours
    the probability p of an event grows at most to min(e^epsilon p, 1 - e^{-epsilon} (1 - p)) in each step.
    """
    (epsilon,) = inside(_DOMAINS, epsilon=epsilon)
    check_count("distance", distance, 0, _FARTHEST)
    if distance % 2:
        lie = exp(-epsilon)
        return 1 - 2 * exp(-product(epsilon, distance - 1) / 2) * lie / (1 + lie)
    return 1 - exp(-product(epsilon, distance) / 2)


@named
@of_numbers
def group_kl_bound(epsilon: Number, distance: int) -> Any:
    """epsilon d TV_d >= KL(M_D || M_D') at Hamming distance d, with TV_d = `group_variation(epsilon, d)`; enclosed.

    Where log-likelihood ratios are at most L, chords of u log u on [e^{-L}, 1] and [1, e^L] give KL <= L TV. At d = 1
    this is epsilon tanh(epsilon/2), at d = 2 it is 2 epsilon (1 - e^{-epsilon}); both are attained. It is at most the
    printed epsilon d, and at most epsilon d tanh(epsilon d/2), which pairs of laws attain that ignore the chain.

    Raises InvalidInput for epsilon < 0 or a distance that is not an integer >= 0.

    Source: TH-C4.5
    """
    check_count("distance", distance, 0, _FARTHEST)
    ball = number_as_ball("epsilon", epsilon, "a finite number >= 0")
    if ball < 0 or not ball.is_finite():
        raise InvalidInput("epsilon", epsilon, "a finite number >= 0")
    return ball * distance * group_variation(ball, distance)


@named
def coupling_kl_bounds(
    laws: Iterable[FiniteLaw], other_laws: Iterable[FiniteLaw], epsilon: Exact | None = None, rho: Exact | None = None
) -> CouplingBounds:
    """Bounds on KL(M_1 || M_2) for mechanisms that are epsilon-DP, or rho-zCDP, on data from two product laws.

    Laws as for `optimal_coupling`; give exactly one of `epsilon`, `rho`, positive and finite. The names:

    - "data-processing": the sum of the coordinates' divergences, for any mechanism;
    - "theorem-4.8": the printed bound of the product of maximal couplings;
    - "karwa-vadhan": 6 epsilon n TV, for equal coordinates (epsilon only);
    - "group-privacy": the better of E[epsilon d TV_d] under the product of maximal couplings and, where it is
      available, under the nested coupling (epsilon only; see `group_kl_bound`);
    - "transport": rho times the optimum of the transport problem (rho only).

    Raises InvalidInput.

    Source: TH-T4.6, TH-T4.8, TH-C4.5

    >>> bounds = coupling_kl_bounds(["1/2"] * 100, ["0.4"] * 100, epsilon="0.1")
    >>> [bounds[name].value.decimal(3) for name in ("theorem-4.8", "group-privacy")]
    ['1', '[0.393, 0.394]']
    """
    left, right = exact_laws(laws, other_laws)
    if (epsilon is None) == (rho is None):
        raise InvalidInput("epsilon, rho", "neither" if rho is None else "both", "exactly one of the two")
    distances = tuple(Counter(variation(p, q) for p, q in zip(left, right, strict=True)).items())
    with working_precision(_BITS):
        bounds = [_data_processing(blocks_of(left, right))]
        if epsilon is not None:
            equal = all(p == left[0] and q == right[0] for p, q in zip(left, right, strict=True))
            bounds += _pure(exact("epsilon", epsilon, *POSITIVE), distances, blocks_of(left, right), equal)
        else:
            bounds += _concentrated(
                exact("rho", rho, *POSITIVE), distances, optimal_coupling(left, right, "hamming-squared")
            )
    return CouplingBounds({bound.name: bound for bound in bounds})


def _bound(name: str, source: str, formula: str, value: Any, applies: bool = True, why: str = "") -> CouplingBound:
    enclosed = value if isinstance(value, Enclosure) else Enclosure.outward(value)
    return CouplingBound(name, source, formula, enclosed, applies, why)


def _data_processing(blocks: Blocks) -> CouplingBound:
    total = to_ball(0)
    for classes, count in blocks:
        for a, b in classes:
            total += count * (to_ball(math.inf) if b == 0 else kl_term(to_ball(a), to_ball(b), to_ball(a - b)))
    return _bound("data-processing", "TH-T4.2", "sum_i KL(p_i || q_i)", total, why="holds without privacy")


def _pure(epsilon: Fraction, distances: Any, blocks: Blocks, equal: bool) -> list[CouplingBound]:
    mean, _ = mean_and_variance(distances)
    budget, largest = to_ball(epsilon), sum(count for _, count in distances)

    def paid(distance: int) -> Any:
        return budget * distance * group_variation(budget, distance)

    under = {"product of maximal couplings": sum_cost(distances, paid)}
    if blocks and sums_can_be_nested(blocks):
        chances, others = ([(classes[0][side], count) for classes, count in blocks] for side in (0, 1))
        under["nested coupling"] = quantile_cost(chances, others, paid, paid(largest))
    coupling = min(under, key=lambda name: Enclosure.from_ball(under[name]).upper)
    return [
        _bound("theorem-4.8", "TH-T4.8", "epsilon sum_i t_i", epsilon * mean),
        _bound("karwa-vadhan", "TH-S4.2b", "6 epsilon n TV", 6 * epsilon * mean, equal,
               "" if equal else "stated for equal coordinates"),
        _bound("group-privacy", "TH-C4.5", "E[epsilon d TV_d]", under[coupling], why=f"under the {coupling}"),
    ]  # fmt: skip


def _concentrated(rho: Fraction, distances: Any, optimum: Any) -> list[CouplingBound]:
    mean, variance = mean_and_variance(distances)
    best = Enclosure.from_ball(to_ball(rho) * optimum.value.ball())
    formula = "rho ((sum_i t_i)^2 + sum_i t_i (1 - t_i))"
    return [
        _bound("theorem-4.8", "TH-T4.8", formula, rho * (mean * mean + variance)),
        _bound("transport", "TH-T4.6", "rho inf E[d^2]", best, why=f"optimum by {optimum.method}"),
    ]
