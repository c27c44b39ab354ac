"""Budgets of several mechanisms, and of groups: basic, parallel, advanced and optimal composition; group privacy.

Source: TH-P2.8, TH-P2.9, TH-S2.1e, TH-S2.1f, TH-L2.10
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers import ranges
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
    square,
    system,
)
from banditproof.theory.numbers.term import finite_as
from banditproof.theory.privacy.budget import Budget, checked_budget, rounded_up

_MOST_USES = 1000  # a sum over as many terms, with binomial coefficients that floats can hold
_MOST_RECORDS = 10**15
_DOMAINS: ranges.Domains = {
    "epsilon": (0, np.inf, "nonnegative"),
    "delta": (0, 1, "in [0, 1]"),
    "slack": (0, 1, "in (0, 1]"),
    "target": (-np.inf, np.inf, "a number"),
}


def compose(*budgets: Budget) -> Budget:
    """The budget of all mechanisms on the same data, each of which may see the outputs of those before: sums.

    All of one kind, or pure and approximate together; Rényi budgets of one order. The mu of Gaussian DP adds up in
    squares. Sums are rounded up, as are all budgets here, so that they hold. Raises InvalidInput for other mixtures,
    and where the deltas add up to 1 or more.

    >>> str(compose(Budget.pure(1.0), Budget.approximate(0.5, 0.01)))
    'approximate(epsilon=1.5, delta=0.01)'

    Source: TH-P2.9, TH-S2.1e
    """
    kind, columns = _columns(budgets)
    if kind == "gdp":
        return Budget.gdp(rounded_up(lambda *mus: sqrt(sum(map(square, mus))), *columns["mu"]))
    if kind == "rdp":
        return Budget.rdp(columns["order"][0], _sum(columns["epsilon"]))
    return _validated(kind, columns, _sum)


def compose_in_parallel(*budgets: Budget) -> Budget:
    """The budget of mechanisms on disjoint parts of the data that are fixed beforehand: the largest of theirs.

    Kinds and errors as for `compose`.

    >>> str(compose_in_parallel(Budget.zcdp(0.1), Budget.zcdp(0.3)))
    'zcdp(rho=0.3)'

    Source: TH-L2.10
    """
    kind, columns = _columns(budgets)
    return _validated(kind, columns, lambda values: np.max(np.stack(np.broadcast_arrays(*values)), axis=0))


def _columns(budgets: Sequence[Budget]) -> tuple[str, dict[str, list[Any]]]:
    """The common kind, and every parameter as a list over the budgets."""
    kinds = {checked_budget(budget, "budgets").kind for budget in budgets}
    if kinds == {"pure", "approximate"}:
        kinds = {"approximate"}
    if len(kinds) != 1:
        raise InvalidInput("budgets", [str(b) for b in budgets], "at least one, all of one kind (or pure, approximate)")
    (kind,) = kinds
    names = {"pure": ["epsilon"], "approximate": ["epsilon", "delta"], "zcdp": ["rho"], "gdp": ["mu"]}
    columns = {name: [getattr(b, name) for b in budgets] for name in names.get(kind, ["order", "epsilon"])}
    if kind == "approximate":
        columns["delta"] = [0.0 if value is None else value for value in columns["delta"]]
    if kind == "rdp" and any(not np.array_equal(order, columns["order"][0]) for order in columns["order"]):
        raise InvalidInput("budgets", [str(b) for b in budgets], "of one Rényi order")
    return kind, columns


def _sum(values: Sequence[Any]) -> Any:
    return rounded_up(lambda *numbers: sum(numbers), *values)


def _validated(kind: str, columns: dict[str, list[Any]], join: Any) -> Budget:
    return getattr(Budget, kind)(**{name: join(values) for name, values in columns.items()})


# --------------------------------------------------------------------------------------------- the same budget k times


@finite_as(lambda k, epsilon, slack: sqrt(k - 1) + sqrt(epsilon) + sqrt(-log(slack)))
def advanced_epsilon(k: int, epsilon: Number, slack: Number) -> Any:
    """sqrt(2 k log(1/slack)) epsilon + k epsilon (e^epsilon - 1), in four number systems; `slack` in (0, 1].

    Source: TH-S2.1f
    """
    epsilon, slack = ranges.inside(_DOMAINS, epsilon=epsilon, slack=slack)
    k = check_count("k", k, 1, _MOST_RECORDS)
    return product(sqrt(2 * k * -log(slack)), epsilon) + k * epsilon * expm1(epsilon)


def compose_advanced(budget: Budget, k: int, slack: float) -> Budget:
    """The budget of k adaptive uses of a pure or approximate `budget`, by advanced or by basic composition.

    The smaller epsilon of the two; the delta is slack + k delta with the first and k delta with the second (at least
    the smallest positive float). Raises InvalidInput for other kinds and where that is 1 or more.

    Source: TH-S2.1f
    """
    if checked_budget(budget).kind not in ("pure", "approximate"):
        raise InvalidInput("budget", str(budget), "pure or approximate")
    ranges.inside(_DOMAINS, slack=slack)
    k, delta = check_count("k", k, 1, _MOST_RECORDS), 0.0 if budget.delta is None else budget.delta
    epsilon = rounded_up(lambda e, s: advanced_epsilon(k, e, s), budget.epsilon, slack)
    basic = _times(k, budget.epsilon)
    if np.all(basic <= epsilon):
        return Budget.pure(basic) if budget.kind == "pure" else Budget.approximate(basic, _times(k, delta))
    return Budget.approximate(epsilon, rounded_up(lambda d, s: s + k * d, delta, slack))


def _times(count: int, value: Any) -> Any:
    return rounded_up(lambda number: count * number, value)


@finite_as(lambda k, epsilon, delta, target: sqrt(epsilon) + sqrt(delta * (1 - delta)) + 1 / k + 0 * target)
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


def printed_group_delta(size: int, delta: Any) -> Any:
    """delta size e^(size - 1), as printed: at least `group_delta` for epsilon <= 1, and below it for large epsilon.

    Source: TH-P2.8
    """
    (delta,) = ranges.inside(_DOMAINS, delta=delta)
    size = check_count("size", size, 0)
    return delta * size * exp(delta * 0 + size - 1)


def budget_of_group(budget: Budget, size: int) -> Budget:
    """The budget for data sets that differ in up to `size` >= 1 records (user-level privacy of a user with as many).

    Pure: size epsilon; zCDP: size^2 rho; Gaussian: size mu; approximate: (size epsilon, `group_delta`). Raises
    InvalidInput for Rényi budgets, and where the delta would be 1 or more.

    >>> str(budget_of_group(Budget.zcdp(0.5), 3))
    'zcdp(rho=4.5)'

    Source: TH-P2.8, TH-S3.7a
    """
    size = check_count("size", size, 1, _MOST_RECORDS)
    if checked_budget(budget).kind == "pure":
        return Budget.pure(_times(size, budget.epsilon))
    if budget.kind == "zcdp":
        return Budget.zcdp(_times(size**2, budget.rho))
    if budget.kind == "gdp":
        return Budget.gdp(_times(size, budget.mu))
    if budget.kind != "approximate":
        raise InvalidInput("budget", str(budget), "pure, approximate, zcdp or gdp")
    delta = rounded_up(lambda e, d: group_delta(size, e, d), budget.epsilon, budget.delta)
    return Budget.approximate(_times(size, budget.epsilon), delta)
