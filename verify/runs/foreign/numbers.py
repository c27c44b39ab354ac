"""The numbers that a policy of somebody else knows in a run: on which draws they depend, and where two runs differ."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from math import inf

from banditproof.verify.runs.foreign.draws import Draw, Name
from banditproof.verify.runs.foreign.levers import Lever
from banditproof.verify.runs.foreign.policies import PASSING, Played
from banditproof.verify.source_lines import located

CLOSE = 1e-7  # relative; numbers as close as that are the same


@dataclass(frozen=True)
class Entry:
    """A number that the policy knows before a pull."""

    pull: int
    path: str


@dataclass
class Recorded:
    """A run, and which numbers depend on each draw: how far they move for a draw that moves by one."""

    run: Played
    seed: int
    depends: dict[Name, dict[Entry, float]]
    draws: dict[Name, Draw]
    again: set[Name] = field(default_factory=set)  # draws that are made again for some of their values
    signed: dict[Name, Lever] = field(default_factory=dict)  # what widths make together with their signs
    stepped: dict[Name, Lever] = field(default_factory=dict)  # noise that has whole values only
    noisy: set[str] = field(default_factory=set)  # paths that depend on rewards as well

    def kept(self) -> set[str]:
        """The noisy paths that are kept from pull to pull."""
        return {path for path in self.noisy if not path.startswith(PASSING)}

    def unkept(self, among: Set[str] | None = None) -> frozenset[Name]:
        """The draws on which no noisy number depends that is kept, or none of these."""
        kept = self.kept() if among is None else self.kept() & among
        return frozenset(n for n in self.draws if not any(e.path in kept for e in self.depends.get(n, ())))

    def fed(self, entry: Entry) -> list[Name]:
        """The draws on which a number depends, the latest first."""
        return [name for name in reversed(self.draws) if entry in self.depends.get(name, ())]

    def used_before(self, name: Name, pull: int, paths: set[str], spared: Set[Entry] = frozenset()) -> Entry | None:
        """A number of these paths that depended on the draw before this pull, other than those that are spared."""
        earlier = (e for e in self.depends[name] if e.pull < pull and e.path in paths and e not in spared)
        return next(earlier, None)


def times_asked(run: Played, draw: Draw) -> int:
    """How often a draw is asked for on this line at this pull."""
    return sum(other.places[0] == draw.places[0] and other.pulls == draw.pulls for other in run.tape.draws)


def number_in(run: Played, entry: Entry) -> float:
    """The value of a number in a run; inf where the run does not have it."""
    return run.states[entry.pull].get(entry.path, inf) if entry.pull < len(run.states) else inf


def parted_at(run: Played, other: Played) -> int | None:
    """The first pull whose arm differs; None if none does. Whoever raises parts where he stops."""
    for pull, (one, two) in enumerate(zip(run.actions, other.actions, strict=False)):
        if one != two:
            return pull
    if other.raised and len(other.actions) < len(run.actions):
        return len(other.actions)
    return None


def differing(run: Played, other: Played, exactly: bool = False) -> Iterator[tuple[Entry, float, float]]:
    """The numbers that differ, with both values, up to the pull whose arm differs."""
    parted = parted_at(run, other)
    for pull, (one, two) in enumerate(zip(run.states, other.states, strict=False)):
        if one is not two and one.keys() != two.keys():
            one = {path: one[path] for path in one if path in two}
        for path, value in one.items() if one is not two and one != two else ():
            there = two[path]
            if value != there and (exactly or abs(value - there) > CLOSE * (1 + abs(value))):
                yield Entry(pull, path), value, there
        if parted is not None and pull >= parted:
            return


def line_of(draw: Draw) -> str:
    """The line that asks for a draw."""
    return located(*draw.places[0])


def place_name(path: str) -> str:
    """A path as a reader would name it."""
    if not path.startswith(PASSING):
        return path
    function, _, variable = path[len(PASSING) :].rpartition("#")
    name = function.rpartition(".")[2]
    variable = variable.partition(".")[2]
    return f"what {name} returns" if variable.startswith("return") else f"{variable} in {name}"
