"""``banditproof membership`` and ``banditproof audit``: what adversaries find out of what is published."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, integer, number
from banditproof.cli.documents import print_document
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.algorithms.membership import BernoulliColumns, Mechanism, Played
    from banditproof.algorithms.training import Epoch

ERROR = Fraction(1, 100)  # of the intervals of one row, jointly
LEVELS = (0.001, 0.01, 0.1)
TARGETS = ("easy", "hard", "random")


def play_membership(
    records: str,
    columns: str,
    spread: str,
    target: str,
    gammas: list[str],
    ratios: list[str],
    games: str,
    seed: int,
    as_json: bool,
    plot: Path | None,
) -> int:
    """Play the mean, the noisy means and the sub-sampled means against one target; print and draw what was won."""
    import numpy as np

    from banditproof.algorithms.membership import BernoulliColumns, Mean, NoisyMean, SubSampledMean
    from banditproof.cli.plotting import can_draw

    if target not in TARGETS:
        raise InvalidInput("target", target, f"one of {', '.join(TARGETS)}")
    n, d, rounds = integer("records", records), integer("columns", columns), integer("games", games)
    for name, value in {"records": n, "columns": d, "games": rounds}.items():
        if value < 1:
            raise InvalidInput(name, value, "an integer, at least 1")
    width = as_float("spread", number("spread", spread))
    if not 0 <= width < 0.5:
        raise InvalidInput("spread", spread, "in [0, 1/2): parameters are drawn from 1/2 - spread to 1/2 + spread")
    draw = plot if plot is not None and can_draw(plot) else None
    generator = np.random.default_rng(seed)
    data = BernoulliColumns(generator.uniform(0.5 - width, 0.5 + width, d))
    chosen = {"easy": data.easiest(), "hard": data.hardest()}.get(target, data.records(1, generator)[0])
    mechanisms: list[Mechanism] = [Mean()]
    mechanisms += [NoisyMean(as_float("gamma", number("gamma", g))) for g in gammas]
    mechanisms += [SubSampledMean(as_float("ratio", number("ratio", r))) for r in ratios]
    rows = []
    for mechanism in mechanisms:
        print(f"playing {rounds} games: {_name(mechanism)}", file=sys.stderr)
        rows.append(_row(mechanism, data, chosen, n, rounds, generator))
    if draw is not None:
        _plot(draw, rows, f"{target} target, n = {n}, d = {d}, {rounds} games")
    told = [{name: value for name, value in row.items() if name not in ("played", "theory")} for row in rows]
    if as_json:
        return print_document({"records": n, "columns": d, "games": rounds, "target": target, "rows": told})
    _print(told, target, n, d, rounds)
    return 0


def _name(mechanism: Mechanism) -> str:
    settings = "".join(f", {name} {value:g}" for name, value in vars(mechanism).items())
    return {"Mean": "mean", "NoisyMean": "noisy", "SubSampledMean": "sampled"}[type(mechanism).__name__] + settings


def _row(
    mechanism: Mechanism, data: BernoulliColumns, target: Any, n: int, games: int, generator: Any
) -> dict[str, Any]:
    """One mechanism: its leakage score, the leakage and power of theory, and what was counted with intervals."""
    from banditproof.algorithms.membership import NoisyMean, SubSampledMean, asymptotic, play
    from banditproof.theory.privacy.leakage import gaussian_leakage, sampled_leakage, sampled_power

    variance, used, ratio = data.variance, n, 1.0
    if isinstance(mechanism, NoisyMean):
        variance = variance + mechanism.gamma**2
    if isinstance(mechanism, SubSampledMean):
        used = mechanism.rows(n)
        ratio = used / n
    squared = float(((target - data.mean) ** 2 / variance).sum())
    played = play(mechanism, data, asymptotic(data.mean, variance, used), n, games, generator, target)
    if not len(played.out) or not len(played.inside):
        raise InvalidInput("games", games, "enough that the target is in and out at least once")

    def theory(alpha: Any) -> Any:
        return sampled_power(alpha, squared / n, ratio)

    leakage = float(sampled_leakage(squared / n, ratio))
    told = {"mechanism": _name(mechanism), "score": squared / n, "leakage": leakage, "advantage": _advantage(played)}
    if ratio < 1:
        told["leakage as printed"] = float(gaussian_leakage(ratio * squared / n))
    return told | {"power": _powers(played, theory), "played": played, "theory": theory}


def _powers(played: Played, theory: Callable[[Any], Any] | None) -> dict[str, dict[str, float | None]]:
    """The powers at the levels, as counted and of theory (None where there is none)."""
    import numpy as np

    thresholds = {alpha: np.quantile(played.out, 1 - alpha, method="higher") for alpha in LEVELS}
    return {
        str(alpha): {
            "theory": None if theory is None else float(theory(alpha)),
            "counted": played.errors(threshold)[1] / len(played.inside),
        }
        for alpha, threshold in thresholds.items()
    }


def _advantage(played: Played) -> list[float]:
    """An interval for 1 - alpha - beta at threshold 0 that is wrong with probability at most ERROR."""
    from banditproof.verify.proof.statistics import binomial_interval

    above_out, above_in = played.errors(0.0)
    size = binomial_interval(above_out, len(played.out), ERROR / 2)
    power = binomial_interval(above_in, len(played.inside), ERROR / 2)
    return [power[0] - size[1], power[1] - size[0]]


def _print(rows: list[dict[str, Any]], target: str, n: int, d: int, games: int) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "mechanism",
        "leakage score",
        "leakage",
        "advantage, counted",
        *(f"power at {alpha:g}" for alpha in LEVELS),
        title=f"{games} games, {target} target, n = {n}, d = {d}",
    )
    for row in rows:
        low, high = row["advantage"]
        powers = (f"{p['counted']:.3f} ({p['theory']:.3f})" for p in row["power"].values())
        table.add_row(
            row["mechanism"], f"{row['score']:.4g}", f"{row['leakage']:.4f}", f"[{low:.3f}, {high:.3f}]", *powers
        )
    console = Console()
    console.print(table)
    console.print(
        "leakage: the largest advantage, in the limit; advantage: of threshold 0, in an interval that is wrong with "
        f"probability at most {float(ERROR):g} per row; power: counted (in the limit)",
        markup=False,
    )
    for row in rows:
        if "leakage as printed" in row:
            console.print(
                f"{row['mechanism']}: Theorem 6.6 of the thesis prints {row['leakage as printed']:.4f} (MIA-T6.6)",
                markup=False,
            )


def _plot(path: Path, rows: list[dict[str, Any]], title: str) -> None:
    """Trade-off curves: counted (solid) over those of theory (dotted)."""
    import numpy as np

    from banditproof.cli.plotting import plot_trade_offs

    levels = np.geomspace(1e-4, 1, 200)
    curves = {
        row["mechanism"]: (row["played"].roc(), None if row["theory"] is None else (levels, row["theory"](levels)))
        for row in rows
    }
    plot_trade_offs(path, curves, title=title)


# ------------------------------------------------------------------------------------------------------------- training


LEAST = {"hidden": 0, "steps": 1, "size": 1, "references": 2, "games": 2}


def trace_descent(data: str, options: dict[str, str | None], seed: int, as_json: bool, plot: Path | None) -> int:
    """Play epochs of gradient descent against the easiest and the hardest record; print and draw what was won.

    `options` are numbers as typed: those of LEAST, rate, ridge, clip and gamma; references, clip and gamma may be None.
    """
    import numpy as np

    from banditproof.algorithms.training import attack_extremes
    from banditproof.cli.plotting import can_draw
    from banditproof.theory.privacy.leakage import gaussian_power

    given = {name: text for name, text in options.items() if text is not None}
    if ("clip" in given) != ("gamma" in given):
        raise InvalidInput("clip, gamma", (options["clip"], options["gamma"]), "both, for DP-SGD, or none")
    counts = {name: integer(name, text) for name, text in given.items() if name in LEAST}
    for name, value in counts.items():
        if value < LEAST[name]:
            raise InvalidInput(name, given[name], f"an integer, at least {LEAST[name]}")
    reals = {name: as_float(name, number(name, text)) for name, text in given.items() if name not in LEAST}
    draw = plot if plot is not None and can_draw(plot) else None
    generator = np.random.default_rng(seed)
    epoch = _epoch(_images(data), counts, reals, generator)
    print(f"playing {counts['games']} epochs for each of two targets", file=sys.stderr)
    attacked = attack_extremes(
        epoch, counts["games"], generator, ridge=reals["ridge"], references=counts.get("references")
    )
    rows = []
    for a in attacked:
        if not len(a.played.out) or not len(a.played.inside):
            raise InvalidInput("games", given["games"], "enough that the target is in and out at least once")
        theory = None if a.separation is None else partial(gaussian_power, score=a.separation)
        told = {"mechanism": f"{a.target}, {a.attack}", "distance": a.distance, "score": a.separation}
        rows.append(told | {"power": _powers(a.played, theory), "played": a.played, "theory": theory})
    mu = None if epoch.private is None else epoch.private.cost(epoch.size)
    title = f"{counts['games']} epochs of {counts['steps']} steps, |B| = {epoch.size}, d = {epoch.network.d}"
    title += "" if mu is None else f", mu = {mu:.3g}"
    if draw is not None:
        _plot(draw, rows, title)
    told = [{name: value for name, value in row.items() if name not in ("played", "theory")} for row in rows]
    if as_json:
        facts = {"records": epoch.n, "parameters": epoch.network.d, "games": counts["games"], "mu": mu}
        return print_document(facts | {"rows": told})
    _print_traced(told, title)
    if mu is not None:
        print("mu: what the epoch spends of Gaussian DP where one record is replaced by another")
    return 0


def _epoch(images: tuple[Any, Any], counts: dict[str, int], reals: dict[str, float], generator: Any) -> Epoch:
    from banditproof.algorithms.noise import NoiseSource
    from banditproof.algorithms.training import Epoch, Network, Private

    hidden = (counts["hidden"],) if counts["hidden"] else ()
    network, size = Network((images[0].shape[1], *hidden, 10)), counts["size"]
    private = Private(reals["clip"], reals["gamma"], NoiseSource(generator)) if "clip" in reals else None
    theta, n = network.initial(generator), counts["steps"] * size
    return Epoch(network, theta, *images, n, size, reals["rate"], network.parts[-1], private)


def _print_traced(rows: list[dict[str, Any]], title: str) -> None:
    from rich.console import Console
    from rich.table import Table

    levels = (f"power at {alpha:g}" for alpha in LEVELS)
    table = Table("target, attack", "Mahalanobis score", "leakage score", *levels, title=title)
    for row in rows:
        powers = (
            f"{p['counted']:.3f}" + ("" if p["theory"] is None else f" ({p['theory']:.3f})")
            for p in row["power"].values()
        )
        score = "" if row["score"] is None else f"{row['score']:.4g}"
        table.add_row(row["mechanism"], f"{row['distance']:.4g}", score, *powers)
    Console().print(table)
    print("leakage score: squared separation of scores that are linear in the gradients; power: counted (in the limit)")


def _images(data: str) -> tuple[Any, Any]:
    from banditproof.algorithms.training import cifar10, digits, fmnist

    name, _, folder = data.partition("=")
    if name == "digits" and not folder:
        try:
            return digits()
        except ImportError as error:
            raise InvalidInput("data", data, f"fmnist=FOLDER or cifar10=FOLDER ({error})") from None
    if name not in ("fmnist", "cifar10") or not folder:
        raise InvalidInput("data", data, "digits, fmnist=FOLDER or cifar10=FOLDER")
    return {"fmnist": fmnist, "cifar10": cifar10}[name](folder)


# --------------------------------------------------------------------------------------------------------------- audits


def audit_target(
    target: str, budgets: dict[str, str | None], samples: str | None, seconds: str, seed: int, as_json: bool
) -> int:
    """Audit a policy or a mechanism named package.module:object; status 1 where its budget is refuted."""
    from banditproof.verify.privacy.black_box import audit_private
    from banditproof.verify.privacy.mechanism_audit import audit_mechanism

    made, parameters = _imported(target)
    budget = _budget(budgets)
    runs = None if samples is None else integer("samples", samples)
    if parameters == 2:
        found: Any = audit_private(
            made, budget, samples=runs, seconds=as_float("seconds", number("seconds", seconds)), seed=seed
        )
    else:
        found = audit_mechanism(made, budget, samples=20_000 if runs is None else runs, seed=seed)
    if as_json:
        names = ("verdict", "parameter", "shown", "promised", "reach", "counts", "samples")
        print_document(
            {"target": target} | {name: getattr(found, name) for name in names} | {"error": float(found.error)}
        )
    else:
        print(found)
    return int(found.verdict == "violation")


def _imported(target: str) -> tuple[Any, int]:
    """The object, and how many parameters it takes: 2 make a policy, 3 a mechanism."""
    import importlib
    import inspect
    import os

    module, colon, name = target.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        found: Any = importlib.import_module(module) if colon and module else None
        for part in name.split("."):
            found = getattr(found, part)
        parameters = len([p for p in inspect.signature(found).parameters.values() if p.default is p.empty])
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise InvalidInput("target", target, f"package.module:object that can be imported ({error})") from None
    finally:
        sys.path.pop(0)
    if parameters not in (2, 3):
        allowed = "a function (noise, generator) that makes a policy, or (world, size, generator) that draws outputs"
        raise InvalidInput("target", target, allowed)
    return found, parameters


def _budget(given: dict[str, str | None]) -> Any:
    from banditproof.theory import Budget

    values = {name: as_float(name, number(name, text)) for name, text in given.items() if text is not None}
    kinds = {("epsilon",): "pure", ("epsilon", "delta"): "approximate", ("rho",): "zcdp", ("mu",): "gdp"}
    kind = kinds.get(tuple(values))
    if kind is None:
        raise InvalidInput("budget", " ".join(values) or "none", "--epsilon, --epsilon with --delta, --rho or --mu")
    return Budget(kind, **values)
