"""``banditproof bounds bai`` and ``identify``: best-arm identification, lower bounds and strategies beside them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.cli.arguments import as_float, integer, left_out, number, numbers, reading_points, several
from banditproof.cli.bounds import (
    CITED,
    OF_A_SOURCE,
    OVER_BUDGETS,
    SHOWN,
    certain,
    cited,
    instance_of,
    print_over_budgets,
    say_what_they_are,
)
from banditproof.cli.certificates import write_certificates
from banditproof.cli.documents import FOOTNOTE, print_document, write_rows
from banditproof.cli.plotting import draw
from banditproof.cli.simulating import ERROR, print_options, read_options, watched, working
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import shown

BETWEEN = 41  # budgets at which the lower bound is drawn

if TYPE_CHECKING:
    from banditproof.algorithms.run.identification import IdentificationResult
    from banditproof.cli.settings import IdentifyOptions
    from banditproof.theory.best_arm.characteristic_times import CharacteristicTime
    from banditproof.theory.bounds.sample_complexity import SampleComplexityBound, SampleComplexityBounds
    from banditproof.theory.laws.instance import Instance

QUANTILES, PARTS = (0.1, 0.5, 0.9), ("mean", "deviation")
MOST_RUNS, LARGEST_CAP = 10**6, 10**12


def print_sample_complexity_bounds(
    means: str, family: str, sigma: str, delta: str, epsilon: str | None, beta: str | None, as_json: bool,
    csv: Path | None, plot: Path | None, certificate: Path | None,
) -> int:  # fmt: skip
    """Print every bound for an instance, the optimal allocation and the most confusing alternatives."""
    from banditproof.theory.best_arm.characteristic_times import characteristic_time
    from banditproof.theory.bounds.sample_complexity import sample_complexity_lower_bound

    instance, budgets = instance_of(means, family, sigma), several("epsilon", epsilon)
    with reading_points(epsilon or ""):
        found = [sample_complexity_lower_bound(instance, number("delta", delta), epsilon=budget) for budget in budgets]
    if len(found) > 1:
        left_out(OVER_BUDGETS, beta=beta, plot=plot, certificate=certificate)
        return print_over_budgets(f"Samples at {_risk(found[0])} >=", found, _document if as_json else None, csv)
    (bounds,), fixed = found, None
    if beta is not None:
        sharpest = None if bounds.epsilon is None else "d_epsilon"
        fixed = characteristic_time(instance, epsilon=bounds.epsilon, beta=number("beta", beta), divergence=sharpest)
    write_certificates(certificate, _times(bounds, fixed))
    if as_json:
        print_document(_document(bounds, fixed))
    else:
        _print_tables(bounds, fixed)
    write_rows(csv, list(bounds.to_dict().values()))
    if plot is not None:
        draw(plot, bounds.plot)
    return 0


def _times(bounds: SampleComplexityBounds, fixed: CharacteristicTime | None) -> dict[str, CharacteristicTime]:
    return {**bounds.times, **({} if fixed is None else {"fixed proportion": fixed})}


def _document(bounds: SampleComplexityBounds, fixed: CharacteristicTime | None = None) -> dict[str, Any]:
    """What `--json` prints; arms count from 1, as in the tables."""
    names = ("name", *OF_A_SOURCE, "formula", "time", "factor", "value", "regime", "applies", "why")
    return {
        "means": bounds.instance.means,
        "delta": bounds.delta,
        "epsilon": bounds.epsilon,
        "bounds": [{name: getattr(bound, name) for name in names} for bound in bounds.bounds.values()],
        "strongest": best.name if (best := _strongest(bounds)) else None,
        "times": {
            name: {
                "value": time.value,
                "beta": time.beta,
                "allocation": time.allocation,
                "alternatives": [vars(one) | {"challenger": one.challenger + 1} for one in time.alternatives],
            }
            for name, time in _times(bounds, fixed).items()
        },
    }


def _print_tables(bounds: SampleComplexityBounds, fixed: CharacteristicTime | None) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    table = Table(*CITED, "samples >=", "regime", title=f"Sample complexity at {_risk(bounds)}")
    for bound in bounds.bounds.values():
        table.add_row(*cited(bound), certain(bound), bound.regime or "-")
    time = fixed or bounds.times.get("d_epsilon", bounds.times["kl"])
    of_best = "" if time.beta is None else f", {float(time.beta):g} on the best arm"
    plan = Table(
        "arm", "mean", "proportion", title=f"Optimal allocation, {time.name} in {time.value.decimal(7)}{of_best}"
    )
    for arm, (mean, share) in enumerate(zip(time.instance.means, time.allocation, strict=True), start=1):
        if arm <= SHOWN:
            plan.add_row(str(arm), shown(mean), f"{share:.6g}")
    console = Console()
    console.print(table)
    best = _strongest(bounds)
    strongest = f"{best.name}, at least {best.value.decimal(7)} samples" if best else "none says anything at this risk"
    console.print(f"strongest: {strongest}", markup=False)
    console.print(plan)
    for alternative in sorted(time.alternatives, key=lambda one: -one.weight)[:SHOWN]:
        console.print(
            f"hard alternative: arm {alternative.challenger + 1} ties with the best arm at {float(alternative.mean):g} "
            f"(priced in {alternative.price}), weight {alternative.weight:.4g}"
        )
    hidden = len(time.instance.arms) - SHOWN
    if hidden > 0:
        console.print(f"{hidden} more arms: see --json")
    say_what_they_are(console, bounds)
    console.print(FOOTNOTE)


def _strongest(bounds: SampleComplexityBounds) -> SampleComplexityBound | None:
    return bounds.best if any(bound.applies for bound in bounds.values()) else None


def _risk(bounds: SampleComplexityBounds) -> str:
    return f"risk {shown(bounds.delta)}"


def identify_best_arms(asked: IdentifyOptions) -> int:
    """Run every named strategy, at every budget: error and quantiles of the stopping time, beside the lower bounds."""
    from banditproof.algorithms.environment import BernoulliBandit
    from banditproof.algorithms.registration import IdentificationSetting
    from banditproof.algorithms.roster import algorithm
    from banditproof.algorithms.run.identification import identify_sweep
    from banditproof.cli.plotting import can_draw
    from banditproof.theory.bounds.sample_complexity import sample_complexity_lower_bound
    from banditproof.theory.hints import hint_of_risk
    from banditproof.theory.laws.instance import Instance

    names = list(dict.fromkeys(map(str.casefold, asked.algorithm)))
    entries = {name: algorithm(name, IdentificationSetting) for name in names}
    private = {name: entry.private for name, entry in entries.items()}
    with reading_points(asked.means):
        instance = Instance(means=numbers("means", asked.means))
    epsilon, seed, plot = asked.epsilon, asked.seed, asked.plot
    budgets = several("epsilon", epsilon)
    risk, given = number("delta", asked.delta), read_options(asked.option or [])
    bounds = {budget: sample_complexity_lower_bound(instance, risk, epsilon=budget) for budget in budgets}
    hint_of_risk(risk)
    count, longest = integer("runs", asked.runs, 1, MOST_RUNS), integer("cap", asked.cap, 1, LARGEST_CAP)
    if epsilon is not None and not any(private.values()):
        raise InvalidInput("epsilon", epsilon, f"left out, because {', '.join(names)} would not use it")
    bandit = BernoulliBandit([float(mean) for mean in instance.means])
    spent = {None if budget is None else as_float("epsilon", budget): budget for budget in budgets}
    if plot is not None and len(spent) == 1:
        raise InvalidInput("plot", str(plot), "used with several budgets, such as --epsilon 0.1,1,10")
    drawn = plot is not None and can_draw(plot)
    points = []
    with working(asked.workers, asked.scheduler) as workers, watched("identify", "runs") as show:
        for name, at, result in identify_sweep(
            names,
            bandit,
            list(spent),
            as_float("delta", risk),
            longest,
            runs=count,
            seed=seed,
            options=given,
            workers=workers if callable(workers) or len(budgets) > 1 else 1,
            progress=show,
        ):
            budget = budgets[0] if at is None else spent[at]
            applying = [b for b in bounds[budget].bounds.values() if b.applies and (private[name] or b.regime is None)]
            points.append(Point(name, at, applying, _summary(result, bandit.means, longest)))
    in_force = {name: {k: given.get(k, v) for k, v in entry.options.items()} for name, entry in entries.items()}
    if asked.json:
        facts = {"means": instance.means, "delta": risk, "runs": count, "cap": longest, "seed": seed, "error": ERROR}
        facts["options"] = in_force
        if len(budgets) == 1:
            results = {"epsilon": budgets[0], "algorithms": {one.name: _record(one) for one in points}}
        else:
            listed = [{"algorithm": one.name, "epsilon": one.epsilon, **_record(one)} for one in points]
            results = {"epsilons": budgets, "points": listed}
        print_document(facts | results)
    else:
        (_print_runs if len(budgets) == 1 else _print_sweep)(points, f"risk {float(risk):g}, {count} runs", count)
        print_options(in_force)
    if plot is not None and drawn:
        _plot_times(plot, points, instance, bounds)
    return 0


@dataclass(frozen=True)
class Point:
    """Runs of a strategy at a budget (None: it has none), with the lower bounds that apply to it."""

    name: str
    epsilon: float | None
    bounds: list[SampleComplexityBound]
    summary: dict[str, Any]


def _record(point: Point) -> dict[str, Any]:
    beside = [{"name": b.name, "source": b.source, "value": b.value} for b in point.bounds]
    return {**point.summary, "bounds": beside}


def _summary(result: IdentificationResult, means: np.ndarray, cap: int) -> dict[str, Any]:
    from banditproof.verify.proof.statistics import binomial_interval, quantile_interval

    stopped = result.recommendation >= 0
    wrong = int((stopped & (means[result.recommendation] < means.max())).sum())
    runs, level = stopped.size, Fraction(str(ERROR))
    return {
        "wrong": wrong,
        "error_interval": list(binomial_interval(wrong, runs, level)),
        "not_stopped": int(runs - stopped.sum()),
        "mean": float(result.pulls.mean()),
        "deviation": float(result.pulls.std()),
        "quantiles": [
            {
                "quantile": q,
                "value": float(np.quantile(result.pulls, q, method="inverted_cdf")),
                "interval": [min(max(end, 0.0), float(cap)) for end in quantile_interval(result.pulls, q, ERROR)],
            }
            for q in QUANTILES
        ],
    }


def _print_runs(points: list[Point], setting: str, runs: int) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    level = f"{100 * (1 - ERROR):g} %"
    title = f"Best-arm identification at {setting} (stopping times with {level} intervals)"
    table = Table("strategy", "wrong arm", f"{level} interval", *(f"{100 * q:g} %" for q in QUANTILES), title=title)
    for point in points:
        low, high = point.summary["error_interval"]
        times = [
            f"{q['value']:.5g} [{q['interval'][0]:.5g}, {q['interval'][1]:.5g}]" for q in point.summary["quantiles"]
        ]
        table.add_row(point.name, f"{point.summary['wrong'] / runs:.3g}", f"[{low:.3g}, {high:.3g}]", *times)
    console = Console()
    console.print(table)
    beside = Table("for", "bound", "source", "expected samples", title="Lower bounds that apply")
    concerned: dict[tuple[str, str, str], list[str]] = {}
    for point in points:
        for bound in point.bounds:
            concerned.setdefault((bound.name, bound.source, f">= {bound.value.decimal(5)}"), []).append(point.name)
    for row, titles in concerned.items():
        beside.add_row("; ".join(titles), *row)
    console.print(beside)
    _print_unfinished(console, points, runs)


def _print_sweep(points: list[Point], setting: str, runs: int) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    table = Table(
        "strategy", "epsilon", "wrong", "mean samples", "deviation", ">= (bound)", title=f"Sweep at {setting}"
    )
    for one in points:
        best = max((bound.value.lower for bound in one.bounds), default=None)
        budget, bound = ("-" if value is None else f"{float(value):.4g}" for value in (one.epsilon, best))
        counted = str(one.summary["wrong"]), *(f"{one.summary[part]:.5g}" for part in PARTS)
        table.add_row(one.name, budget, *counted, bound)
    console = Console()
    console.print(table)
    _print_unfinished(console, points, runs)


def _print_unfinished(console: Any, points: list[Point], runs: int) -> None:
    for point in points:
        missing, at = point.summary["not_stopped"], "" if point.epsilon is None else f" at epsilon {point.epsilon:g}"
        if missing:
            console.print(
                f"{point.name}{at}: {missing} of {runs} runs did not stop before the cap, so they name no arm"
            )


def _plot_times(path: Path, points: list[Point], instance: Instance, bounds: dict[Any, SampleComplexityBounds]) -> None:
    """Mean stopping times against the budget with their 10-90 % range, the best lower bound and the regimes."""
    from banditproof.cli.plotting import write
    from banditproof.theory.bounds.sample_complexity import sample_complexity_lower_bound
    from banditproof.theory.drawing import curves

    budgets = [float(budget) for budget in bounds]
    drawn = {}
    for name in dict.fromkeys(one.name for one in points):
        summaries = {one.epsilon: one.summary for one in points if one.name == name}
        row = [summaries[at if at in summaries else None] for at in budgets]
        low, _, high = ([one["quantiles"][i]["value"] for one in row] for i in range(len(QUANTILES)))
        drawn[name] = [one["mean"] for one in row], low, high
    some = next(iter(bounds.values()))
    between = np.geomspace(min(budgets), max(budgets), BETWEEN if len(budgets) > 1 else 1).tolist()
    best = [_strongest(sample_complexity_lower_bound(instance, some.delta, epsilon=b)) for b in between]
    means = ", ".join(map(shown, some.instance.means))
    picture = curves(
        budgets,
        drawn,
        title=f"Mean stopping time and 10-90 % range at {_risk(some)}\nmeans {means}",
        axes=("privacy budget epsilon", "samples"),
        lines={"lower bound": (None, between, [float(bound.value.lower) if bound else 0.0 for bound in best])},
        changes=[float(some.times["tv"].value.lower / some.times["kl"].value.lower)],
    )
    write(picture, path)
