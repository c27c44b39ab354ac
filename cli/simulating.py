"""``banditproof simulate``: algorithms on an instance, with intervals and beside every bound that applies."""

from __future__ import annotations

import csv
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.cli.arguments import all_used, as_float, integer, number, numbers, reading_points, typed_budget
from banditproof.cli.checking import say_what_is_slow
from banditproof.cli.documents import print_document
from banditproof.cli.plotting import can_draw
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.algorithms.registration import Algorithm, Setting
    from banditproof.algorithms.run.in_order import Map
    from banditproof.cli.settings import SimulateOptions
    from banditproof.theory.privacy.budget import Budget

ERROR = 0.01  # of every interval
RECORDS = 60  # times of the regret curves, evenly spaced on a logarithmic axis
BOUNDED = 12  # of these times have their bounds drawn
CHUNKS = 1000  # of runs that move together; more runs in each where there would be more chunks
MOST_RUNS, LONGEST = 10**6, 10**15
MOST_LOOKS = 10**12  # at an arm, in all pulls of all runs, for algorithms that decide at every pull: hours
SECONDS_OF_A_LOOK = 5e-8  # compiled, for the index that takes longest


class BernoulliArms:
    """An instance with Bernoulli arms: what names its algorithms, what plays it, and what bounds its regret."""

    chunk = 10  # runs that move together

    def __init__(self, means: str) -> None:
        from banditproof.theory.laws.instance import Instance

        with reading_points(means):
            self.instance = Instance(means=numbers("means", means))
        self.means = list(self.instance.means)
        self.facts: dict[str, Any] = {"means": self.means}
        self.note = ""
        self.title = "means " + ", ".join(f"{float(mean):g}" for mean in self.means)
        self.largest_gap = float(max(self.means) - min(self.means))

    def algorithm(self, name: str) -> Algorithm:
        from banditproof.algorithms.roster import algorithm

        return algorithm(name)

    def engine(self, algorithm: Algorithm) -> Any:
        from banditproof.algorithms.run.compiled import simulate_fastest
        from banditproof.algorithms.run.simulator import simulate

        if not algorithm.every_pull:
            return simulate
        say_what_is_slow()
        return simulate_fastest

    def environment(self) -> Any:
        from banditproof.algorithms.environment import BernoulliBandit

        return BernoulliBandit([float(mean) for mean in self.means])

    def setting(self, horizon: int, budget: Budget | None, generator: np.random.Generator, runs: int) -> Setting:
        from banditproof.algorithms.registration import Setting

        return Setting(len(self.means), horizon, budget, generator, runs)

    def bounds(self, policy: Any, budget: Budget | None, horizon: int) -> list[tuple[str, Any, bool]]:
        """Lower and upper bounds of this policy's regret: (side, bound, whether it is asymptotic)."""
        from banditproof.cli.bounds import say_how_long
        from banditproof.theory.bounds.lower_bounds import regret_lower_bound
        from banditproof.theory.bounds.upper_bounds import has_upper_bound, regret_upper_bound

        say_how_long(self.instance)
        pure = None if budget is None else budget.largest_loss
        lower = regret_lower_bound(self.instance, pure, max(horizon, 1)).bounds.values()
        known = has_upper_bound(policy)
        upper = regret_upper_bound(policy, self.instance, horizon, budget).bounds.values() if known else []
        shown: list[tuple[str, Any, bool]] = [("lower", bound, True) for bound in lower]
        return shown + [("upper", bound, bound.asymptotic) for bound in upper]


@dataclass(frozen=True)
class Experiment:
    """What was asked for; `arms` are `BernoulliArms`, `LinearArms` or `ContextualArms`."""

    arms: Any
    horizon: int
    runs: int
    seed: int
    checkpoints: Path | None
    options: dict[str, Any]

    @property
    def times(self) -> np.ndarray:
        return np.unique(np.geomspace(min(10, self.horizon), self.horizon, RECORDS).round().astype(int))

    @property
    def largest_regret(self) -> float:
        """No run can have more: T times the largest gap; infinite where gaps have no bound."""
        return self.horizon * self.arms.largest_gap


