"""``banditproof bounds linear``: the structured regret constant of a linear bandit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, numbers, optional, shown, table
from banditproof.cli.documents import FOOTNOTE, print_document

if TYPE_CHECKING:
    from banditproof.theory.linear.linear_lower_bound import LinearRegretConstant


def print_linear_bounds(actions: Path, theta: str, epsilon: str | None, as_json: bool, plot: Path | None) -> int:
    """Print c(A, theta) without privacy, and with both readings of the ratio where a budget is given."""
    rows, parameter = table("actions", actions), numbers("theta", theta)
    budget = optional("epsilon", epsilon)
    found = _constants(rows, parameter, budget)
    if plot is not None:
        _plot(plot, rows, parameter, found, budget)
    if as_json:
        names = ("epsilon", "best", "gaps", "ratios", "thresholds", "regimes", "value", "allocation", "applies", "why")
        return print_document({label: {n: getattr(c, n) for n in names} for label, c in found.items()})
    _print_tables(found)
    return 0


def _constants(rows: Any, theta: Any, epsilon: Any) -> dict[str, LinearRegretConstant]:
    from banditproof.theory.linear.linear_lower_bound import RATIOS, linear_regret_constant

    found = {"non-private": linear_regret_constant(rows, theta)}
    if epsilon is not None:
        found |= {f"private, {ratio}": linear_regret_constant(rows, theta, epsilon, ratio=ratio) for ratio in RATIOS}
    return found


def _print_tables(found: dict[str, LinearRegretConstant]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("constant", "liminf regret / log T >=", title="Structured lower bounds (TH-T4.18)")
    for label, constant in found.items():
        value = constant.value.decimal(8)
        table.add_row(label, value if constant.applies else f"({value})")
    arms = Table("row", "gap", *found, title="Pulls of each action per log T")
    first = found["non-private"]
    for row, gap in enumerate(first.gaps):
        arms.add_row(str(row + 1), shown(gap), *(f"{c.allocation[row]:.5g}" for c in found.values()))
    console = Console()
    console.print(table)
    console.print(arms)
    for label, constant in found.items():
        if constant.why:
            console.print(f"{label}: {constant.why}", markup=False)
    console.print(FOOTNOTE)


def _plot(path: Path, rows: Any, theta: Any, found: dict[str, LinearRegretConstant], marked: Any) -> None:
    from banditproof.cli.plotting import plot_against_budget
    from banditproof.theory.linear.linear_lower_bound import RATIOS, linear_regret_constant

    ratios = linear_regret_constant(rows, theta, 1, ratio="bases").ratios or ()
    gaps = found["non-private"].gaps
    changes = [float(gap / ratio) for gap, ratio in zip(gaps, ratios, strict=True) if gap and ratio]

    def bounds_at(epsilon: float) -> dict[str, Any]:
        private = {ratio: linear_regret_constant(rows, theta, epsilon, ratio=ratio) for ratio in RATIOS}
        values = {f"private, {ratio}": c.value if c.applies else None for ratio, c in private.items()}
        return {"non-private": found["non-private"].value, **values}

    plot_against_budget(
        path,
        bounds_at,
        changes,
        title="Structured regret lower bound",
        ylabel="liminf regret / log T is at least",
        marked=None if marked is None else as_float("epsilon", marked),
    )
