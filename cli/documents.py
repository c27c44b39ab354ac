"""Results as JSON: enclosures with their exact ends, rationals as text, infinities by name."""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from banditproof.theory.errors import InvalidInput

MOST_LABELS = 20  # that are listed
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


WRITTEN = {
    "csv": r"\A(algorithm|bound|constant|design|divergence|epsilon|ratio|rho),",
    "certificate": '"certificates"',
    "receipt": "THIS_FILE checks it|This receipt needs banditproof",
}
"""What the first signs of files have that options write; the columns of tables stand first."""
FIRST_SIGNS = 4096


def replaceable(option: str, path: Path | None) -> None:
    """InvalidInput for a file that holds something else than what this option writes, and would be lost."""
    if path is None or not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        begins = file.read(FIRST_SIGNS)
    if begins and not re.search(WRITTEN[option], begins):
        raise InvalidInput(option, str(path), f"a new file, or one that --{option} has written (this one is kept)")


def write_rows(path: Path | None, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows with one heading as CSV, if a path was given; the ends of a value are floats, rounded outward.

    Raises InvalidInput for a path that cannot be written.
    """
    if path is None:
        return
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise InvalidInput(
            "csv", str(path), f"a file that can be written, such as out.csv ({error.strerror})"
        ) from None
    print(f"written: {path}", file=sys.stderr)


def say_what_is_missing(files: Sequence[str]) -> None:
    """Files that a LaTeX source inputs and that are not there, on standard error."""
    if files:
        print(f"these files are missing, so they were not read: {', '.join(files)}", file=sys.stderr)


def say_what_the_aux_says(paper: Path) -> None:
    """The labels of a LaTeX source whose numbers are others in the `.aux` file beside it, on standard error."""
    from banditproof.claims.report.printed.copies import read_copy
    from banditproof.claims.report.printed.drafting import unlike_the_aux

    beside = paper.with_suffix(".aux")
    if paper.suffix.lower() != ".tex" or not beside.is_file():
        return
    differ = unlike_the_aux(read_copy(paper))
    for line in differ[:MOST_LABELS]:
        print(f"{beside.name}: {line}", file=sys.stderr)
    if differ:
        more = f"{len(differ)} labels have other numbers in {beside.name}"
        print(f"{more}: run LaTeX again if it is older than the source; else correct the catalogue", file=sys.stderr)
