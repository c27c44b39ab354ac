"""Branches that run seldom, since noise or a coin is rarely as it has to be: that one ran says nothing of it.

A reward has to be another one in it, with the same released or noisy numbers. Then a number that did not depend on the
rewards in runs without the branch may not depend on them either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from banditproof.verify.runs.coverage import Coverage, Where
from banditproof.verify.source_lines import located

WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Comparison:
    """What a run and others on other rewards showed: the numbers that stay, or can be made to stay by the noise, those
    that rewards move all the same, and what ran."""

    steady: frozenset[str]
    raw: frozenset[str]
    ran: frozenset[Where]


@dataclass(frozen=True)
class Branch:
    """A branch that few runs reach: in which one it first ran, after how many pulls, and what runs without it show."""

    where: Where
    run: Any
    pulls: int
    steady: frozenset[str]
    raw: frozenset[str]

    def reads_raw(self, coverage: Coverage) -> bool:
        """Whether it reads a variable or an attribute that rewards move."""
        return not coverage.names_read(self.where).isdisjoint(word for path in self.raw for word in WORD.findall(path))

    @property
    def line(self) -> str:
        watch, part = self.where
        return located(watch.code.co_filename, part.line, watch.code.co_name)


def seldom(coverage: Coverage, runs: Sequence[Comparison]) -> Iterator[Branch]:
    """The branches that at most half of the runs reach."""
    for where, (run, pulls) in coverage.first().items():
        without = [seen for seen in runs if where not in seen.ran]
        raw, steady = (frozenset[str]().union(*(getattr(s, kind) for s in without)) for kind in ("raw", "steady"))
        if runs and 2 * len(without) >= len(runs):
            yield Branch(where, run, pulls, steady - raw, raw)
