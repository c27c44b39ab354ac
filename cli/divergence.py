"""``banditproof bounds divergence``: how far two laws are apart, and a law from those with larger means."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, number, optional
from banditproof.cli.bounds import law_of
from banditproof.cli.documents import FOOTNOTE, print_document, write_rows
from banditproof.cli.plotting import draw
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import shown
from banditproof.theory.tables import columns, label

if TYPE_CHECKING:
    from banditproof.theory.laws.law import Law

# name, formula, source; P and Q are the two laws, m is the mean of Q
OF_TWO = (
    ("kl", "KL(P, Q)", "TH-D2.30"),
    ("tv", "TV(P, Q)", "TH-D4.TV"),
    ("d_epsilon", "inf over laws R of epsilon TV(P, R) + KL(R, Q)", "BDP-EQ6"),
)
OF_A_CLASS = (
    ("kl_inf", "inf of KL(P, P') over laws P' of the family with mean > m", "TH-D2.30"),
    ("tv_inf", "inf of TV(P, P') over laws P' of the family with mean > m", "TH-D4.TV"),
    (
        "d_inf",
        "inf of epsilon TV(P, R) + KL(R, P') over R, P' of the family, mean(R) <= mean(P'), mean(P') > m",
        "BDP-EQ9",
    ),
)
NEED_BUDGET = ("d_epsilon", "d_inf")


def print_divergences(
    first: str,
    second: str,
    family: str,
    sigma: str,
    epsilon: str | None,
    as_json: bool,
    csv: Path | None,
    plot: Path | None,
) -> int:
    """Print the certified divergences between two laws of one family, whose means are typed."""
    budget = optional("epsilon", epsilon)
    if plot is not None and budget is None:
        raise InvalidInput(
            "epsilon", "None", "given with --plot, such as --epsilon 0.5: the picture is drawn around it"
        )
    law, other = (
        law_of(name, number(name, typed), family, sigma) for name, typed in (("first", first), ("second", second))
    )
    rows = [
        {"divergence": name, "value": value, "formula": formula, "source": source}
        for name, formula, source in (*OF_TWO, *OF_A_CLASS)
        if (value := _value(law, other, name, budget)) is not None
    ]
    laws = {"first": str(law.mean), "second": str(other.mean), "family": family}
    if as_json:
        print_document({**laws, "epsilon": None if budget is None else str(budget), "divergences": rows})
    else:
        _print_table(rows, law, other, budget)
    asked = {"P": label(law), "Q": label(other), **columns("epsilon", budget)}
    write_rows(csv, [{**row, "value": None, **row["value"].to_dict(), **asked} for row in rows])
    if plot is not None and budget is not None:
        marked = as_float("epsilon", budget)
        draw(plot, lambda: _picture(law, other, marked))
    return 0


def _value(law: Law, other: Law, name: str, epsilon: Any) -> Any:
    """The divergence of this name, enclosed; None where it needs a budget and there is none."""
    if name in NEED_BUDGET and epsilon is None:
        return None
    given = (epsilon,) if name in NEED_BUDGET else ()
    found = getattr(law, name)(other if name in {two for two, *_ in OF_TWO} else other.mean, *given)
    return getattr(found, "value", found)


def _print_table(rows: list[dict[str, Any]], law: Law, other: Law, epsilon: Any) -> None:
    from rich.console import Console
    from rich.markup import escape

    from banditproof.cli.folding import Table

    at = "" if epsilon is None else f", epsilon = {shown(epsilon)}"
    table = Table("divergence", "value", "what it is", "source", title=f"P = {label(law)}, Q = {label(other)}{at}")
    for row in rows:
        table.add_row(row["divergence"], row["value"].decimal(8), escape(row["formula"]), row["source"])
    console = Console()
    console.print(table)
    if epsilon is None:
        print("with --epsilon also d_epsilon and d_inf", file=sys.stderr)
    console.print(FOOTNOTE)


def _picture(law: Law, other: Law, marked: float) -> Any:
    from banditproof.theory.drawing import against_budget

    relative, variation = law.kl(other), law.tv(other)

    def at(epsilon: float) -> dict[str, Any]:
        return {"d_epsilon": law.d_epsilon(other, epsilon).value, "kl": relative, "epsilon tv": variation * epsilon}

    change = float(relative) / float(variation) if 0 < float(relative) < float("inf") else marked
    title = f"{label(law)} and {label(other)}"
    return against_budget(at, [change], title=title, ylabel="divergence", marked=marked)
