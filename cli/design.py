"""``banditproof design``: a G-optimal design of the actions in a file, with its Kiefer-Wolfowitz gap."""

from __future__ import annotations

from pathlib import Path

from banditproof.cli.arguments import as_float, number, table
from banditproof.cli.documents import print_document


def print_design(path: Path, tolerance: str, prune: bool, as_json: bool) -> int:
    """Print the support and weights of the design of a CSV file's rows, and what certifies it."""
    from banditproof.theory.linear.optimal_design import g_optimal_design

    actions = [[as_float("actions", x) for x in row] for row in table("actions", path)]
    design = g_optimal_design(actions, tol=as_float("tol", number("tol", tolerance)), prune=prune)
    if as_json:
        support = {int(row): float(design.weights[row]) for row in design.support}
        facts = {name: getattr(design, name) for name in ("dimension", "value", "gap", "log_det", "note")}
        return print_document({"actions": len(actions), **facts, "weights": support})
    from rich.console import Console
    from rich.table import Table

    shown = Table("row", "action", "weight", title=f"G-optimal design of {len(actions)} actions")
    for row in design.support:
        action = ", ".join(f"{x:g}" for x in actions[row][:6]) + (", ..." if len(actions[row]) > 6 else "")
        shown.add_row(str(row + 1), action, f"{design.weights[row]:.6g}")
    console = Console()
    console.print(shown)
    gap = float(design.gap.upper)
    console.print(f"max |a|^2 in the norm of V^-1: {design.value.decimal(10)}, dimension {design.dimension}")
    console.print(f"Kiefer-Wolfowitz gap at most {gap:.3g}; log det V in {design.log_det.decimal(10)}", markup=False)
    if design.note:
        console.print(design.note, markup=False)
    return 0
