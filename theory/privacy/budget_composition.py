"""Budgets of several mechanisms, of groups of records, and of another kind: rounded up, so that they hold.

Source: TH-P2.6, TH-P2.8, TH-P2.9, TH-S2.1e, TH-S2.1f, TH-L2.10, TH-S3.7a
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.numbers import ranges
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.rounding import of_rows, rounded_up
from banditproof.theory.privacy.budget import (
    KINDS,
    ApproximateDP,
    Budget,
    GaussianDP,
    RenyiDP,
    checked_budget,
    kinds_of,
    kinds_with,
    times_rounded_up,
)
from banditproof.theory.privacy.noise_calibration import sharp_epsilon_of_gaussian
from banditproof.theory.privacy.privacy_composition import advanced_epsilon

MOST_RECORDS = 10**15


@named
def compose(*budgets: Budget) -> Budget:
    """The budget of all mechanisms on the same data, each of which may see the outputs of those before: sums.

    All of one kind, or of several that bound every event by e^epsilon times another + delta (pure and approximate);
    Rényi budgets of one order. The mu of Gaussian DP adds up in squares. Sums are rounded up, as are all budgets here,
    so that they hold. Raises InvalidInput for other mixtures, and where the deltas add up to 1 or more.

    >>> str(compose(Budget.pure(1.0), Budget.approximate(0.5, 0.01)))
    'approximate(epsilon=1.5, delta=0.01)'

    Source: TH-P2.9, TH-S2.1e
    """
    kind, columns = _columns(budgets)
    return kind.total(columns)


@named
def compose_in_parallel(*budgets: Budget) -> Budget:
    """The budget of mechanisms on disjoint parts of the data that are fixed beforehand: the largest of theirs.

    Kinds and errors as for `compose`.

    >>> str(compose_in_parallel(Budget.zcdp(0.1), Budget.zcdp(0.3)))
    'zcdp(rho=0.3)'

    Source: TH-L2.10
    """
    kind, columns = _columns(budgets)
    return kind.largest(columns)


def _columns(budgets: Sequence[Budget]) -> tuple[type[Budget], dict[str, Sequence[Any]]]:
    """The common kind, and every parameter as a list over the budgets."""
    kinds = {type(checked_budget(budget, "budgets")) for budget in budgets}
    if len(kinds) == 1:
        (kind,) = kinds
        return kind, {name: [getattr(budget, name) for budget in budgets] for name in kind.ranges}
    lines = [line for budget in budgets if (line := budget.line) is not None]
    if not budgets or len(lines) < len(budgets):
        allowed = f"at least one, all of one kind (or each {kinds_with('line')})"
        raise InvalidInput("budgets", [str(budget) for budget in budgets], allowed)
    epsilons, deltas = zip(*lines, strict=True)
    return ApproximateDP, {"epsilon": epsilons, "delta": deltas}


@named
def compose_advanced(budget: Budget, k: int, slack: float) -> Budget:
    """The budget of k adaptive uses of a pure or approximate `budget`, by advanced or by basic composition.

    The smaller epsilon of the two; the delta is slack + k delta with the first and k delta with the second (at least
    the smallest positive float). Raises InvalidInput for kinds without a `line` and where that is 1 or more.

    Source: TH-S2.1f
    """
    if (line := checked_budget(budget).line) is None:
        raise InvalidInput("budget", str(budget), kinds_with("line"))
    ranges.inside({"slack": (0, 1, "in (0, 1]")}, slack=slack)
    k, (once, delta) = check_count("k", k, 1, MOST_RECORDS), line
    epsilon, basic = rounded_up(lambda e, s: advanced_epsilon(k, e, s), once, slack), times_rounded_up(k, once)
    if np.all(basic <= epsilon):
        return Budget.pure(basic) if np.all(delta == 0) else Budget.approximate(basic, times_rounded_up(k, delta))
    return Budget.approximate(epsilon, rounded_up(lambda d, s: s + k * d, delta, slack))


@named
def budget_of_group(budget: Budget, size: int) -> Budget:
    """The budget for data sets that differ in up to `size` >= 1 records (user-level privacy of a user with as many).

    Raises InvalidInput for a kind without a rule, as Rényi DP, and where a delta would be 1 or more.

    >>> str(budget_of_group(Budget.zcdp(0.5), 3))
    'zcdp(rho=4.5)'

    Source: TH-P2.8, TH-S3.7a
    """
    size = check_count("size", size, 1, MOST_RECORDS)
    return checked_budget(budget).of_group(size)


@named
def convert(budget: Budget, kind: str, *, delta: float | None = None, sharp: bool = False) -> Budget:
    """The budget of another `kind` that holds whenever `budget` does, rounded up; parameters may be arrays [R].

    From "pure", "gdp" or "zcdp" to "zcdp", and from each of these three to "approximate" at a given `delta` in (0, 1).
    `sharp` takes the best known conversion in place of the printed one: from "pure" to "approximate" it is exact, from
    "zcdp" it is an upper bound. From "gdp" to "approximate" it is the exact curve in any case.
    Raises InvalidInput for a conversion that does not exist (as from approximate to zCDP).

    >>> str(convert(Budget.pure(1.0), "zcdp"))
    'zcdp(rho=0.5)'

    Source: TH-P2.6
    """
    wanted = KINDS.get(kind) if isinstance(kind, str) else None
    if wanted is None:
        meant = close_to(getattr(kind, "__name__", kind), kinds_of("implied_by"))
        raise InvalidInput("kind", kind, kinds_with("implied_by"), meant)
    if delta is not None and "delta" not in wanted.ranges:
        raise InvalidInput("delta", delta, f"left out, as a budget of the kind {kind} has none")
    if isinstance(checked_budget(budget), wanted):
        return budget
    if delta is not None and isinstance(budget, GaussianDP) and wanted is ApproximateDP:
        return Budget.approximate(of_rows(sharp_epsilon_of_gaussian, budget.mu, delta), delta)  # the root of its curve
    implied = wanted.implied_by(budget, delta, sharp)
    if implied is None:
        implying = [k for k in KINDS if KINDS[k].implied_by(budget, delta or 1e-6, sharp) is not None]
        allowed = (
            f"{' or '.join(implying)}, which {budget.kind} implies"
            if implying
            else f"{budget.kind} itself, which is converted to no other kind"
        )
        of_renyi = isinstance(budget, RenyiDP) and wanted is ApproximateDP  # epsilon at the delta, of one order
        raise InvalidInput("kind", kind, allowed, "epsilon_of_renyi(order, divergence, delta)" if of_renyi else "")
    return implied
