"""Budgets of several mechanisms, of groups of records, and of another kind: rounded up, so that they hold.

Source: TH-P2.6, TH-P2.8, TH-P2.9, TH-S2.1e, TH-S2.1f, TH-L2.10, TH-S3.7a
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers import ranges
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.numeric import minimum
from banditproof.theory.numbers.rounding import of_rows, rounded_up
from banditproof.theory.privacy.budget import (
    KINDS,
    ApproximateDP,
    Budget,
    ConcentratedDP,
    PureDP,
    checked_budget,
    times_rounded_up,
)
from banditproof.theory.privacy.privacy_composition import advanced_epsilon
from banditproof.theory.privacy.privacy_conversions import epsilon_of_zcdp, sharp_epsilon_of_zcdp

MOST_RECORDS = 10**15


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
    return kind.total(columns)


def compose_in_parallel(*budgets: Budget) -> Budget:
    """The budget of mechanisms on disjoint parts of the data that are fixed beforehand: the largest of theirs.

    Kinds and errors as for `compose`.

    >>> str(compose_in_parallel(Budget.zcdp(0.1), Budget.zcdp(0.3)))
    'zcdp(rho=0.3)'

    Source: TH-L2.10
    """
    kind, columns = _columns(budgets)
    return kind.largest(columns)


def _columns(budgets: Sequence[Budget]) -> tuple[type[Budget], dict[str, list[Any]]]:
    """The common kind, and every parameter as a list over the budgets."""
    kinds = {type(checked_budget(budget, "budgets")) for budget in budgets}
    if kinds == {PureDP, ApproximateDP}:
        kinds = {ApproximateDP}
    if len(kinds) != 1:
        raise InvalidInput("budgets", [str(b) for b in budgets], "at least one, all of one kind (or pure, approximate)")
    (kind,) = kinds
    return kind, {name: [0.0 if (v := getattr(b, name)) is None else v for b in budgets] for name in kind.ranges}


def compose_advanced(budget: Budget, k: int, slack: float) -> Budget:
    """The budget of k adaptive uses of a pure or approximate `budget`, by advanced or by basic composition.

    The smaller epsilon of the two; the delta is slack + k delta with the first and k delta with the second (at least
    the smallest positive float). Raises InvalidInput for other kinds and where that is 1 or more.

    Source: TH-S2.1f
    """
    line = checked_budget(budget).line
    if line is None or not isinstance(budget, PureDP | ApproximateDP):
        raise InvalidInput("budget", str(budget), "pure or approximate")
    ranges.inside({"slack": (0, 1, "in (0, 1]")}, slack=slack)
    k, delta = check_count("k", k, 1, MOST_RECORDS), line[1]
    epsilon = rounded_up(lambda e, s: advanced_epsilon(k, e, s), budget.epsilon, slack)
    basic = times_rounded_up(k, budget.epsilon)
    if np.all(basic <= epsilon):
        exact = isinstance(budget, PureDP)
        return Budget.pure(basic) if exact else Budget.approximate(basic, times_rounded_up(k, delta))
    return Budget.approximate(epsilon, rounded_up(lambda d, s: s + k * d, delta, slack))


def budget_of_group(budget: Budget, size: int) -> Budget:
    """The budget for data sets that differ in up to `size` >= 1 records (user-level privacy of a user with as many).

    Pure: size epsilon; zCDP: size^2 rho; Gaussian: size mu; approximate: (size epsilon, `group_delta`). Raises
    InvalidInput for Rényi budgets, and where the delta would be 1 or more.

    >>> str(budget_of_group(Budget.zcdp(0.5), 3))
    'zcdp(rho=4.5)'

    Source: TH-P2.8, TH-S3.7a
    """
    size = check_count("size", size, 1, MOST_RECORDS)
    return checked_budget(budget).of_group(size)


def convert(budget: Budget, kind: str, *, delta: float | None = None, sharp: bool = False) -> Budget:
    """The budget of another `kind` that holds whenever `budget` does, rounded up; parameters may be arrays [R].

    From "pure", "gdp" or "zcdp" to "zcdp", and from each of these three to "approximate" at a given `delta` in (0, 1).
    `sharp` takes the best known conversion in place of the printed one.
    Raises InvalidInput for a conversion that does not exist (as from approximate to zCDP).

    >>> str(convert(Budget.pure(1.0), "zcdp"))
    'zcdp(rho=0.5)'

    Source: TH-P2.6
    """
    wanted = KINDS.get(kind) if isinstance(kind, str) else None
    if wanted is None:
        raise InvalidInput("kind", kind, "zcdp or approximate")
    if isinstance(checked_budget(budget), wanted):
        return budget
    formula = budget.in_zcdp(sharp)
    if wanted is ConcentratedDP and formula is not None:
        return Budget.zcdp(rounded_up(formula, budget.spent))
    spends = budget.in_zcdp(sharp=False)
    if wanted is not ApproximateDP or spends is None:
        raise InvalidInput("kind", f"{budget.kind} to {kind}", "pure, gdp or zcdp to zcdp or approximate")
    if delta is None:
        raise InvalidInput("delta", delta, "in (0, 1), for an approximate budget")
    if sharp:
        epsilon = of_rows(sharp_epsilon_of_zcdp, rounded_up(spends, budget.spent), delta)
    else:
        epsilon = rounded_up(lambda spent, delta: epsilon_of_zcdp(spends(spent), delta), budget.spent, delta)
    if isinstance(budget, PureDP):
        epsilon = minimum(budget.epsilon, epsilon)
    return Budget.approximate(epsilon, delta)
