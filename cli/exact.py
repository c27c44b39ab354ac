"""``banditproof bounds exact``: what no private policy can beat over a few rounds, beside every printed bound."""

from __future__ import annotations

import sys
from itertools import permutations
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, integer, numbers, optional
from banditproof.cli.certificates import write_certificates
from banditproof.cli.documents import FOOTNOTE, print_document, write_rows
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import shown
from banditproof.theory.tables import columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from fractions import Fraction

    from banditproof.cli.settings import ExactOptions
    from banditproof.theory.exact.minimax_value import ExactMinimax
    from banditproof.theory.exact.printed import PrintedBounds

BETWEEN = 25  # budgets of a picture
RHOS = 0.0, 0.01, 2.0, 10.0  # of rho in a picture: more than the first, from at most the second to at least the third
MOST_ARMS = 4


def print_exact_values(asked: ExactOptions) -> int:
    """Print the exact value at every budget, with both its ends, and the printed bounds beside it."""
    from banditproof.cli.plotting import can_draw
    from banditproof.theory.exact.printed import printed_bounds_beside

    means, error, plot = asked.means, asked.error, asked.plot
    typed_at = {"epsilon": asked.epsilon, "ratio": asked.ratio, "rho": asked.rho}
    given = {name: text for name, text in typed_at.items() if text is not None}
    if len(given) != 1:
        raise InvalidInput("epsilon, ratio and rho", tuple(given.values()), "exactly one of these three options")
    ((name, typed),) = given.items()
    budgets = list(dict.fromkeys(numbers(name, typed)))
    problem: dict[str, Any] = {"horizon": integer("horizon", asked.horizon)}
    privacy = {"delta": optional("delta", asked.delta), "notion": asked.notion.value}
    if any(".." in text for text in means):
        if error or plot or asked.certificate:
            raise InvalidInput("means", means, "numbers, not intervals, with --error, --plot or --certificate")
        return _print_over_means(means, problem["horizon"], name, budgets, privacy, asked.json)
    problem["instances"] = _instances(means)
    drawn = plot is not None and can_draw(plot)
    values = {budget: _value(error, problem, {name: budget, **privacy}) for budget in budgets}
    beside = {budget: printed_bounds_beside(value) for budget, value in values.items()}
    write_certificates(asked.certificate, {f"{name} {shown(budget)}": value for budget, value in values.items()})
    if asked.json:
        listed = [{name: budget, **_record(beside[budget])} for budget in budgets]
        print_document({**problem, "criterion": values[budgets[0]].criterion, **privacy, "values": listed})
    else:
        _print_tables(name, beside)
    write_rows(asked.csv, [row for budget in budgets for row in _rows(name, budget, beside[budget])])
    if plot is not None and drawn:
        _plot(plot, error, problem, name, budgets, privacy)
    return 0


def _instances(means: Sequence[str]) -> list[tuple[Fraction | float, ...]]:
    """The lists of means that were typed; one list alone stands for all its orders."""
    listed = [tuple(numbers("means", text)) for text in means]
    if len(listed) > 1:
        return listed
    if len(listed[0]) > MOST_ARMS:
        raise InvalidInput("means", means[0], f"at most {MOST_ARMS} means, if one list stands for all its permutations")
    return sorted(set(permutations(listed[0])), reverse=True)


def _print_over_means(
    means: Sequence[str], horizon: int, name: str, budgets: list[Any], privacy: dict[str, Any], as_json: bool
) -> int:
    """Print the value where the mean of each arm may be anywhere in its interval."""
    from rich.console import Console

    from banditproof.cli.folding import Table
    from banditproof.theory.exact.over_means import minimax_regret_over_means

    if len(means) > 1:
        raise InvalidInput("means", means, "a single list if means are intervals, such as 0..1,0..1")
    box = [_interval(text) for text in means[0].split(",")]
    by_budget = {b: minimax_regret_over_means(box, horizon, **{name: b}, **privacy) for b in budgets}
    if as_json:
        values = [{name: b, "lower": f.lower, "upper": f.upper, "worst": f.worst} for b, f in by_budget.items()]
        print_document({"means": box, "horizon": horizon, **privacy, "values": values})
        return 0
    title = f"The smallest worst-case regret of private policies, {horizon} rounds, all means in {means[0]}"
    table = Table(name, "at least", "at most", "worst means of the policy", title=title)
    for budget, f in by_budget.items():
        worst = ", ".join(f"{float(mean):g}" for mean in f.worst)
        table.add_row(shown(budget), _rounded(f.lower, floor), _rounded(f.upper, ceil), worst)
    Console().print(table)
    return 0


def _interval(text: str) -> tuple[Any, Any]:
    ends = text.split("..")
    if len(ends) > 2:
        raise InvalidInput("means", text, "a mean, or an interval such as 0..1")
    low, high = (numbers("means", end)[0] for end in (ends[0], ends[-1]))
    return low, high


