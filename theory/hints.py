"""What is allowed and hardly meant: a warning, once for each line that asks."""

from __future__ import annotations

import math
import sys
import warnings
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.numbers.exact_numbers import shown

_LARGE_DELTA, _LARGE_EPSILON, _HARDLY_A_PROMISE = 0.1, 100, 10
_ROUNDING = 1e-9  # a sum that was rounded up is not above 10
_LIKE_A_DELTA, _GUESSED = 1e-3, 0.5
_WITHIN = ("banditproof.", "abc.")  # which makes classes
_OWN = ("banditproof.claims", "banditproof.paper_checks")  # which state what is printed, and ask nobody


def hint(text: str) -> None:
    """Warn of the line outside this library that asked; nobody is told where a document of it did."""
    level, frame = 2, sys._getframe(1)
    while frame is not None and (name := f"{frame.f_globals.get('__name__')}.").startswith(_WITHIN):
        if name.startswith(_OWN):
            return
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(text, stacklevel=level)


def hint_of_promise(epsilon: Any, delta: Any) -> None:
    """Where (epsilon, delta) promises next to nothing."""
    if (largest := _largest(delta)) > _LARGE_DELTA:
        hint(
            f"delta = {largest:g} lets a mechanism show all of the data with probability {largest:g}; a usual delta is "
            "below 1 / (number of records), and epsilon is named before it"
        )
    if math.inf > (most := _largest(epsilon)) > _HARDLY_A_PROMISE * (1 + _ROUNDING):
        hint(
            f"epsilon = {most:g} is hardly a promise: an outcome may be e^{most:g} times as likely on neighbouring "
            f"data; a usual epsilon is at most {_HARDLY_A_PROMISE}"
        )


def _largest(value: Any) -> float:
    return value if type(value) is float else float(np.max(value))


def hint_of_order(epsilon: Any, horizon: Any) -> None:
    """Where a budget and a horizon look as if each had been given for the other."""
    if None not in (epsilon, horizon) and math.inf > epsilon > max(horizon, _LARGE_EPSILON):
        hint(f"epsilon = {shown(epsilon)} is larger than horizon = {shown(horizon)}: is each in the other's place?")


def hint_of_exchange(epsilon: Any = 1, delta: Any = 0) -> None:
    """Where an epsilon, of which a delta is asked, looks like a delta, or the other way round."""
    if 0 < epsilon < _LIKE_A_DELTA:
        hint(f"epsilon = {float(epsilon):g} looks like a delta, which .epsilon(delta) takes, and --delta")
    if delta > _LARGE_DELTA:
        hint(f"delta = {float(delta):g} looks like an epsilon, which .delta(epsilon) takes, and --epsilon")


def hint_of_swap(epsilon: Any, delta: Any, names: tuple[str, str] = ("epsilon", "delta")) -> None:
    """Where single numbers epsilon and delta, or what `names` them so, look as if each were in the other's place."""
    plain = isinstance(epsilon, float | int | Fraction) and isinstance(delta, float | int | Fraction)
    if plain and 0 < epsilon < _LIKE_A_DELTA and delta >= _LARGE_DELTA:
        first, second = names
        told = f"{first} is named before it, {second} = {float(delta):g}"
        hint(f"{first} = {float(epsilon):g} looks like a delta: {told}")


def hint_of_risk(delta: Any) -> None:
    """Where a guess keeps the risk of a wrong arm: it may be the confidence that was given."""
    if delta >= _GUESSED:
        hint(f"delta = {float(delta):g} is the risk of a wrong arm: of two arms a guess keeps it without a sample")
