"""What is allowed and hardly meant: a warning, once for each line that asks."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

import numpy as np

from banditproof.theory.numbers.exact_numbers import shown

_LARGE_DELTA, _LARGE_EPSILON = 0.1, 100
_OWN = ("banditproof.claims", "banditproof.paper_checks")  # which state what is printed, and ask nobody


def hint(text: str) -> None:
    """Warn of the line outside this library that asked; nobody is told where a document of it did."""
    level, frame = 2, sys._getframe(1)
    while frame is not None and (name := str(frame.f_globals.get("__name__"))).startswith("banditproof."):
        if name.startswith(_OWN):
            return
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(text, stacklevel=level)


def hint_of_delta(delta: Any) -> None:
    """Where a promise with this delta promises next to nothing."""
    if delta is not None and (largest := float(np.max(delta))) > _LARGE_DELTA:
        hint(
            f"delta = {largest:g} lets a mechanism show all of the data with probability {largest:g}; a usual delta is "
            "below 1 / (number of records), and epsilon is named before it"
        )


def hint_of_order(epsilon: Any, horizon: Any) -> None:
    """Where a budget and a horizon look as if each had been given for the other."""
    if None not in (epsilon, horizon) and math.inf > epsilon > max(horizon, _LARGE_EPSILON):
        hint(f"epsilon = {shown(epsilon)} is larger than horizon = {shown(horizon)}: is each in the other's place?")