def chosen_arms(asked: SimulateOptions) -> Any:
    """The instance that was typed: means of Bernoulli arms, or theta with actions or contexts.

    Raises InvalidInput for none of these, and for more than one.
    """
    typed: dict[str, Any] = {name: value for name, value in asked.instance.items() if value is not None}
    law = asked.law or "normal"
    match typed:
        case {"contexts": contexts, "theta": theta, **others} if not others:
            from banditproof.cli.linear import ContextualArms

            return ContextualArms(contexts, theta, asked.arms, law)
        case {"actions": actions, "theta": theta, **others} if not others:
            from banditproof.cli.linear import LinearArms

            return LinearArms(actions, theta, law)
        case {"means": means, **others} if not others:
            return BernoulliArms(means)
    given = " and ".join(f"--{name}" for name in typed)
    raise InvalidInput(
        "instance", given or "none", "given by --means, or --actions or --contexts together with --theta"
    )


def simulate_algorithms(asked: SimulateOptions) -> int:
    """Simulate every named algorithm and print its regret with intervals, beside the bounds."""
    arms, budgets, table, plot = chosen_arms(asked), asked.budgets, asked.csv, asked.plot
    chosen = [arms.algorithm(name) for name in dict.fromkeys(map(str.casefold, asked.algorithm))]
    experiment = Experiment(
        arms,
        integer("horizon", asked.horizon, 1, LONGEST),
        integer("runs", asked.runs, 1, MOST_RUNS),
        asked.seed,
        None if asked.checkpoints is None else asked.checkpoints.resolve(),
        read_options(asked.option or []),
    )
    spent = {o.name: typed_budget(budgets, o.kinds, o.name, exactly=False) if o.kinds else None for o in chosen}
    all_used(budgets, spent.values(), spent)
    for one in chosen:
        _check(one, spent[one.name], experiment)
    drawn = plot is not None and can_draw(plot)
    if table is not None and (table.is_dir() or not table.parent.is_dir()):
        raise InvalidInput("csv", str(table), "a file in a folder that exists")
    with working(asked.workers, asked.scheduler) as workers:
        results = {one.name: _regret(one, spent[one.name], experiment, workers) for one in chosen}
    bounds = {one.name: _bounds(one, spent[one.name], experiment) for one in chosen}
    summaries = {name: _summary(curves[:, -1], experiment) for name, curves in results.items()}
    in_force = {one.name: {**one.options, **experiment.options} for one in chosen}
    if asked.json:
        facts = {**arms.facts, "horizon": experiment.horizon, "runs": experiment.runs, "seed": experiment.seed}
        budget = {name: None if b is None else {"kind": b.kind, **b.parameters} for name, b in spent.items()}
        listed = {
            n: {"budget": budget[n], "options": in_force[n], "regret": summaries[n], "bounds": bounds[n]}
            for n in results
        }
        print_document({**facts, "error": ERROR, "algorithms": listed})
    else:
        _print(experiment, spent, summaries, bounds)
        print_options(in_force)
        for one in chosen:
            _say_what_does_not_apply(one, spent[one.name], experiment)
    if table is not None:
        _write_table(table, experiment, results)
    if plot is not None and drawn:

        def bounds_after(time: int) -> dict[str, Any]:
            return {one.name: _bounds(one, spent[one.name], replace(experiment, horizon=time)) for one in chosen}

        _plot(plot, experiment, results, bounds_after)
    return 0


@contextmanager
def working(workers: int | None, scheduler: str | None) -> Iterator[int | Map]:
    """What runs the pieces: so many processes here, all cores by default, or the cluster of a scheduler."""
    if scheduler is None:
        yield workers or os.cpu_count() or 1
        return
    from banditproof.claims.run.cluster import connected

    with connected(scheduler) as cluster:
        yield cluster.map


