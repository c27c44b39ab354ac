"""What users type: numbers and lists, read exactly and refused by name; files of them are read in `tables`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import SIZE, Monstrous, of_reasonable_size, read, shown, with_points

if TYPE_CHECKING:
    from banditproof.theory.privacy.budget import Budget


def number(parameter: str, text: str) -> Fraction | float:
    """An exact number from the command line: '0.25', '1/3', '1e6' or 'inf'."""
    if text.strip().lower() == "inf":
        return float("inf")
    try:
        value = read(text.strip())
    except (ValueError, ZeroDivisionError) as error:
        allowed = f"such as 1e6, {SIZE}" if isinstance(error, Monstrous) else "such as 0.25, 1/3 or 1e6"
        raise InvalidInput(parameter, text, f"a number {allowed}", with_points(text)) from error
    if not of_reasonable_size(value):
        raise InvalidInput(parameter, text, f"a number such as 1e6, {SIZE}")
    return value


def optional(parameter: str, text: str | None) -> Fraction | float | None:
    """A number, or None where nothing was typed."""
    return None if text is None else number(parameter, text)


def several(parameter: str, text: str | None) -> list[Fraction | float] | list[None]:
    """Different numbers with commas between them, or one None where nothing was typed."""
    return [None] if text is None else list(dict.fromkeys(numbers(parameter, text)))


def numbers(parameter: str, text: str) -> list[Fraction | float]:
    """Comma-separated exact numbers."""
    try:
        return [number(parameter, part) for part in ([text] if with_points(text) and ";" in text else text.split(","))]
    except InvalidInput as refused:
        meant = refused.meant or _with_commas(text)
        raise InvalidInput(parameter, refused.value, refused.allowed, meant) from None


def _with_commas(text: str) -> str:
    """The list that may have been meant by numbers with other signs between and around them."""
    typed = ",".join(re.split(r"[\s,;，；()\[\]{}]+", text)).strip(",")
    return typed if re.fullmatch(r"-?[\d.]+(,-?[\d.]+)+", typed) else ""


@contextmanager
def reading_points(text: str) -> Iterator[None]:
    """InvalidInput for a number of the text asks whether commas were typed for points."""
    try:
        yield
    except InvalidInput as refused:
        meant = with_points(text) if text.startswith("0,") else ""
        raise InvalidInput(refused.parameter, refused.value, refused.allowed, refused.meant or meant) from None


def as_float(parameter: str, value: Fraction | float) -> float:
    """The nearest float; InvalidInput where there is none but inf."""
    try:
        return float(value)
    except OverflowError:
        raise InvalidInput(parameter, shown(value), "at most 1.7e308 in absolute value, to fit into a float") from None


def typed_budget(typed: Mapping[str, str | None], kinds: Sequence[str], what: str, *, exactly: bool = True) -> Budget:
    """The budget of one of the `kinds` that was typed for `what`; unless `exactly`, what it does not need is let pass.

    Numbers that serve several kinds make the first of those that use most of them. Raises InvalidInput.
    """
    from banditproof.theory.privacy.budget import KINDS, Budget

    given = {name: as_float(name, number(name, text)) for name, text in typed.items() if text is not None}
    asked = {kind: KINDS[kind].ranges.keys() for kind in kinds}
    fitting = [kind for kind, names in asked.items() if (names == given.keys() if exactly else names <= given.keys())]
    if not fitting:
        wanted = " or ".join(" with ".join(f"--{name}" for name in names) for names in asked.values())
        raise InvalidInput("budget", ", ".join(given) or "none", f"given as {wanted} for {what}")
    kind = max(fitting, key=lambda kind: len(asked[kind]))
    return Budget.of(kind, **{name: given[name] for name in asked[kind]})


def all_used(typed: Mapping[str, str | None], spent: Iterable[Budget | None], names: Iterable[str]) -> None:
    """InvalidInput for a privacy budget that was typed and that none of what is named spends."""
    used = {name for budget in spent if budget is not None for name in budget.parameters}
    for parameter, text in typed.items():
        if text is not None and parameter not in used:
            raise InvalidInput(parameter, text, f"left out, because {', '.join(names)} would not use it")


def left_out(when: str, **typed: object) -> None:
    """InvalidInput for an option that was typed where it would change nothing."""
    for name, value in typed.items():
        if value is not None and value != []:
            shown = value[0] if isinstance(value, list) else value
            raise InvalidInput(name, str(shown), f"left out {when}")


def integer(parameter: str, text: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number, also written as 1e6, in the given range."""
    within = f"from {least} to {most:g}" if least is not None and most is not None else "such as 100 or 1e6"
    whole = f"a whole number {within}"
    try:
        value = number(parameter, text)
    except InvalidInput as refused:
        meant = "" if "." in refused.meant else refused.meant
        raise InvalidInput(parameter, text, whole, meant) from None
    if value != value // 1 or least is not None and most is not None and not least <= value <= most:
        raise InvalidInput(parameter, text, whole)
    return int(value)
