"""``banditproof bounds coupling``: how far a private mechanism can tell two product laws apart."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, integer, numbers, optional
from banditproof.cli.bounds import SOON
from banditproof.cli.certificates import write_certificates
from banditproof.cli.documents import FOOTNOTE, print_document, write_rows
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.theory.privacy.coupling_bounds import CouplingBounds

COSTS = ("hamming", "hamming-squared")
SECONDS_OF_A_PAIR = 3e-8  # of coordinates


def print_coupling_bounds(
    first: str,
    second: str,
    copies: str,
    epsilon: str | None,
    rho: str | None,
    as_json: bool,
    csv: Path | None,
    plot: Path | None,
    certificate: Path | None,
) -> int:
    """Print the optimal couplings of two products of Bernoulli laws, and every bound they give."""
    from banditproof.theory.privacy.coupling_bounds import coupling_kl_bounds
    from banditproof.theory.privacy.couplings import MOST_COORDINATES, optimal_coupling

    count, listed = integer("copies", copies), [numbers("first", first), numbers("second", second)]
    if len({*map(len, listed)}) > 1:
        raise InvalidInput("second", len(listed[1]), f"{len(listed[0])} means, as first has")
    most = MOST_COORDINATES // max(map(len, listed))
    if not 1 <= count <= most:
        raise InvalidInput(
            "copies", copies, f"from 1 to {most}, so that there are at most {MOST_COORDINATES} coordinates"
        )
    laws, others = (one * count for one in listed)
    budgets = {"epsilon": optional("epsilon", epsilon), "rho": optional("rho", rho)}
    if (seconds := SECONDS_OF_A_PAIR * len(laws) ** 2) > SOON:
        print(f"the couplings of {len(laws)} coordinates take about {seconds:.0f} s", file=sys.stderr)
    try:
        bounds = coupling_kl_bounds(laws, others, **budgets)
        couplings = {cost: optimal_coupling(laws, others, cost) for cost in COSTS}
    except InvalidInput as refused:
        typed = {"laws": "first", "other_laws": "second"}.get(refused.parameter, refused.parameter)
        raise InvalidInput(typed, refused.value, refused.allowed, refused.meant) from None
    write_certificates(certificate, couplings)
    if as_json:
        names = ("name", "source", "formula", "value", "applies", "why")
        listed = [{name: getattr(bound, name) for name in names} for bound in bounds.bounds.values()]
        facts = {
            cost: {name: getattr(coupling, name) for name in ("value", "exact", "product", "method")}
            for cost, coupling in couplings.items()
        }
        print_document({"coordinates": len(laws), **budgets, "couplings": facts, "bounds": listed})
    else:
        _print_tables(bounds, couplings, len(laws))
    write_rows(csv, list(bounds.to_dict().values()))
    if plot is not None:
        _plot(plot, laws, others, budgets)
    return 0


def _print_tables(bounds: CouplingBounds, couplings: dict[str, Any], coordinates: int) -> None:
    from rich.console import Console
    from rich.markup import escape

    from banditproof.cli.folding import Table

    transport = Table(
        "cost",
        "least expected cost",
        "product of maximal couplings",
        "found by",
        title=f"Couplings of {coordinates} coordinates",
    )
    for cost, coupling in couplings.items():
        transport.add_row(cost, coupling.value.decimal(8), f"{float(coupling.product):.8g}", coupling.method)
    table = Table("bound", "source", "KL(M_1 || M_2) <=", "formula", title="What a private mechanism can tell apart")
    for bound in bounds.bounds.values():
        value = bound.value.decimal(8)
        table.add_row(bound.name, bound.source, value if bound.applies else f"({value})", escape(bound.formula))
    console = Console()
    console.print(transport)
    console.print(table)
    for bound in bounds.bounds.values():
        if bound.why:
            console.print(f"{bound.name}: {bound.why}", markup=False)
    console.print(FOOTNOTE)


def _plot(path: Path, laws: list[Any], others: list[Any], budgets: dict[str, Any]) -> None:
    from banditproof.cli.plotting import draw
    from banditproof.theory.drawing import against_budget
    from banditproof.theory.privacy.coupling_bounds import coupling_kl_bounds

    name, marked = next((name, value) for name, value in budgets.items() if value is not None)

    def bounds_at(budget: float) -> dict[str, Any]:
        bounds = coupling_kl_bounds(laws, others, **{name: budget}).bounds
        return {label: bound.value if bound.applies else None for label, bound in bounds.items()}

    free = coupling_kl_bounds(laws, others, **{name: 1})
    change = free["data-processing"].value.upper / free["theorem-4.8"].value.lower

    def picture() -> Any:
        return against_budget(
            bounds_at,
            [float(change)],
            title="Upper bounds on the divergence of outputs",
            ylabel="KL of the outputs is at most",
            budget=name,
            marked=as_float(name, marked),
        )

    draw(path, picture)
