"""``banditproof bounds minimax`` and ``bounds adversarial``: worst-case regret over a horizon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, integer, number, optional
from banditproof.cli.bounds import CITED, OF_A_SOURCE, cited, say_verdicts, say_what_they_are
from banditproof.cli.certificates import write_certificates
from banditproof.cli.documents import FOOTNOTE, print_document, write_rows
from banditproof.cli.simulating import check_looks
from banditproof.cli.tables import table as read_table
from banditproof.theory.errors import InvalidInput, close_to

if TYPE_CHECKING:
    from banditproof.algorithms.adversarial.experts import Panel
    from banditproof.algorithms.adversarial.losses import LossTable, Played
    from banditproof.cli.settings import SimulateOptions
    from banditproof.theory.bounds.adversarial import AdversarialBound, AdversarialBounds
    from banditproof.theory.bounds.minimax import MinimaxLowerBounds

MOST_LOSSES = 10**8  # in memory: about a gigabyte


def print_minimax_bounds(
    arms: str | None, dimension: str | None, horizon: str, epsilon: str | None, rho: str | None, span: str,
    as_json: bool, csv: Path | None, plot: Path | None, certificate: Path | None,
) -> int:  # fmt: skip
    """Print every minimax lower bound for Gaussian arms, or for linear bandits where a dimension is given."""
    from banditproof.theory.bounds.minimax import minimax_lower_bound

    if (arms is None) == (dimension is None):
        raise InvalidInput("model", "neither" if arms is None else "both", "exactly one of --arms and --dimension")
    problem: dict[str, Any] = {
        "arms": None if arms is None else integer("arms", arms),
        "dimension": None if dimension is None else integer("dimension", dimension),
        "horizon": integer("horizon", horizon),
        "span": optional("span", span),
    }
    budgets: dict[str, Any] = {"epsilon": optional("epsilon", epsilon), "rho": optional("rho", rho)}
    bounds = minimax_lower_bound(**problem, **budgets)
    write_certificates(certificate, {"minimax regret": bounds})
    if as_json:
        names = ("name", *OF_A_SOURCE, "formula", "terms", "value", "regime", "applies", "why")
        listed = [{name: getattr(bound, name) for name in names} for bound in bounds.bounds.values()]
        print_document({**problem, **budgets, "ceiling": bounds.ceiling, "bounds": listed})
    else:
        _print_table(bounds)
    write_rows(csv, list(bounds.to_dict().values()))
    if plot is not None:
        _plot(plot, problem, budgets)
    return 0


def _print_table(bounds: MinimaxLowerBounds) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    of = "Gaussian arms" if bounds.model == "gaussian" else "linear bandits with noise"
    table = Table(*CITED, "minimax regret >=", "regime", title=f"Minimax lower bounds for {of} of variance 1")
    for bound in bounds.bounds.values():
        value = bound.value.decimal(6) if bound.applies else f"({bound.value.decimal(6)})"
        table.add_row(*cited(bound), value, bound.regime or "-")
    console = Console()
    console.print(table)
    say_what_they_are(console, bounds)
    ceiling = bounds.ceiling.decimal(6)
    console.print(
        f"Some policy that never looks at a reward has a regret of at most {ceiling} on every instance.", markup=False
    )
    console.print(FOOTNOTE)


def _plot(path: Path, problem: dict[str, Any], budgets: dict[str, Any]) -> None:
    from banditproof.cli.plotting import draw
    from banditproof.theory.bounds.minimax import minimax_lower_bound, privacy_regime_change
    from banditproof.theory.drawing import against_budget

    name = "rho" if budgets["epsilon"] is None and budgets["rho"] is not None else "epsilon"
    size = {part: problem[part] for part in ("arms", "dimension") if problem[part] is not None}
    change = privacy_regime_change(**size, horizon=problem["horizon"], budget=name)
    marked = budgets[name]

    def bounds_at(budget: float) -> dict[str, Any]:
        at: dict[str, Any] = {**problem, name: budget}
        bounds = minimax_lower_bound(**at).bounds
        return {label: bound.value if bound.applies else None for label, bound in bounds.items()}

    def picture() -> Any:
        return against_budget(
            bounds_at,
            [float(change.lower)],
            title="Minimax lower bounds",
            ylabel="minimax regret is at least",
            budget=name,
            marked=None if marked is None else as_float(name, marked),
        )

    draw(path, picture)


def print_adversarial_bounds(
    arms: str, horizon: str, epsilon: str, experts: str | None, delta: str | None, as_json: bool, csv: Path | None
) -> int:
    """Print every bound on the regret against losses fixed beforehand, with its conditions."""
    from banditproof.theory.bounds.adversarial import adversarial_bounds

    problem: dict[str, Any] = {"arms": integer("arms", arms), "horizon": integer("horizon", horizon)}
    problem["experts"] = None if experts is None else integer("experts", experts)
    problem |= {"epsilon": number("epsilon", epsilon), "delta": optional("delta", delta)}
    bounds = adversarial_bounds(problem.pop("arms"), **problem)
    if as_json:
        names = ("name", "kind", *OF_A_SOURCE, "formula", "value", "applies", "why")
        listed = [{name: getattr(bound, name) for name in names} for bound in bounds.bounds.values()]
        print_document({"arms": bounds.arms, **problem, "bounds": listed})
    else:
        _print_adversarial_table(bounds)
    write_rows(csv, list(bounds.to_dict().values()))
    return 0


def _print_adversarial_table(bounds: AdversarialBounds) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    table = Table(*CITED, "kind", "value", title="Worst-case regret against oblivious losses")
    for bound in bounds.bounds.values():
        value = bound.value.decimal(6) if bound.applies else f"({bound.value.decimal(6)})"
        table.add_row(*cited(bound), bound.kind, value)
    console = Console()
    console.print(table)
    for bound in bounds.bounds.values():
        console.print(f"{bound.name}: {bound.formula}; {bound.why}", markup=False)
    say_verdicts(console, [bound.source for bound in bounds.bounds.values()])
    if bounds.best is not None:
        console.print(f"The smallest upper bound that applies is {bounds.best.name}.", markup=False)


ERROR = 0.01  # of the intervals of simulated regrets


def simulate_on_losses(asked: SimulateOptions) -> int:
    """Play the named algorithms against losses fixed beforehand and print regret with intervals, beside the bounds."""
    import numpy as np

    from banditproof.algorithms.adversarial.losses import hard_panel
    from banditproof.algorithms.registration import Game
    from banditproof.algorithms.roster import algorithm
    from banditproof.cli.plotting import can_draw, plot_rates
    from banditproof.theory.bounds.adversarial import adversarial_bounds
    from banditproof.verify.proof.statistics import mean_interval

    losses, seed, plot = str(asked.losses), asked.seed, asked.plot
    played, given = integer("runs", asked.runs), {n: number(n, t) for n, t in asked.budgets.items() if t is not None}
    if played < 1:
        raise InvalidInput("runs", asked.runs, "a whole number, at least 1")
    names = list(dict.fromkeys(map(str.casefold, asked.algorithm)))
    for name in names:
        algorithm(name, Game)
    if "epsilon" not in given or set(given) - {"epsilon", "delta"}:
        raise InvalidInput(
            "budget", ", ".join(given) or "none", "given as --epsilon, for exp4-batched together with --delta"
        )
    arms = None if asked.arms is None else integer("arms", asked.arms)
    table = _losses(losses, integer("horizon", asked.horizon), arms)
    for name in names:
        check_looks(name, len(table.losses), played, table.arms)
    epsilon = as_float("epsilon", given["epsilon"])
    size = None if asked.experts is None else integer("experts", asked.experts)
    if size is not None and size < 2:
        raise InvalidInput("experts", asked.experts, "a whole number, at least 2")
    panelled = None if size is None else hard_panel(asked.panel or "constant", size, table.arms)
    bounds = adversarial_bounds(
        table.arms, horizon=len(table.losses), epsilon=given["epsilon"], experts=size, delta=given.get("delta")
    )
    drawn = plot is not None and can_draw(plot)
    delta = None if "delta" not in given else as_float("delta", given["delta"])
    results: dict[str, Any] = {}
    for name in names:
        result = _played(name, table, epsilon, delta, panelled, played, seed)
        regret = result.regret[:, 0]
        low, high = mean_interval(result.loss[:, 0], float(len(table.losses)), ERROR)
        best = result.loss[0, 0] - regret[0]
        results[name] = {
            "mean": float(regret.mean()),
            "mean_interval": [float(low - best), float(high - best)],
            "median": float(np.median(regret)),
            "bound": _bound_of(name, bounds),
        }
    rates = _rates(losses, table, list(results), epsilon, delta, panelled, played, seed) if drawn else {}
    for label, (curves, _) in rates.items():
        for name, curve in curves.items():
            results[name][f"exponent in {label}"] = [curve.exponent, *curve.interval]
    if asked.json:
        facts = {"losses": losses, "arms": table.arms, "horizon": len(table.losses), "runs": played, "seed": seed}
        for result in results.values():
            bound = result["bound"]
            result["bound"] = bound and {"source": bound.source, "value": bound.value, "applies": bound.applies}
        print_document({**facts, **given, "error": ERROR, "algorithms": results})
    else:
        _print_play(losses, table, results, played, seed)
        _print_adversarial_table(bounds)
    if plot is not None and drawn:
        plot_rates(plot, rates, title=f"Regret on {losses}, {table.arms} arms")
    return 0


def _played(
    name: str, table: LossTable, epsilon: float, delta: float | None, panel: Panel | None, runs: int, seed: int
) -> Played:
    """Runs of an algorithm of the roster, tuned to the length of the table."""
    import numpy as np

    from banditproof.algorithms.adversarial.compiled import play_fastest
    from banditproof.algorithms.registration import Game
    from banditproof.algorithms.roster import algorithm
    from banditproof.theory.privacy.budget import Budget

    entry, budget = algorithm(name, Game), Budget.pure(epsilon)
    if budget.kind not in entry.kinds:
        if delta is None:
            raise InvalidInput("delta", None, f"in (0, 1) for {name}")
        budget = Budget.approximate(epsilon, delta)
    game = Game(table.arms, len(table.losses), budget, np.random.default_rng(seed), runs, panel)
    advised = panel if "experts" in entry.asks else None
    return play_fastest(entry.build(game), table, panel=advised)


HALVINGS = 6  # horizons and budgets of a plot


def _rates(
    losses: str,
    table: LossTable,
    names: list[str],
    epsilon: float,
    delta: float | None,
    panel: Panel | None,
    runs: int,
    seed: int,
) -> dict[str, tuple[dict[str, Any], dict[str, dict[float, float]]]]:
    """Regret against the horizon and the budget, with the bounds and the prior rate, as `plot_rates` draws them."""
    from banditproof.algorithms.adversarial.rates import rate_curve
    from banditproof.theory.bounds.adversarial import adversarial_bounds

    whole = len(table.losses)

    def at(horizon: float) -> LossTable:
        return _losses(losses, int(horizon), table.arms)

    def regrets(name: str, horizon: float, budget: float) -> Any:
        return _played(name, at(horizon), budget, delta, panel, runs, seed).regret[:, 0]

    def lines(points: list[tuple[float, float, float]]) -> dict[str, dict[float, float]]:
        """By name, values at sizes, for (size, horizon, budget)."""
        curves: dict[str, dict[float, float]] = {}
        experts = None if panel is None else panel.experts
        for size, horizon, budget in points:
            bounds = adversarial_bounds(table.arms, horizon=int(horizon), epsilon=budget, experts=experts, delta=delta)
            wanted = {name: _bound_of(name, bounds) for name in names}
            rates = {"prior rate": "prior", "rate of Table 1": "table-bandits"}
            wanted |= {said: bounds.bounds.get(name) for said, name in rates.items()}
            for name, bound in wanted.items():
                if bound is not None:
                    curves.setdefault(name, {})[size] = float(bound.value.upper)
        return curves

    horizons = [whole >> k for k in reversed(range(HALVINGS)) if whole >> k >= 2]
    budgets = [2.0**-k for k in reversed(range(HALVINGS))]
    return {
        f"rounds, at epsilon {epsilon:g}": (
            {name: rate_curve(lambda T, name=name: regrets(name, T, epsilon), horizons, seed) for name in names},
            lines([(T, T, epsilon) for T in horizons]),
        ),
        f"epsilon, at {whole:g} rounds": (
            {name: rate_curve(lambda e, name=name: regrets(name, whole, e), budgets, seed) for name in names},
            lines([(e, whole, e) for e in budgets]),
        ),
    }


def _bound_of(name: str, bounds: AdversarialBounds) -> AdversarialBound | None:
    """The bound that the algorithm's own theorem gives; None without one."""
    from banditproof.algorithms.registration import Game
    from banditproof.algorithms.roster import algorithm

    source = algorithm(name, Game).source
    return next((bound for bound in bounds.bounds.values() if bound.source == source), None)


