"""``banditproof bounds minimax`` and ``bounds adversarial``: worst-case regret over a horizon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, integer, number, optional
from banditproof.cli.documents import FOOTNOTE, print_document

if TYPE_CHECKING:
    from banditproof.theory.bounds.adversarial import AdversarialBounds
    from banditproof.theory.bounds.minimax import MinimaxLowerBounds


def print_minimax_bounds(
    arms: str | None, dimension: str | None, horizon: str, epsilon: str | None, rho: str | None, span: str,
    as_json: bool, plot: Path | None,
) -> int:  # fmt: skip
    """Print every minimax lower bound for Gaussian arms, or for linear bandits where a dimension is given."""
    from banditproof.theory.bounds.minimax import minimax_lower_bound

    problem: dict[str, Any] = {
        "arms": None if arms is None else integer("arms", arms),
        "dimension": None if dimension is None else integer("dimension", dimension),
        "horizon": integer("horizon", horizon),
        "span": optional("span", span),
    }
    budgets: dict[str, Any] = {"epsilon": optional("epsilon", epsilon), "rho": optional("rho", rho)}
    bounds = minimax_lower_bound(**problem, **budgets)
    if plot is not None:
        _plot(plot, problem, budgets)
    if as_json:
        names = ("name", "source", "formula", "terms", "value", "regime", "applies", "why")
        listed = [{name: getattr(bound, name) for name in names} for bound in bounds.bounds.values()]
        return print_document({**problem, **budgets, "ceiling": bounds.ceiling, "bounds": listed})
    _print_table(bounds)
    return 0


def _print_table(bounds: MinimaxLowerBounds) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("bound", "source", "minimax regret >=", "privacy regime", title="Minimax lower bounds")
    for bound in bounds.bounds.values():
        value = bound.value.decimal(6) if bound.applies else f"({bound.value.decimal(6)})"
        table.add_row(bound.name, bound.source, value, bound.regime or "-")
    console = Console()
    console.print(table)
    for bound in bounds.bounds.values():
        verb = "holds" if bound.applies else "does not apply"
        console.print(f"{bound.name}: {bound.formula}; {verb}: {bound.why}", markup=False)
    ceiling = bounds.ceiling.decimal(6)
    console.print(f"A policy that never looks at a reward suffers at most {ceiling}.", markup=False)
    console.print(FOOTNOTE)


def _plot(path: Path, problem: dict[str, Any], budgets: dict[str, Any]) -> None:
    from banditproof.cli.plotting import plot_against_budget
    from banditproof.theory.bounds.minimax import minimax_lower_bound, privacy_regime_change

    name = "rho" if budgets["epsilon"] is None and budgets["rho"] is not None else "epsilon"
    size = {part: problem[part] for part in ("arms", "dimension") if problem[part] is not None}
    change = privacy_regime_change(**size, horizon=problem["horizon"], budget=name)
    marked = budgets[name]

    def bounds_at(budget: float) -> dict[str, Any]:
        at: dict[str, Any] = {**problem, name: budget}
        found = minimax_lower_bound(**at).bounds
        return {label: bound.value if bound.applies else None for label, bound in found.items()}

    plot_against_budget(
        path,
        bounds_at,
        [float(change.lower)],
        title="Minimax lower bounds",
        ylabel="minimax regret is at least",
        budget=name,
        marked=None if marked is None else as_float(name, marked),
    )


def print_adversarial_bounds(
    arms: str, horizon: str, epsilon: str, experts: str | None, delta: str | None, as_json: bool
) -> int:
    """Print every bound on the regret against losses fixed beforehand, with its conditions."""
    from banditproof.theory.bounds.adversarial import adversarial_bounds

    problem: dict[str, Any] = {"arms": integer("arms", arms), "horizon": integer("horizon", horizon)}
    problem["experts"] = None if experts is None else integer("experts", experts)
    problem |= {"epsilon": number("epsilon", epsilon), "delta": optional("delta", delta)}
    bounds = adversarial_bounds(problem.pop("arms"), **problem)
    if as_json:
        names = ("name", "kind", "source", "formula", "value", "applies", "why")
        listed = [{name: getattr(bound, name) for name in names} for bound in bounds.bounds.values()]
        return print_document({"arms": bounds.arms, **problem, "bounds": listed})
    _print_adversarial_table(bounds)
    return 0


def _print_adversarial_table(bounds: AdversarialBounds) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("bound", "kind", "source", "value", title="Worst-case regret against oblivious losses")
    for bound in bounds.bounds.values():
        value = bound.value.decimal(6) if bound.applies else f"({bound.value.decimal(6)})"
        table.add_row(bound.name, bound.kind, bound.source, value)
    console = Console()
    console.print(table)
    for bound in bounds.bounds.values():
        console.print(f"{bound.name}: {bound.formula}; {bound.why}", markup=False)
    if bounds.best is not None:
        console.print(f"The smallest upper bound that applies is {bounds.best.name}.", markup=False)
