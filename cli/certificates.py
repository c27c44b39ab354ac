"""Certificates in files: what an optimiser found, written by ``--certificate`` and checked again without one.

A file holds results of ``theory`` as their fields, numbers exactly. It may come from a stranger: what is read back are
these types and no others, and a result holds if its own `recheck` says so.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from banditproof import theory
from banditproof.claims.report.terminal import printable
from banditproof.cli.documents import print_document
from banditproof.cli.statuses import Status
from banditproof.theory import Enclosure
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import exact
from banditproof.theory.tables import label

LONGEST = 1000  # characters of a line
CERTIFIED = (
    *("CharacteristicTime", "ExactMinimax", "GOptimalDesign", "LinearRegretConstant", "MinimaxLowerBounds"),
    *("LinearAlternatives", "OptimalCoupling"),
)
"""The results that a file may hold; all have `recheck`."""
LAWS = ("Bernoulli", "Exponential", "Gaussian", "Poisson")
PARTS = (*LAWS, "ConcentratedCertificate", "HardInstance", "Instance", "MinimaxBound", "PricedStrategies", "Strategies")
PARTS += ("PricedDivergence", "PricedInstance", "Transport")
TYPES = (*CERTIFIED, *PARTS)


def write_certificates(path: Path | None, results: Mapping[str, Any]) -> None:
    """Write named results with their certificates, where a file was asked for."""
    if path is None:
        return
    content = {"schema": 1, "certificates": {name: _written(result) for name, result in results.items()}}
    try:
        path.write_text(json.dumps(content, indent=1, allow_nan=False), encoding="utf-8")
    except OSError as error:
        raise InvalidInput("certificate", str(path), f"a writable file ({error.strerror})") from error


def recheck_certificates(path: Path, content: Mapping[str, Any], as_json: bool) -> int:
    """Check the results of a file again, without a search; a violation where one does not hold."""
    listed = content["certificates"]
    if not isinstance(listed, Mapping) or not listed:
        raise InvalidInput("results", str(path), "a file with at least one named certificate")
    said = {str(name): _rechecked(one) for name, one in listed.items()}
    problems = [f"{name}: {why}" for name, (holds, why) in said.items() if not holds]
    if as_json:
        print_document({"certificates": {name: why for name, (_, why) in said.items()}, "problems": problems})
        return Status.VIOLATION if problems else Status.OK
    for name, (holds, why) in said.items():
        print(f"{name}: {'the certificate holds: ' if holds else ''}{why}")
    return Status.VIOLATION if problems else Status.OK


def _rechecked(written: Any) -> tuple[bool, str]:
    """Whether one written result holds, and what it says or why it does not."""
    try:
        if not isinstance(written, Mapping) or written.get("is") not in CERTIFIED:
            return False, f"it is none of {', '.join(CERTIFIED)}"
        result = _read(written)
        if result.recheck() is not True:
            return False, "the certificate does not prove its value"
        return True, _in_one_line(result)
    except Exception as error:  # whatever a stranger's numbers make a library raise
        return False, f"it cannot be evaluated ({type(error).__name__}: {str(error)[:200]})"


def _in_one_line(result: Any) -> str:
    """What is certified, in one line: the value, and all that it is the value of."""
    left_out = ("value", "certificate", "bounds", "ceiling", "weights", "allocation", "multipliers", "inverse")
    left_out += ("policy", "lower", "upper", "concentrated")
    problem = [(f.name, getattr(result, f.name)) for f in fields(result) if f.name not in left_out]
    said = ", ".join(f"{name} {text}" for name, value in problem if value is not None and (text := label(value)))
    bounds = getattr(result, "bounds", {"": result})
    values = ", ".join(f"{name} {bound.value.decimal(8)}".strip() for name, bound in bounds.items())
    return printable(f"{values} for {said}", LONGEST)


# ---------------------------------------------------------------------------------------------------------- the fields


def _written(value: Any) -> Any:
    """A value in terms of JSON, each kind by its name; numbers are exact."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, Enclosure):
        return {"enclosure": value.to_json()}
    if is_dataclass(value):
        return {"is": type(value).__name__} | {f.name: _written(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, np.ndarray):
        return {"array": _written(value.ravel().tolist()), "shape": list(value.shape)}
    if isinstance(value, np.generic):
        return _written(value.item())
    if isinstance(value, Mapping):
        return {"pairs": [[_written(key), _written(entry)] for key, entry in value.items()]}
    if isinstance(value, frozenset):
        return {"set": [_written(one) for one in value]}
    return [_written(one) for one in value]


def _read(written: Any) -> Any:
    """The inverse of ``_written``; lists are tuples. Raises InvalidInput for another type than those of ``theory``."""
    if isinstance(written, list):
        return tuple(map(_read, written))
    if not isinstance(written, dict):
        return written
    if "is" in written:
        kind = getattr(theory, written["is"]) if written["is"] in TYPES else None
        if kind is None:
            raise InvalidInput("type in a certificate", written["is"], f"one of {', '.join(TYPES)}")
        return kind(**{name: _read(value) for name, value in written.items() if name != "is"})
    ((kind, value), *rest) = written.items()
    if kind == "array":
        return np.array(_read(value), dtype=float).reshape(rest[0][1])
    read: dict[str, Any] = {
        "float": float,
        "fraction": lambda text: exact("fraction", text, lambda _: isinstance(text, str), 'text such as "9/10"'),
        "enclosure": Enclosure.from_json,
        "pairs": lambda pairs: {_read(key): _read(entry) for key, entry in pairs},
        "set": lambda members: frozenset(map(_read, members)),
    }
    return read[kind](value)