def _check(algorithm: Algorithm, budget: Budget | None, experiment: Experiment) -> None:
    """InvalidInput for options that the algorithm does not take, and for what would not end; nothing has run then."""
    for name, value in experiment.options.items():
        if name in algorithm.options and isinstance(value, str) and not isinstance(algorithm.options[name], str):
            raise InvalidInput(name, value, f"a finite number for {algorithm.name}")
    setting = experiment.arms.setting(experiment.horizon, budget, np.random.default_rng(0), 1)
    algorithm.build(setting, **experiment.options)
    if algorithm.every_pull:
        arms = experiment.arms.setting(experiment.horizon, None, np.random.default_rng(0), 1).arms
        check_looks(algorithm.name, experiment.horizon, experiment.runs, arms)


def check_looks(name: str, horizon: int, runs: int, arms: int) -> None:
    """For what looks at every arm at every pull: InvalidInput where that would not end, a line where it takes long."""
    looks = horizon * runs * arms
    if looks > MOST_LOOKS:
        allowed = f"at most {MOST_LOOKS:g} for {name}, which computes with every arm at every pull"
        raise InvalidInput("horizon times runs times arms", f"{looks:g}", allowed)
    if (minutes := looks * SECONDS_OF_A_LOOK / 60) > 0.5:
        print(
            f"{name} computes with every arm at every pull, which takes up to {math.ceil(minutes)} min", file=sys.stderr
        )


def read_options(texts: list[str]) -> dict[str, Any]:
    """The parameters of algorithms that were typed. Raises InvalidInput for one that is there twice."""
    options: dict[str, Any] = {}
    for name, value in map(read_option, texts):
        if name in options:
            raise InvalidInput("option", f"{name} twice", "given once for each name")
        options[name] = value
    return options


def read_option(text: str) -> tuple[str, Any]:
    """A parameter of an algorithm, typed as name=value."""
    name, sign, value = text.partition("=")
    if not sign:
        raise InvalidInput("option", text, "of the form name=value")
    try:
        exact = number(name, value)
    except InvalidInput:
        return name, value
    finite = as_float(name, exact)
    if not math.isfinite(finite):
        raise InvalidInput(name, value, "a finite number")
    if exact == exact // 1 and abs(exact) < 2**53:
        return name, int(exact)
    return name, exact if name == "alpha" else finite  # by which batches grow, to the last digit


