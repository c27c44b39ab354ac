"""``banditproof bounds minimax`` and ``bounds adversarial``: worst-case regret over a horizon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, integer, number, optional
from banditproof.cli.arguments import table as read_table
from banditproof.cli.certificates import write_certificates
from banditproof.cli.documents import FOOTNOTE, print_document
from banditproof.cli.simulating import check_looks
from banditproof.theory.errors import InvalidInput, close_to

if TYPE_CHECKING:
    from banditproof.algorithms.adversarial.experts import Panel
    from banditproof.algorithms.adversarial.losses import LossTable, Played
    from banditproof.theory.bounds.adversarial import AdversarialBounds
    from banditproof.theory.bounds.minimax import MinimaxLowerBounds

MOST_LOSSES = 10**8  # in memory: about a gigabyte


def print_minimax_bounds(
    arms: str | None, dimension: str | None, horizon: str, epsilon: str | None, rho: str | None, span: str,
    as_json: bool, plot: Path | None, certificate: Path | None,
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
    write_certificates(certificate, {"minimax regret": bounds})
    if as_json:
        names = ("name", "source", "formula", "terms", "value", "regime", "applies", "why")
        listed = [{name: getattr(bound, name) for name in names} for bound in bounds.bounds.values()]
        print_document({**problem, **budgets, "ceiling": bounds.ceiling, "bounds": listed})
    else:
        _print_table(bounds)
    if plot is not None:
        _plot(plot, problem, budgets)
    return 0


def _print_table(bounds: MinimaxLowerBounds) -> None:
    from rich.console import Console
    from rich.table import Table

    of = "Gaussian arms" if bounds.model == "gaussian" else "linear bandits with noise"
    table = Table(
        "bound", "source", "minimax regret >=", "privacy regime", title=f"Minimax lower bounds for {of} of variance 1"
    )
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
    from banditproof.cli.plotting import draw
    from banditproof.theory.bounds.minimax import minimax_lower_bound, privacy_regime_change
    from banditproof.theory.drawing import against_budget

    name = "rho" if budgets["epsilon"] is None and budgets["rho"] is not None else "epsilon"
    size = {part: problem[part] for part in ("arms", "dimension") if problem[part] is not None}
    change = privacy_regime_change(**size, horizon=problem["horizon"], budget=name)
    marked = budgets[name]

    def bounds_at(budget: float) -> dict[str, Any]:
        at: dict[str, Any] = {**problem, name: budget}
        found = minimax_lower_bound(**at).bounds
        return {label: bound.value if bound.applies else None for label, bound in found.items()}

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


ERROR = 0.01  # of the intervals of simulated regrets


def simulate_on_losses(
    losses: str, names: list[str], budgets: dict[str, str | None], horizon: str, arms: str | None,
    experts: str | None, panel: str, runs: str, seed: int, as_json: bool, plot: Path | None,
) -> int:  # fmt: skip
    """Play the named algorithms against losses fixed beforehand and print regret with intervals, beside the bounds."""
    import numpy as np

    from banditproof.algorithms.adversarial.losses import hard_panel
    from banditproof.cli.plotting import can_draw, plot_rates
    from banditproof.theory.bounds.adversarial import adversarial_bounds
    from banditproof.verify.proof.statistics import mean_interval

    played, given = integer("runs", runs), {n: number(n, t) for n, t in budgets.items() if t is not None}
    if played < 1:
        raise InvalidInput("runs", runs, "a whole number, at least 1")
    if "epsilon" not in given or set(given) - {"epsilon", "delta"}:
        raise InvalidInput("budget", ", ".join(given) or "none", "--epsilon, and --delta for exp4-batched")
    names = list(dict.fromkeys(map(str.casefold, names)))
    table = _losses(losses, integer("horizon", horizon), None if arms is None else integer("arms", arms))
    for name in names:
        check_looks(name, len(table.losses), played, table.arms)
    epsilon, size = as_float("epsilon", given["epsilon"]), None if experts is None else integer("experts", experts)
    if size is not None and size < 2:
        raise InvalidInput("experts", experts, "a whole number, at least 2")
    panelled = None if size is None else hard_panel(panel, size, table.arms)
    bounds = adversarial_bounds(
        table.arms, horizon=len(table.losses), epsilon=given["epsilon"], experts=size, delta=given.get("delta")
    )
    drawn = plot is not None and can_draw(plot)
    delta = None if "delta" not in given else as_float("delta", given["delta"])
    results: dict[str, Any] = {}
    for name in names:
        found = _played(name, table, epsilon, delta, panelled, played, seed)
        regret = found.regret[:, 0]
        low, high = mean_interval(found.loss[:, 0], float(len(table.losses)), ERROR)
        best = found.loss[0, 0] - regret[0]
        results[name] = {
            "mean": float(regret.mean()),
            "mean_interval": [float(low - best), float(high - best)],
            "median": float(np.median(regret)),
            "bound": bounds[_BOUND_OF[name]] if _BOUND_OF.get(name, "") in bounds else None,
        }
    rates = _rates(losses, table, list(results), epsilon, delta, panelled, played, seed) if drawn else {}
    for label, (curves, _) in rates.items():
        for name, curve in curves.items():
            results[name][f"exponent in {label}"] = [curve.exponent, *curve.interval]
    if as_json:
        facts = {"losses": losses, "arms": table.arms, "horizon": len(table.losses), "runs": played, "seed": seed}
        for found in results.values():
            bound = found["bound"]
            found["bound"] = bound and {"source": bound.source, "value": bound.value, "applies": bound.applies}
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
    from banditproof.algorithms.adversarial.roster import Game, adversarial_policy
    from banditproof.theory.privacy.budget import Budget

    budget = Budget.pure(epsilon)
    if name == "exp4-batched":
        if delta is None:
            raise InvalidInput("delta", None, "in (0, 1) for exp4-batched")
        budget = Budget.approximate(epsilon, delta)
    game = Game(table.arms, len(table.losses), budget, panel, runs)
    advised = panel if name.startswith(("exp4", "experts")) else None
    return play_fastest(adversarial_policy(name, game, np.random.default_rng(seed)), table, panel=advised)


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
        found: dict[str, dict[float, float]] = {}
        experts = None if panel is None else panel.experts
        for size, horizon, budget in points:
            bounds = adversarial_bounds(table.arms, horizon=int(horizon), epsilon=budget, experts=experts, delta=delta)
            wanted = {name: _BOUND_OF.get(name, "") for name in names}
            for name, bound in {**wanted, "prior rate": "prior", "rate of Table 1": "table-bandits"}.items():
                if bound in bounds:
                    found.setdefault(name, {})[size] = float(bounds[bound].value.upper)
        return found

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


_BOUND_OF = {
    "exp3": "exp3",
    "ftpl": "ftpl",
    "htinf": "htinf",
    "experts-htinf": "experts-htinf",
    "exp4-local": "experts-local",
    "exp4-batched": "experts-batched",
}


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
        found = worst_losses(typed.removeprefix("worst-"), horizon)
    elif not Path(typed).is_file():
        known = (*HARD, *(f"worst-{name}" for name in stored()))
        allowed = f"a CSV file with a row per round, or one of {', '.join(known)}"
        raise InvalidInput("losses", typed, allowed, close_to(typed, known))
    else:
        rows = read_table("losses", Path(typed))
        if len(rows) < horizon:
            raise InvalidInput("horizon", horizon, f"at most the number of rows of {typed}, {len(rows)}")
        found = LossTable([[as_float("losses", value) for value in row] for row in rows[:horizon]])
    if arms not in (None, found.arms):
        raise InvalidInput("arms", arms, f"{found.arms}, as these losses have")
    return found


def _print_play(losses: str, table: LossTable, results: dict[str, Any], runs: int, seed: int) -> None:
    from rich.console import Console
    from rich.table import Table

    title = f"Regret on {losses}: {len(table.losses):g} rounds, {table.arms} arms, {runs} runs, seed {seed}"
    shown = Table("algorithm", "mean", f"{100 * (1 - ERROR):g} % interval", "median", "its bound", title=title)
    for name, found in results.items():
        low, high = found["mean_interval"]
        bound = found["bound"]
        value = "-" if bound is None else bound.value.decimal(5) if bound.applies else f"({bound.value.decimal(5)})"
        shown.add_row(name, f"{found['mean']:.5g}", f"[{low:.5g}, {high:.5g}]", f"{found['median']:.5g}", value)
    console = Console()
    console.print(shown)
    for name, found in results.items():
        for fact in (fact for fact in found if fact.startswith("exponent")):
            exponent, low, high = found[fact]
            console.print(f"{name}: {fact}: {exponent:.3f}, 99 % in [{low:.3f}, {high:.3f}]", markup=False)
