"""``banditproof bounds bai``: lower bounds on the sample complexity of best-arm identification."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, number, optional, shown
from banditproof.cli.bounds import instance_of
from banditproof.cli.documents import FOOTNOTE, print_document

if TYPE_CHECKING:
    from banditproof.theory.best_arm.characteristic_times import CharacteristicTime
    from banditproof.theory.bounds.sample_complexity import SampleComplexityBounds
    from banditproof.theory.laws.instance import Instance

SHOWN = 10  # arms of a table


def print_sample_complexity_bounds(
    means: str, family: str, sigma: str, delta: str, epsilon: str | None, beta: str | None, as_json: bool,
    plot: Path | None,
) -> int:  # fmt: skip
    """Print every bound for an instance, the optimal allocation and the most confusing alternatives."""
    from banditproof.theory.best_arm.characteristic_times import characteristic_time
    from banditproof.theory.bounds.sample_complexity import sample_complexity_lower_bound

    instance, budget = instance_of(means, family, sigma), optional("epsilon", epsilon)
    bounds = sample_complexity_lower_bound(instance, number("delta", delta), budget)
    fixed = None
    if beta is not None:
        fixed = characteristic_time(instance, epsilon=budget, beta=number("beta", beta))
    if plot is not None:
        _plot(plot, instance, bounds, budget)
    if as_json:
        return print_document(_document(bounds, fixed))
    _print_tables(bounds, fixed)
    return 0


def _document(bounds: SampleComplexityBounds, fixed: CharacteristicTime | None) -> dict[str, Any]:
    names = ("name", "source", "formula", "time", "factor", "value", "regime", "applies", "why")
    times = {**bounds.times, **({} if fixed is None else {"fixed proportion": fixed})}
    return {
        "means": bounds.instance.means,
        "delta": bounds.delta,
        "epsilon": bounds.epsilon,
        "bounds": [{name: getattr(bound, name) for name in names} for bound in bounds.bounds.values()],
        "times": {
            name: {
                "value": time.value,
                "beta": time.beta,
                "allocation": time.allocation,
                "alternatives": [vars(alternative) for alternative in time.alternatives],
            }
            for name, time in times.items()
        },
    }


def _print_tables(bounds: SampleComplexityBounds, fixed: CharacteristicTime | None) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("bound", "source", "samples >=", "T*", "regime", title=f"Sample complexity at {_risk(bounds)}")
    for bound in bounds.bounds.values():
        value = bound.value.decimal(7) if bound.applies else f"({bound.value.decimal(7)})"
        table.add_row(bound.name, bound.source, value, bound.time.decimal(7), bound.regime or "-")
    time = fixed or bounds.times.get("private", bounds.times["kl"])
    of_best = "" if time.beta is None else f", {float(time.beta):g} on the best arm"
    plan = Table("arm", "mean", "proportion", title=f"Optimal allocation, T* in {time.value.decimal(7)}{of_best}")
    for arm, (mean, share) in enumerate(zip(time.instance.means, time.allocation, strict=True), start=1):
        if arm <= SHOWN:
            plan.add_row(str(arm), shown(mean), f"{share:.6g}")
    console = Console()
    console.print(table)
    console.print(plan)
    for alternative in sorted(time.alternatives, key=lambda one: -one.weight)[:SHOWN]:
        console.print(
            f"confused when arm {alternative.challenger + 1} ties at {shown(alternative.mean)} "
            f"(priced in {alternative.price}), weight {alternative.weight:.4g}"
        )
    hidden = len(time.instance.arms) - SHOWN
    if hidden > 0:
        console.print(f"{hidden} more arms: see --json")
    for bound in bounds.bounds.values():
        verb = "holds" if bound.applies else "does not apply"
        console.print(f"{bound.name}: {bound.formula}; {verb}: {bound.why}", markup=False)
    console.print(FOOTNOTE)


def _risk(bounds: SampleComplexityBounds) -> str:
    return f"risk {shown(bounds.delta)}"


def _plot(path: Path, instance: Instance, bounds: SampleComplexityBounds, marked: Any) -> None:
    from banditproof.cli.plotting import plot_against_budget
    from banditproof.theory.best_arm.characteristic_times import characteristic_time
    from banditproof.theory.bounds.sample_complexity import sample_complexity_lower_bound

    variation, entropy = (characteristic_time(instance, divergence=name).value for name in ("tv", "kl"))

    def bounds_at(epsilon: float) -> dict[str, Any]:
        found = sample_complexity_lower_bound(instance, bounds.delta, epsilon).bounds
        return {name: bound.value if bound.applies else None for name, bound in found.items()}

    plot_against_budget(
        path,
        bounds_at,
        [float(variation.lower / entropy.lower)],
        title="Lower bounds on the sample complexity",
        ylabel=f"expected samples at {_risk(bounds)} are at least",
        marked=None if marked is None else as_float("epsilon", marked),
    )