def _regret(algorithm: Algorithm, budget: Budget | None, experiment: Experiment, workers: int | Map) -> np.ndarray:
    """Regret of every run at the record times, [runs, times]; a bar shows how far it is."""
    from banditproof.algorithms.run.simulator import simulate
    from banditproof.algorithms.run.sweep import simulate_chunks

    arms, horizon, options = experiment.arms, experiment.horizon, experiment.options  # what `make` takes with it

    def make(rows: slice, generator: np.random.Generator) -> Any:
        return algorithm.build(arms.setting(horizon, budget, generator, rows.stop - rows.start), **options)

    chunk, engine = max(arms.chunk, experiment.runs // CHUNKS), arms.engine(algorithm)
    if not callable(workers):
        workers = min(workers, -(-experiment.runs // chunk))
    alone = engine is simulate and workers == 1 and experiment.runs <= chunk
    with watched(algorithm.name, "pulls" if alone else "chunks of runs") as show:
        result = simulate_chunks(
            make, arms.environment(), horizon, replications=experiment.runs, seed=experiment.seed,
            record_times=experiment.times, chunk_size=chunk, workers=workers, checkpoints=experiment.checkpoints,
            progress=None if alone else show,
            engine=wraps(simulate)(partial(simulate, progress=show)) if alone else engine,
        )  # fmt: skip
    return result.regret


@contextmanager
def watched(name: str, what: str) -> Iterator[Callable[[int, int], None]]:
    """A function of (done, total) that moves a bar; off a terminal it prints lines, a tenth or ten seconds apart.

    There a line also says when nothing was heard for two seconds at first, and for ten later.
    """
    from rich.console import Console
    from rich.progress import Progress

    console, tenths, last = Console(stderr=True), 0, time.monotonic()
    over, begun = Event(), last

    def wait() -> None:
        heard, quiet = last, 2
        while not over.wait(quiet):
            if last == heard:
                print(f"{name}: at work for {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
            heard, quiet = last, 10

    if not console.is_terminal:
        Thread(target=wait, daemon=True).start()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(name, total=None)

        def show(done: int, total: int) -> None:
            nonlocal tenths, last
            bar.update(task, completed=done, total=total)
            waited = time.monotonic() - last
            if not console.is_terminal and (waited > 10 or waited > 1 and 10 * done // total != tenths):
                print(f"{name}: {done:g} of {total:g} {what}", file=sys.stderr, flush=True)
                tenths, last = 10 * done // total, time.monotonic()

        try:
            yield show
        finally:
            over.set()


def _summary(regret: np.ndarray, experiment: Experiment) -> dict[str, Any]:
    from banditproof.verify.proof.statistics import mean_interval, quantile_interval

    top = max(experiment.largest_regret, float(regret.max()), 1e-300)
    return {
        "mean": float(regret.mean()),
        "mean_interval": list(mean_interval(np.maximum(regret, 0), top, ERROR)) if math.isfinite(top) else None,
        "median": float(np.median(regret)),
        "median_interval": list(quantile_interval(regret, 0.5, ERROR)),
        "largest": float(regret.max()),
    }


def _bounds(algorithm: Algorithm, budget: Budget | None, experiment: Experiment) -> list[dict[str, Any]]:
    """Every lower and upper bound that applies to this algorithm, this instance and this budget."""
    setting = experiment.arms.setting(experiment.horizon, budget, np.random.default_rng(0), 1)
    policy = algorithm.build(setting, **experiment.options)
    return [
        {"side": side, "name": bound.name, "source": bound.source, "value": bound.value, "asymptotic": asymptotic}
        for side, bound, asymptotic in experiment.arms.bounds(policy, budget, experiment.horizon)
        if bound.applies
    ]


def _say_what_does_not_apply(algorithm: Algorithm, budget: Budget | None, experiment: Experiment) -> None:
    """A line for each bound of the algorithm that an option, the budget or the horizon rules out."""
    setting = experiment.arms.setting(experiment.horizon, budget, np.random.default_rng(0), 1)
    policy = algorithm.build(setting, **experiment.options)
    for side, bound, _ in experiment.arms.bounds(policy, budget, experiment.horizon):
        if side == "upper" and not bound.applies:
            print(f"{algorithm.name}: the {bound.name} bound ({bound.source}) does not apply: {bound.why}")


def _print(
    experiment: Experiment, budgets: dict[str, Budget | None], summaries: dict[str, Any], bounds: dict[str, Any]
) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table
    from banditproof.theory.verdicts import known_of

    console = Console()
    level = f"{100 * (1 - ERROR):g} %"
    title = f"Regret after {experiment.horizon:g} pulls, {experiment.runs} runs, seed {experiment.seed}"
    table = Table("algorithm", "budget", "median", f"{level} interval", "mean", f"{level} interval", title=title)
    for name, summary in summaries.items():
        table.add_row(
            name,
            _spent(budgets[name]),
            f"{summary['median']:.5g}",
            _interval_text(summary["median_interval"]),
            f"{summary['mean']:.5g}",
            _interval_text(summary["mean_interval"]) if summary["mean_interval"] else "unbounded",
        )
    console.print(table)
    beside = Table("for", "bound", "source", "verdict", "expected regret", title="Bounds that apply (* asymptotic)")
    for (side, name, source, value, asymptotic), algorithms in _grouped(bounds).items():
        sign = ">=" if side == "lower" else "<="
        concerned = "all" if len(algorithms) == len(bounds) > 1 else ", ".join(algorithms)
        verdicts = dict.fromkeys(known_of(one).verdict for one in source.split(", "))
        beside.add_row(concerned, name, source, ", ".join(verdicts), f"{sign} {value.decimal(5)}" + "*" * asymptotic)
    if any(bounds.values()):
        console.print(beside)
    if any(bound["asymptotic"] for each in bounds.values() for bound in each):
        console.print(
            "* c log T, which holds for regret / log T in the limit: at one T regret may lie on the other side."
        )
    console.print(
        "The intervals assume nothing about tails: the true mean may come from rare runs that this sample missed.",
        markup=False,
    )
    if experiment.arms.note and any(budgets.values()):
        console.print(experiment.arms.note, markup=False)


def print_options(in_force: Mapping[str, Mapping[str, Any]]) -> None:
    """The options of algorithms, typed or not; of those that have none nothing."""
    from rich.console import Console

    for name, options in in_force.items():
        said = (f"{option} {'by the horizon' if value is None else value}" for option, value in options.items())
        if options:
            Console().print(f"{name}: {', '.join(said)} (--option)", markup=False, highlight=False)


def _spent(budget: Budget | None) -> str:
    return "-" if budget is None else ", ".join(f"{name} {value:g}" for name, value in budget.parameters.items())


def _grouped(bounds: dict[str, Any]) -> dict[tuple[Any, ...], list[str]]:
    """Every different bound with the algorithms it is for."""
    groups: dict[tuple[Any, ...], list[str]] = {}
    for algorithm, listed in bounds.items():
        for bound in listed:
            key = tuple(bound[part] for part in ("side", "name", "source", "value", "asymptotic"))
            groups.setdefault(key, []).append(algorithm)
    return groups


def _interval_text(interval: list[float]) -> str:
    return "[" + ", ".join(f"{end:.5g}" for end in interval) + "]"


def _write_table(path: Path, experiment: Experiment, results: dict[str, np.ndarray]) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["algorithm", "run", "pulls", "regret"])
            for name, curves in results.items():
                for run, curve in enumerate(curves):
                    pairs = zip(experiment.times.tolist(), curve.tolist(), strict=True)
                    writer.writerows([name, run, time, regret] for time, regret in pairs)
    except OSError as error:
        raise InvalidInput("csv", str(path), f"a writable file ({error})") from None
    print(f"written: {path}", file=sys.stderr)


def _plot(
    path: Path, experiment: Experiment, results: dict[str, np.ndarray], bounds_after: Callable[[int], dict[str, Any]]
) -> None:
    """Mean regret over time with its 10-90 % range, the least upper bound of each algorithm and the best lower one."""
    from banditproof.cli.plotting import write
    from banditproof.theory.drawing import curves

    drawn = {n: (r.mean(axis=0), *np.quantile(r, (0.1, 0.9), axis=0)) for n, r in results.items()}
    step = -(-len(experiment.times) // BOUNDED)
    times = experiment.times[::-1][::step][::-1].tolist()  # the last one among them
    after = [bounds_after(time) for time in times]
    curve_of: dict[Any, list[str]] = {}  # a bound of several algorithms is one line
    for name in results:
        for side, best in (("upper", min), ("lower", max)):
            proved = any(b["side"] == side and not b["asymptotic"] for b in after[-1][name])
            series = [[b["value"] for b in at[name] if b["side"] == side and b["asymptotic"] != proved] for at in after]
            if series[-1]:  # nan, where it does not apply yet, draws nothing
                heights = tuple(
                    [best((float(getattr(v, side)) for v in values), default=math.nan) for values in series]
                )
                curve_of.setdefault((side, proved, heights), []).append(name)
    lines = {}
    for (side, proved, heights), names in curve_of.items():
        alone = names[0] if len(names) < len(results) or len(results) == 1 else None
        label = f"{side} bound" + ("" if proved else " as T grows")
        lines[f"{', '.join(names)}: {label}" if alone else label] = alone, times, heights
    notes = [f"{n}: a few runs with large regret lift the mean above the range" for n in _lifted(drawn)]
    if not all(proved for _, proved, _ in curve_of):
        limit = "c log T, which holds for regret / log T in the limit"
        notes += [f'"as T grows": {limit}; at one T regret may lie on the other side']
    title = f"Mean regret and 10-90 % range, {experiment.arms.title}"
    write(curves(experiment.times, drawn, title=title, lines=lines, notes=notes), path)


def _lifted(drawn: Mapping[str, Any]) -> list[str]:
    """The algorithms whose mean is above the 90 % quantile of their runs somewhere."""
    return [name for name, (mean, _, high) in drawn.items() if (mean > high * (1 + 1e-9)).any()]
