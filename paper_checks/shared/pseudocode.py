"""Printed pseudocode, line by line: which names a line reads and which it sets, and what is read before it is set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """A line as printed: its number, the names it reads and those it sets, as text separated by spaces.

    Lines of a loop are listed once, in their order: what only a later line sets is not there in the first round.
    """

    number: int
    reads: str = ""
    sets: str = ""


def read_before_set(given: str, lines: Sequence[Line]) -> list[str]:
    """The names that a line reads although neither the input (`given`) nor an earlier line has set them, in order."""
    known, missing = set(given.split()), []
    for line in lines:
        missing += [f"{name} in line {line.number}" for name in line.reads.split() if name not in known]
        known |= set(line.sets.split())
    return missing
