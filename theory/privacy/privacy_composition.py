"""What k uses of one budget spend together, by advanced and by optimal composition, and what a group of records does.

Source: TH-P2.8, TH-S2.1f
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.hints import hint_of_swap
from banditproof.theory.numbers import ranges
from banditproof.theory.numbers.certified import of_numbers
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.numeric import (
    SERIES,
    SYMBOL,
    exp,
    expm1,
    joined,
    log,
    log1p,
    maximum,
    minimum,
    product,
    promote,
    sqrt,
    system,
)
from banditproof.theory.numbers.term import finite_as

_MOST_USES = 1000  # a sum over as many terms, with binomial coefficients that floats can hold
_MOST_RECORDS = 10**15
_DOMAINS: ranges.Domains = {
    "epsilon": (0, np.inf, "nonnegative"),
    "delta": (0, 1, "in [0, 1]"),
    "slack": (0, 1, "in (0, 1]"),
    "target": (-np.inf, np.inf, "a number"),
}


@finite_as(lambda k, epsilon, slack: sqrt(k - 1) + sqrt(epsilon) + sqrt(-log(slack)))
def advanced_epsilon(k: int, epsilon: Number, slack: Number) -> Any:
    """sqrt(2 k log(1/slack)) epsilon + k epsilon (e^epsilon - 1), in four number systems; `slack` in (0, 1].

    Source: TH-S2.1f
    """
    hint_of_swap(epsilon, slack, ("epsilon", "slack"))
    epsilon, slack = ranges.inside(_DOMAINS, epsilon=epsilon, slack=slack)
    k = check_count("k", k, 1, _MOST_RECORDS)
    return product(sqrt(2 * k * -log(slack)), epsilon) + k * epsilon * expm1(epsilon)


@finite_as(lambda k, epsilon, delta, target: sqrt(epsilon) + sqrt(delta * (1 - delta)) + sqrt(k - 1) + 0 * target)
def worst_composed_delta(k: int, epsilon: Number, delta: Number, target: Number) -> Any:
    """The smallest delta' such that every k-fold composition of (epsilon, delta)-DP mechanisms is (target, delta')-DP.

    Attained by randomised response that reveals its bit with probability delta: a loss of (2j - k) epsilon has
    probability binom(k, j) p^j (1 - p)^(k - j) with p = e^epsilon/(1 + e^epsilon). Four number systems, scalars.

    Source: TH-S2.1f
    """
    k = check_count("k", k, 1, _MOST_USES)
    epsilon, delta, target = ranges.inside(_DOMAINS, epsilon=epsilon, delta=delta, target=target)
    lie = exp(-epsilon) / (1 + exp(-epsilon))
    truth = 1 - lie
    excess = 0 * lie
    for j in range(k + 1):
        weight = truth**j * lie ** (k - j) - product(exp(target), truth ** (k - j) * lie**j)
        excess = excess + comb(k, j) * maximum(weight, 0)
    excess = minimum(excess, 1)  # rounding

    def closed() -> Any:
        hidden = k * log1p(-delta)
        return -expm1(hidden) + exp(hidden) * excess  # nothing is subtracted, so tiny ones keep their digits

    return joined(delta, "==", 1, 1 + excess * 0, closed)


# --------------------------------------------------------------------------------------------------------------- groups


@named
@of_numbers
def group_delta(size: int, epsilon: Number, delta: Number) -> Any:
    """delta (1 + e^epsilon + ... + e^((size - 1) epsilon)): the exact delta of a group, up to the cap at 1.

    An (epsilon, delta)-DP mechanism is (size epsilon, this)-DP for data that differ in `size` records, and some such
    mechanism attains it where it is small. Four number systems.

    Source: TH-P2.8
    """
    ranges.check(_DOMAINS, epsilon=epsilon, delta=delta)
    size = check_count("size", size, 0, _MOST_RECORDS)
    if system(epsilon, delta) in (SERIES, SYMBOL):
        epsilon, delta = promote(epsilon, delta)
        return delta * sum((exp(j * epsilon) for j in range(check_count("size", size, 0, _MOST_USES))), epsilon * 0)

    def closed(epsilon: Any, delta: Any) -> Any:
        def geometric() -> Any:
            return expm1(-product(epsilon, size)) / expm1(-epsilon) * exp(product(epsilon, size - 1))

        factor = joined(epsilon, "==", 0, size + 0 * epsilon, geometric)
        return product(factor, delta)

    return ranges.evaluate(closed, ranges.monotone("++"), None, _DOMAINS, epsilon=epsilon, delta=delta)
