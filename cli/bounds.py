"""``banditproof bounds``: certified bounds for an instance, as a table or as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.theory.lower_bounds import LowerBound, RegretLowerBounds


def print_regret_bounds(means: str, epsilon: str | None, horizon: str | None, as_json: bool) -> int:
    """Print every regret lower bound for a Bernoulli instance; the numbers are read as exact decimals."""
    from banditproof.theory.lower_bounds import regret_lower_bound

    arms = [number("means", text) for text in means.split(",")]
    bounds = regret_lower_bound(
        arms,
        epsilon=None if epsilon is None else number("epsilon", epsilon),
        horizon=None if horizon is None else number("horizon", horizon),
    )
    if as_json:
        print(json.dumps(_document(bounds), indent=1, allow_nan=False))
    else:
        _print_table(bounds)
    return 0


def number(parameter: str, text: str) -> Fraction | float:
    """An exact number from the command line: '0.25', '1/3', '1e6' or 'inf'."""
    if text.strip().lower() == "inf":
        return float("inf")
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError) as error:
        raise InvalidInput(parameter, text, "a number such as 0.25, 1/3 or 1e6") from error


def _document(bounds: RegretLowerBounds) -> dict[str, Any]:
    return {
        "means": [str(arm.mean) for arm in bounds.instance.arms],
        "epsilon": None if bounds.epsilon is None else str(bounds.epsilon),
        "horizon": None if bounds.horizon is None else str(bounds.horizon),
        "bounds": [_bound(b) for b in bounds.bounds.values()],
    }


def _bound(bound: LowerBound) -> dict[str, Any]:
    return {
        "name": bound.name,
        "source": bound.source,
        "formula": bound.formula,
        "applies": bound.applies,
        "why": bound.why,
        "constant": bound.constant.to_json(),
        "value": bound.value.to_json(),
        "terms": [None if t is None else t.to_json() for t in bound.terms],
        "regimes": list(bound.regimes),
    }


def _print_table(bounds: RegretLowerBounds) -> None:
    from rich.console import Console
    from rich.table import Table

    scaled = bounds.horizon is not None
    columns = ["bound", "source", "liminf regret / log T >="] + [f"times log({float(bounds.horizon or 1):g})"] * scaled
    table = Table(*columns, title="Regret lower bounds")
    for bound in bounds.bounds.values():
        cells = [bound.name, bound.source, bound.constant.decimal(8)] + [bound.value.decimal(8)] * scaled
        table.add_row(*(cells if bound.applies else [bound.name, bound.source, "does not apply"] + [""] * scaled))
    per_arm = Table("arms", "mean", "bound", "gap / information", "privacy regime", title="Per suboptimal arm")
    for means, arms in _groups(bounds).items():
        for bound in bounds.bounds.values():
            term, regime = bound.terms[arms[0] - 1], bound.regimes[arms[0] - 1]
            if term is not None:
                per_arm.add_row(
                    ", ".join(map(str, arms)), f"{float(means):g}", bound.name, term.decimal(6), regime or "-"
                )
    console = Console()
    console.print(table)
    if per_arm.row_count:
        console.print(per_arm)
    for bound in bounds.bounds.values():
        if not bound.applies:
            console.print(f"{bound.name} does not apply: {bound.why}", markup=False)
    console.print("Decimals are rounded outward; --json gives the exact ends. The bounds are asymptotic.", markup=False)


def _groups(bounds: RegretLowerBounds) -> dict[Any, list[int]]:
    """Arms (counted from 1) by their mean: equal arms share their rows."""
    groups: dict[Any, list[int]] = {}
    for number_of_arm, arm in enumerate(bounds.instance.arms, start=1):
        groups.setdefault(arm.mean, []).append(number_of_arm)
    return groups