def _losses(typed: str, horizon: int, arms: int | None) -> LossTable:
    """A hard sequence by name, a stored worst case, or a CSV file with a row of losses per round."""
    from banditproof.algorithms.adversarial.losses import HARD, LossTable, hard_losses
    from banditproof.algorithms.adversarial.search import stored, worst_losses

    if horizon < 2:
        raise InvalidInput("horizon", horizon, "a whole number, at least 2")
    if horizon * (arms or 2) > MOST_LOSSES:
        raise InvalidInput("horizon times arms", f"{horizon * (arms or 2):g}", f"at most {MOST_LOSSES:g} losses")
    if typed in HARD:
        return hard_losses(typed, horizon, 2 if arms is None else arms)
    if typed.startswith("worst-"):
        table = worst_losses(typed.removeprefix("worst-"), horizon)
    elif not Path(typed).is_file():
        known = (*HARD, *(f"worst-{name}" for name in stored()))
        allowed = f"a CSV file with a row per round, or one of {', '.join(known)}"
        raise InvalidInput("losses", typed, allowed, close_to(typed, known))
    else:
        rows = read_table("losses", Path(typed))
        if len(rows) < horizon:
            raise InvalidInput("horizon", horizon, f"at most the number of rows of {typed}, {len(rows)}")
        table = LossTable([[as_float("losses", value) for value in row] for row in rows[:horizon]])
    if arms not in (None, table.arms):
        raise InvalidInput("arms", arms, f"{table.arms}, as these losses have")
    return table


def _print_play(losses: str, table: LossTable, results: dict[str, Any], runs: int, seed: int) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    title = f"Regret on {losses}: {len(table.losses):g} rounds, {table.arms} arms, {runs} runs, seed {seed}"
    shown = Table("algorithm", "mean", f"{100 * (1 - ERROR):g} % interval", "median", "its bound", title=title)
    for name, summary in results.items():
        low, high = summary["mean_interval"]
        bound = summary["bound"]
        value = "-" if bound is None else bound.value.decimal(5) if bound.applies else f"({bound.value.decimal(5)})"
        shown.add_row(name, f"{summary['mean']:.5g}", f"[{low:.5g}, {high:.5g}]", f"{summary['median']:.5g}", value)
    console = Console()
    console.print(shown)
    for name, summary in results.items():
        for fact in (fact for fact in summary if fact.startswith("exponent")):
            exponent, low, high = summary[fact]
            console.print(f"{name}: {fact}: {exponent:.3f}, 99 % in [{low:.3f}, {high:.3f}]", markup=False)
