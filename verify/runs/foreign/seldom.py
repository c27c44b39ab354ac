"""Is a branch that runs seldom looked at? It may read rewards, where noise or a coin is rarely as it has to be.

That such a branch ran says nothing: a reward has to be another one in it. So the rewards up to the pull at which it
runs are replaced, and the draws are solved for, so that every noisy number comes out as it was and the branch runs
again. It is looked at if the rewards that it reads differ then. It is open if an arm differs too, or a kept number that
has noise in all runs without the branch.
"""

from __future__ import annotations

from collections.abc import Iterator

from banditproof.verify.runs.coverage import MARK
from banditproof.verify.runs.foreign.draws import COIN, Name
from banditproof.verify.runs.foreign.numbers import Recorded, differing, parted_at, place_name
from banditproof.verify.runs.foreign.policies import PASSING, Played, Stage
from banditproof.verify.runs.foreign.solving import Solver
from banditproof.verify.runs.possible_rewards import PossibleRewards
from banditproof.verify.runs.recorder import Rewards
from banditproof.verify.runs.seldom import WORD, Branch

WINDOWS = (10**9, 6, 1)  # rewards up to the branch that are replaced
FARTHER = (1.0, 1.5, 3.0, 10.0)  # times as far is the noise, where the branch does not run again by itself


def why_open(
    stage: Stage, solver: Solver, branch: Branch, rewards: Rewards, seed: int, possible: PossibleRewards
) -> str | None:
    """Why a branch that is reached on these rewards may tell them; '' if it was looked at, None if no others reach it.

    Those that are replaced are in the stretch of which the stage takes states.
    """
    recorded = solver.recorded(stage.play(rewards, seed), seed)
    recorded.noisy |= branch.steady
    read, looked_at = stage.coverage.names_read(branch.where, assigned=True), None
    for window in WINDOWS:
        start = max(stage.since, branch.pulls - window)
        replaced = map(possible.farthest, rewards[start : branch.pulls])
        target = (*rewards[:start], *replaced, *rewards[branch.pulls :])
        for one, two in _pair(stage, solver, branch, recorded, target):
            parted = parted_at(one, two)
            if parted is not None and parted >= branch.pulls:
                same = f"with the same noisy numbers, pull {parted} depends on the rewards where this runs"
                return f"{same} (decide by noisy numbers there too)"
            moved = [entry for entry, _, _ in differing(one, two) if entry.pull >= branch.pulls - 1]
            lost = {e.path for e in moved if not e.path.startswith(PASSING) and e.pull >= branch.pulls}
            if lost := sorted(lost & branch.steady):
                return f"{place_name(lost[0])} has noise in other runs, and none where this runs (add it there too)"
            reads = any(e.pull <= branch.pulls and not read.isdisjoint(WORD.findall(e.path)) for e in moved)
            looked_at = looked_at or reads
    unread = f"no reward was changed that this reads (write {MARK} on it if it cannot leak)"
    return {None: None, True: "", False: unread}[looked_at]


def _pair(
    stage: Stage, solver: Solver, branch: Branch, recorded: Recorded, target: Rewards
) -> Iterator[tuple[Played, Played]]:
    """The run and the one on other rewards with the same noisy numbers, if the branch runs in both at that pull."""
    rewards, seed = recorded.run.rewards, recorded.seed
    if target == rewards:
        return
    aligned = solver.whole(recorded, target, dear=True)
    if aligned.stuck or aligned.doubts:
        return
    then = {d.name: d for d in recorded.run.tape.draws if d.pulls == branch.pulls and d.law != COIN}
    for factor in FARTHER:
        far = {} if factor == 1 else {name: _farther(d.law, d.value, factor) for name, d in then.items()}
        changed = {**aligned.changed, **far}
        if not (_runs(stage, branch, rewards, seed, far) and _runs(stage, branch, target, seed, changed)):
            continue
        two = aligned.run if factor == 1 else stage.play(target, seed, changed)
        yield (recorded.run if factor == 1 else stage.play(rewards, seed, far)), two
        return


def _farther(law: str, value: float, factor: float) -> float:
    if law != "uniform":
        return value * factor
    return value / factor if value < 0.5 else 1 - (1 - value) / factor


def _runs(stage: Stage, branch: Branch, rewards: Rewards, seed: int, changed: dict[Name, float]) -> bool:
    """Whether the branch first runs at the same pull."""
    with stage.coverage.collecting(whole=True):
        stage.play(rewards, seed, changed, bare=True)
    return stage.coverage.ran.get(branch.where) == branch.pulls
