"""Is a branch that runs seldom looked at? It may read rewards, where noise or a coin is rarely as it has to be.

That such a branch ran says nothing: a reward has to be another one in it. So the rewards up to the pull at which it
runs are replaced, and the draws are solved for, so that every noisy number comes out as it was and the branch runs
again. It is looked at if the rewards that it reads differ then. It is open if an arm differs too, or a kept number that
has noise in all runs without the branch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from banditproof.verify.runs.coverage import Where
from banditproof.verify.runs.foreign.draws import COIN, Name
from banditproof.verify.runs.foreign.numbers import Recorded, differing, parted_at, place_name
from banditproof.verify.runs.foreign.policies import PASSING, Played, Stage
from banditproof.verify.runs.foreign.solving import Solver
from banditproof.verify.runs.possible_rewards import PossibleRewards
from banditproof.verify.runs.recorder import Rewards
from banditproof.verify.runs.source_lines import located

WINDOWS = (10**9, 6, 1)  # rewards up to the branch that are replaced
FARTHER = (1.0, 1.5, 3.0, 10.0)  # times as far is the noise, where the branch does not run again by itself
WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Seen:
    """What a list of rewards showed: the numbers that have noise, those that rewards move past it, and what ran."""

    noisy: frozenset[str]
    raw: frozenset[str]
    ran: frozenset[Where]


@dataclass(frozen=True)
class Seldom:
    """A branch that does not run on all lists: the run in which it first did, after how many pulls, and what runs
    without it say."""

    where: Where
    rewards: Rewards
    seed: int
    pulls: int
    noisy: frozenset[str]
    raw: frozenset[str]

    @property
    def line(self) -> str:
        watch, part = self.where
        return located(watch.code.co_filename, part.line, watch.code.co_name)

    def changed(self, since: int, possible: PossibleRewards) -> Rewards:
        """The rewards, of which those from a pull on to the branch are replaced by the farthest ones."""
        start = max(0, since)
        replaced = map(possible.farthest, self.rewards[start : self.pulls])
        return (*self.rewards[:start], *replaced, *self.rewards[self.pulls :])


def seldom(stage: Stage, lists: list[Seen], further: int) -> Iterator[Seldom]:
    """The branches that read what rewards move, and run on few lists; runs go on for so many pulls after them."""
    for where, ((rewards, seed), pulls) in stage.coverage.first().items():
        without = [seen for seen in lists if where not in seen.ran]
        raw, noisy = (frozenset[str]().union(*(getattr(s, kind) for s in without)) for kind in ("raw", "noisy"))
        words = {word for path in raw for word in WORD.findall(path)}
        if pulls and 2 * len(without) >= len(lists) and words & stage.coverage.names_read(where):
            yield Seldom(where, rewards[: pulls + further], seed, pulls, noisy, raw)


def why_open(stage: Stage, solver: Solver, branch: Seldom, possible: PossibleRewards) -> str | None:
    """Why such a branch may tell rewards; '' if it was looked at, None if it runs on no other rewards."""
    run = stage.play(branch.rewards, branch.seed)
    recorded = solver.recorded(run, branch.seed)
    read, looked_at = stage.coverage.names_read(branch.where), None
    for window in WINDOWS:
        for one, two in _pair(
            stage, solver, branch, recorded, branch.changed(max(stage.since, branch.pulls - window), possible)
        ):
            parted = parted_at(one, two)
            if parted is not None and parted >= branch.pulls:
                return f"with the same noisy numbers, pull {parted} depends on the rewards where this runs"
            moved = [entry for entry, _, _ in differing(one, two) if entry.pull >= branch.pulls - 1]
            lost = {e.path for e in moved if not e.path.startswith(PASSING) and e.pull >= branch.pulls}
            if lost := sorted(lost & branch.noisy - branch.raw):
                return f"{place_name(lost[0])} has noise in other runs, and none where this runs"
            reads = any(e.pull <= branch.pulls and not read.isdisjoint(WORD.findall(e.path)) for e in moved)
            looked_at = looked_at or reads
    return {None: None, True: "", False: "no reward was changed that this reads"}[looked_at]


def _pair(
    stage: Stage, solver: Solver, branch: Seldom, recorded: Recorded, target: Rewards
) -> Iterator[tuple[Played, Played]]:
    """The run and the one on other rewards with the same noisy numbers, if the branch runs in both at that pull."""
    if target == branch.rewards:
        return
    aligned = solver.aligned(recorded, target, set(branch.noisy))
    if aligned.stuck or aligned.doubts:
        return
    then = {d.name: d for d in recorded.run.tape.draws if d.pulls == branch.pulls and d.law != COIN}
    for factor in FARTHER:
        far = {} if factor == 1 else {name: _farther(d.law, d.value, factor) for name, d in then.items()}
        changed = {**aligned.changed, **far}
        if not (_runs(stage, branch, branch.rewards, far) and _runs(stage, branch, target, changed)):
            continue
        two = aligned.run if factor == 1 else stage.play(target, branch.seed, changed)
        yield (recorded.run if factor == 1 else stage.play(branch.rewards, branch.seed, far)), two
        return


def _farther(law: str, value: float, factor: float) -> float:
    if law != "uniform":
        return value * factor
    return value / factor if value < 0.5 else 1 - (1 - value) / factor


def _runs(stage: Stage, branch: Seldom, rewards: Rewards, changed: dict[Name, float]) -> bool:
    """Whether the branch first runs at the same pull."""
    with stage.coverage.collecting(whole=True):
        stage.play(rewards, branch.seed, changed, bare=True)
    return stage.coverage.ran.get(branch.where) == branch.pulls