def _rounded(value: Fraction, to_whole: Callable[[Fraction], int]) -> str:
    """Six digits behind the point, rounded by `to_whole`."""
    return f"{to_whole(value * 10**6) / 10**6:.6f}"


def _value(error: bool, problem: dict[str, Any], budget: dict[str, Any]) -> ExactMinimax:
    from banditproof.theory.exact.minimax_value import exact_identification_error, exact_minimax_regret

    return (exact_identification_error if error else exact_minimax_regret)(**problem, **budget)


def _record(beside: PrintedBounds) -> dict[str, Any]:
    exact = beside.exact
    names = ("name", "kind", "source", "formula", "value", "ratio", "applies", "refuted", "why")
    bounds = [{name: getattr(bound, name) for name in names} for bound in beside.bounds.values()]
    return {"lower": exact.lower, "upper": exact.upper, "value": exact.value, "bounds": bounds}


def _rows(name: str, budget: Any, beside: PrintedBounds) -> Iterator[dict[str, Any]]:
    """The exact value at a budget, and the printed bounds beside it."""
    asked = columns(name, budget)
    yield {**asked, "bound": "exact", **beside.exact.value.to_dict(), "applies": True, "why": "", "source": ""}
    for bound in beside.bounds.values():
        said = {"bound": bound.name, **bound.value.to_dict(), "applies": bound.applies, "why": bound.why}
        yield {**asked, **said, "source": bound.source}


def _print_tables(name: str, beside: dict[Any, PrintedBounds]) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    some = next(iter(beside.values())).exact
    of = "regret" if some.criterion == "regret" else "probability of a wrong arm"
    table = Table(name, "exactly", title=f"The smallest worst-case {of} of private policies, {some.horizon} rounds")
    rows = Table(
        name, "printed bound", "kind", "source", "value", "loose by a factor", title="Printed bounds for comparison"
    )
    for budget, bounds in beside.items():
        exact = bounds.exact
        exactly = str(exact.lower) if exact.lower == exact.upper and len(str(exact.lower)) < 40 else ""
        table.add_row(shown(budget), " = ".join(filter(None, (exactly, exact.value.decimal(10)))))
        for bound in bounds.bounds.values():
            value = bound.value.decimal(4) if bound.applies else f"({bound.value.decimal(4)})"
            loose = "REFUTED" if bound.refuted else bound.ratio.decimal(4) if bound.applies else "-"
            rows.add_row(shown(budget), bound.name, bound.kind, bound.source, value, loose)
    console = Console()
    console.print(table)
    console.print(rows)
    for bound in next(iter(beside.values())).bounds.values():
        if not bound.applies:
            console.print(f"{bound.name} does not apply to these instances: {bound.why}", markup=False)
    console.print(FOOTNOTE)


def _plot(
    path: Path, error: bool, problem: dict[str, Any], name: str, budgets: list[Any], privacy: dict[str, Any]
) -> None:
    """The exact value against the budget, the printed bounds that apply beside it, and the value without privacy."""
    from banditproof.cli.plotting import write
    from banditproof.theory.drawing import curves
    from banditproof.theory.exact.printed import printed_bounds_beside

    finite = [as_float(name, budget) for budget in budgets if budget != float("inf")]
    start, least, most, end = {"epsilon": (0.0, 0.05, 5.0, 12.0), "ratio": (1.0, 1.05, 6.0, 1e5)}.get(name, RHOS)
    low, high = max(min([*finite, least]), start + 1e-3), min(max([*finite, most]), end)
    places = [low * (high / low) ** (k / (BETWEEN - 1)) for k in range(BETWEEN)]
    print(f"drawing {path}: exact values at {BETWEEN} budgets", file=sys.stderr)
    values, lines = [], {}
    for place in places:
        beside = printed_bounds_beside(_value(error, problem, {name: place, **privacy}))
        values.append(float(beside.exact.value.lower))
        for label, bound in beside.bounds.items():
            if bound.applies and bound.kind == "lower":
                lines.setdefault(label, {})[place] = float(bound.value.lower)
    free = float(_value(error, problem, {"ratio": "inf", **privacy}).value.lower)
    criterion = "probability of a wrong arm" if error else "regret"
    picture = curves(
        places,
        {"exactly": (values, values, values)},
        title=f"{'Error' if error else 'Regret'} that no private policy can beat, {problem['horizon']} rounds",
        axes=(f"privacy budget {'e^epsilon' if name == 'ratio' else name}", criterion),
        lines={
            "exactly, without privacy": (None, [low, high], [free, free]),
            **{label: ("exactly", list(line), list(line.values())) for label, line in lines.items()},
        },
    )
    write(picture, path)
