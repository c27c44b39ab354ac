"""Results as JSON: enclosures with their exact ends, rationals as text, infinities by name."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

FOOTNOTE = (
    "A value in round brackets (...) is not guaranteed. Decimals are rounded outward; --json gives the exact ends."
)


def print_document(content: Mapping[str, Any] | Sequence[Any]) -> int:
    """Print the content as JSON and return the exit status."""
    print(json.dumps(document(content), indent=1, allow_nan=False))
    return 0


def document(value: Any) -> Any:
    """The value in terms of JSON; objects with a `to_json` say how, other unknown objects are refused."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if hasattr(value, "tolist"):  # numpy arrays and numbers
        return document(value.tolist())
    if isinstance(value, Mapping):
        return {str(name): document(part) for name, part in value.items()}
    if isinstance(value, Iterable):
        return [document(part) for part in value]
    raise TypeError(f"no JSON for {type(value).__name__}")
