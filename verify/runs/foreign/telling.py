"""The lines of somebody else's code that a violation is told with: what decides, what draws, and what fed both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from traceback import extract_tb

from banditproof.verify.runs.alignment import UNKNOWN
from banditproof.verify.runs.foreign.draws import Draw, Name, Place
from banditproof.verify.runs.foreign.numbers import Entry, Recorded, differing, place_name
from banditproof.verify.runs.foreign.policies import PASSING, Played, Stage
from banditproof.verify.runs.foreign.solving import Aligned
from banditproof.verify.runs.journal import Journal, first_difference
from banditproof.verify.runs.makers import Makers
from banditproof.verify.source_lines import located

FROM = "\n  from "  # between the lines of a message
MOST_DRAWN = 8  # lines that are told of a draw


class Teller:
    """Says cause, line and reason, by runs on a `stage` of which every line is written down."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def shared(self, recorded: Recorded, entry: Entry, name: Name) -> tuple[str, str, str]:
        """Cause, line and reason where a noisy number has no draw of its own."""
        draw = recorded.draws[name]
        calls = [d for d in recorded.run.tape.draws if d.name == name]
        before = recorded.used_before(name, entry.pull, recorded.kept()) or recorded.used_before(
            name, entry.pull, recorded.noisy
        )
        line = self.drawn(recorded.run, recorded.seed, draw)
        if len(calls) > 1:
            return "noise reused", line, f"a seed or key is used {len(calls)} times and gives the same draw each time"
        if before is None:
            others = {e.path for e in recorded.depends[name] if e.pull == entry.pull and e.path in recorded.noisy}
            shown = ", ".join(map(place_name, sorted(others, key=_passing_last)[:3]))
            return "noise reused", line, f"one draw is shared by several releases ({shown})"
        reason = (
            f"noise is drawn once and reused: it is in {place_name(before.path)} before pull {before.pull}, and again"
        )
        return "noise reused", line, f"{reason} in {place_name(entry.path)} before pull {entry.pull}"

    def raw(self, recorded: Recorded, aligned: Aligned, parted: int) -> tuple[str, str, str]:
        """Cause, line and reason where a decision reads rewards."""
        run, other, told = recorded.run, aligned.run, self.decided(recorded, aligned)
        pull = min(parted, len(run.states) - 1)
        raw = {e.path for e, _, _ in differing(run, other) if e.pull <= pull and not e.path.startswith(PASSING)}
        elsewhere = {e.path for moved in recorded.depends.values() for e in moved} & raw
        if elsewhere:
            path = min(elsewhere, key=lambda p: (p.count("["), p))
            attribute = path.partition("[")[0].partition(".")[0]
            lines = told.split(FROM)
            line = next((x for x in lines if _assigns(x, attribute)), told)
            return "raw rewards", line, f"{attribute} is released without noise here, with noise elsewhere"
        deciding, names = told.partition("\n")[0].partition(": ")[2], {re.split(r"[.\[]", path)[0] for path in raw}
        read = sorted(name for name in names if re.search(rf"\b{re.escape(name)}\b", deciding))
        through = f", through {' and '.join(read)}" if read else ""
        return "raw rewards", told, f"the rewards themselves decide{through}"

    def decided(self, recorded: Recorded, aligned: Aligned) -> str:
        """The line of the decision that differs from the recorded run, and those that fed it."""
        return self.decision(recorded.run, aligned.run, recorded.seed, aligned.changed)

    def decision(
        self, run: Played, other: Played, seed: int, changed: Mapping[Name, float], others: int | None = None
    ) -> str:
        """The line of the decision that differs, and those that fed it."""
        one = Journal(self.stage.own)
        with one.writing():
            self.stage.play(run.rewards, seed, bare=True, others=others)
        two = Journal(self.stage.own, like=one)
        with two.writing():
            self.stage.play(other.rewards, seed, changed, bare=True, others=others)
        lines = first_difference(one, two).split(FROM)
        asking = [located(*place) for place in self._asking()]
        return FROM.join(line for line in lines if line not in asking) or UNKNOWN

    def drawn(self, run: Played, seed: int, draw: Draw, others: int | None = None) -> str:
        """The line that draws, from where it was called, and the lines that made what it reads."""
        journal, pulls = Journal(self.stage.own), 0 if self.stage.foreign.rewards_at else draw.pulls or 1
        with journal.writing():
            self.stage.play(run.rewards, seed, None, pulls, True, others)
        asking, places = {located(*place) for place in self._asking()}, [located(*place) for place in draw.places]
        lines = dict.fromkeys([*places, *Makers(journal).feeding(*draw.places[0][:2])])
        return FROM.join([line for line in lines if line not in asking][:MOST_DRAWN])

    def raised(self, error: Exception) -> str:
        """What the policy raised, with the innermost line of its own code."""
        frames = [(f.filename, f.lineno or 0, f.name) for f in extract_tb(error.__traceback__)]
        own = [place for place in frames if place[0] in self.stage.own]
        return f"{type(error).__name__}: {error}{f' (at {located(*own[-1])})' if own else ''}"

    def _asking(self) -> Iterator[Place]:
        """The lines of the functions that say how the policy is asked and told: nobody is to blame for them."""
        for function in (self.stage.foreign.make, self.stage.foreign.choose, self.stage.foreign.hear):
            if code := getattr(function, "__code__", None):
                numbers = {line for _, _, line in code.co_lines() if line is not None}
                yield from ((code.co_filename, line, code.co_name) for line in sorted(numbers))


def _passing_last(path: str) -> tuple[bool, str]:
    return path.startswith(PASSING), path


def _assigns(line: str, attribute: str) -> bool:
    """Whether a line that is shown assigns the attribute or variable."""
    source = line.partition(": ")[2]
    head, equals, _ = source.partition("=")
    return bool(equals) and attribute in head
