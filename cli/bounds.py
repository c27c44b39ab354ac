"""``banditproof bounds regret``: certified lower bounds for an instance, as a table, as JSON or as a picture."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import left_out, number, numbers, optional, reading_points, several
from banditproof.cli.documents import FOOTNOTE, print_document, write_rows
from banditproof.cli.plotting import draw
from banditproof.theory.drawing import POINTS
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import shown
from banditproof.theory.verdicts import known_of

if TYPE_CHECKING:
    from rich.console import Console

    from banditproof.theory.bounds.lower_bounds import RegretLowerBounds
    from banditproof.theory.laws.instance import Instance
    from banditproof.theory.laws.law import Law
    from banditproof.theory.tables import NamedLowerBounds, OneBound

OF_A_SOURCE = ("source", "verdict", "corrected")
OVER_BUDGETS = "with several budgets"


def instance_of(means: str, family: str, sigma: str) -> Instance:
    """The arms that were typed: means of one family, exact."""
    from banditproof import theory

    listed = numbers("means", means)
    with reading_points(means):
        if family == "bernoulli":
            return theory.Instance(means=listed)
        return theory.Instance([law_of("means", mean, family, sigma) for mean in listed])


def law_of(parameter: str, mean: Any, family: str, sigma: str) -> Law:
    """The law of this mean in a family. Raises InvalidInput for the parameter that was typed."""
    from banditproof import theory

    given = (mean, number("sigma", sigma)) if family == "gaussian" else (mean,)
    try:
        return getattr(theory, family.capitalize())(*given)
    except InvalidInput as refused:
        typed = {"mean": parameter}.get(refused.parameter, refused.parameter)
        raise InvalidInput(typed, refused.value, refused.allowed, refused.meant) from None


CITED = ("bound", "source", "verdict")


def cited(bound: OneBound) -> tuple[str, str, str]:
    """The name of a bound, its source, and the verdict on that."""
    return bound.name, bound.source, bound.verdict


SHOWN = 10  # arms of a table
MOST_COLUMNS = 3  # of budgets side by side on a terminal of 80 characters
SOON = 2.0  # seconds
SECONDS_OF_AN_ARM = {"Bernoulli": 0.0003, "Gaussian": 0.001}
OTHERWISE = 0.02  # where infima are searched for


def say_how_long(instance: Instance, budgets: int = 1) -> None:
    """One line before the bounds of many arms, each of which is certified at every one of so many budgets."""
    different = len(set(instance.arms))
    seconds = different * budgets * SECONDS_OF_AN_ARM.get(type(instance.arms[0]).__name__, OTHERWISE)
    if seconds > SOON:
        print(f"the bounds of {different} different arms take about {math.ceil(seconds)} s", file=sys.stderr)


def print_regret_bounds(
    means: str,
    family: str,
    sigma: str,
    epsilon: str | None,
    horizon: str | None,
    as_json: bool,
    csv: Path | None,
    plot: Path | None,
) -> int:
    """Print every regret lower bound for an instance; the numbers are read as exact decimals."""
    from banditproof.theory.bounds.lower_bounds import regret_lower_bound

    instance, budgets = instance_of(means, family, sigma), several("epsilon", epsilon)
    say_how_long(instance, len(budgets) if plot is None else 1 + POINTS)
    with reading_points(epsilon or ""):
        found = [regret_lower_bound(instance, budget, optional("horizon", horizon)) for budget in budgets]
    if len(found) > 1:
        left_out(OVER_BUDGETS, plot=plot)
        return print_over_budgets("liminf regret / log T >=", found, _document if as_json else None, csv)
    (bounds,) = found
    if as_json:
        print_document(_document(bounds))
    else:
        _print_table(bounds)
    write_rows(csv, list(bounds.to_dict().values()))
    if plot is not None:  # last, here and elsewhere: a picture that cannot be written costs no result
        draw(plot, bounds.plot)
    return 0


def _document(bounds: RegretLowerBounds) -> dict[str, Any]:
    names = ("name", *OF_A_SOURCE, "formula", "applies", "why", "constant", "value", "terms", "regimes")
    arms = bounds.instance.arms
    return {
        "means": [str(mean) for mean in bounds.instance.means],
        "family": type(arms[0]).__name__.lower(),
        "epsilon": None if bounds.epsilon is None else str(bounds.epsilon),
        "horizon": None if bounds.horizon is None else str(bounds.horizon),
        "bounds": [{name: getattr(bound, name) for name in names} for bound in bounds.values()],
    }


def print_over_budgets(
    title: str, found: Sequence[NamedLowerBounds[Any]], document: Callable[[Any], Any] | None, csv: Path | None
) -> int:
    """The bounds at several budgets, a column each or, of many, some rows each; or as JSON the `document` of each."""
    if document is not None:
        print_document([document(bounds) for bounds in found])
    else:
        from rich.console import Console

        from banditproof.cli.folding import Table

        if len(found) > MOST_COLUMNS:
            table = Table("epsilon", "bound", "value", title=title)
            for bounds in found:
                for name in bounds:
                    table.add_row(shown(bounds.epsilon), name, certain(bounds[name]))
        else:
            table = Table("bound", *(f"epsilon = {shown(bounds.epsilon)}" for bounds in found), title=title)
            for name in found[0]:
                table.add_row(name, *(certain(bounds[name]) for bounds in found))
        console = Console()
        console.print(table)
        say_what_they_are(console, found[0])
        console.print(FOOTNOTE)
    write_rows(csv, [row for bounds in found for row in bounds.to_dict().values()])
    return 0


def certain(bound: OneBound) -> str:
    """The value of a bound, in round brackets where it is not guaranteed."""
    return bound.value.decimal(6) if bound.applies else f"({bound.value.decimal(6)})"


def say_what_they_are(console: Console, bounds: NamedLowerBounds[Any]) -> None:
    """What the names of the bounds stand for and whether they hold, a line each; then the verdicts on their sources."""
    for bound in bounds.values():
        verb = "holds" if bound.applies else "does not apply"
        console.print(f"{bound.name}: {bound.formula}; {verb}: {bound.why}", markup=False)
    if getattr(bounds, "epsilon", None) is None and getattr(bounds, "rho", None) is None:
        console.print("With --epsilon, the bounds for private policies stand here too.")
    say_verdicts(console, [bound.source for bound in bounds.values()])


def say_verdicts(console: Console, sources: Sequence[str]) -> None:
    """Which of the theorems that were cited are refuted, where, and what is true instead; and where they are read."""
    for source in dict.fromkeys(sources):
        if (known := known_of(source)).verdict == "refuted":
            console.print(f"{source} is {known}", markup=False)
    console.print("A verdict is that on the theorem as it is printed, not on the number.")
    console.print(f"'banditproof explain {sources[-1]}' shows the theorem behind a bound.", markup=False)


def _print_table(bounds: RegretLowerBounds) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    scaled = bounds.horizon is not None
    columns = [*CITED, "liminf regret / log T >="] + [f"times log({shown(bounds.horizon or 1)})"] * scaled
    table = Table(*columns, title="Regret lower bounds")
    for bound in bounds.bounds.values():
        values = [bound.constant.decimal(8)] + [bound.value.decimal(8)] * scaled
        table.add_row(*cited(bound), *(values if bound.applies else ["does not apply"] + [""] * scaled))
    per_arm = Table("arms", "mean", "bound", "gap / information", "privacy regime", title="Per suboptimal arm")
    groups = _groups(bounds)
    for mean, arms in islice(groups.items(), SHOWN):
        for bound in bounds.bounds.values():
            term, regime = bound.terms[arms[0] - 1], bound.regimes[arms[0] - 1]
            if term is not None:
                per_arm.add_row(", ".join(map(str, arms)), shown(mean), bound.name, term.decimal(6), regime or "-")
    console = Console()
    console.print(table)
    if per_arm.row_count:
        console.print(per_arm)
    if len(groups) > SHOWN:
        console.print(f"--json shows the arms of {len(groups) - SHOWN} more means")
    console.print("A bound is the sum of gap / information over the suboptimal arms a, and the information is:")
    say_what_they_are(console, bounds)
    console.print("Decimals are rounded outward; --json gives the exact ends. The bounds are asymptotic.", markup=False)


def _groups(bounds: RegretLowerBounds) -> dict[Any, list[int]]:
    """Arms (counted from 1) by their mean: equal arms share their rows."""
    groups: dict[Any, list[int]] = {}
    for number_of_arm, arm in enumerate(bounds.instance.arms, start=1):
        groups.setdefault(arm.mean, []).append(number_of_arm)
    return groups
