"""Counterexamples of a test session are kept in `.banditproof/`, and tried first in the next one.

A file holds two reward lists and how the run was made, under the name of the test and the number of the assertion in
it. It goes when its lists show nothing any more. Folder and files may be committed, or forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.algorithms.policy import Policy
    from banditproof.theory.privacy.budget import Budget
    from banditproof.verify.runs.ledger import Violation
    from banditproof.verify.runs.possible_rewards import RewardsIn
    from banditproof.verify.runs.report import PrivacyReport

FOLDER = ".banditproof"


def kept_at(folder: Path, test: str, number: int) -> Path:
    """The file of one assertion of a test."""
    return folder / FOLDER / f"{sha256(f'{test} {number}'.encode()).hexdigest()[:16]}.json"


def tried_first(
    place: Path,
    test: str,
    make_policy: Callable[..., Policy],
    budget: Budget,
    rewards_in: RewardsIn,
    check: Callable[[], PrivacyReport],
) -> PrivacyReport:
    """The violation that the kept lists still show, else what the check says, whose counterexample is then kept."""
    again = _again(place, make_policy, budget, rewards_in)
    if again is not None:
        return again
    report = check()
    if (kept := _lists_that_show(report)) is None:
        place.unlink(missing_ok=True)
        return report
    from banditproof.algorithms.run.checkpoints import write_atomically

    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, _written({"test": test} | kept).encode())
    return report


def _written(kept: dict[str, Any]) -> str:
    """JSON with an entry on a line; a list of numbers that repeat is told by its runs, [number, how often]."""

    def packed(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            return value
        runs = [[number, len(list(alike))] for number, alike in groupby(value)]
        return {"runs": runs} if 3 * len(runs) < len(value) else value

    lines = (f"{json.dumps(name)}: {json.dumps(packed(value), separators=(',', ':'))}" for name, value in kept.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _unpacked(value: Any) -> Any:
    """What `_written` has packed; lists of earlier versions are as they are."""
    return [x for x, times in value["runs"] for _ in range(times)] if isinstance(value, dict) else value


def _lists_that_show(report: Any) -> dict[str, Any] | None:
    """What shows a violation once more: nothing, where it is not two lists of rewards that do."""
    from banditproof.verify.runs.report import REPLAY

    violations: tuple[Violation, ...] = getattr(report, "violations", ())
    if not violations or violations[0].sensor == REPLAY or violations[0].rewards == violations[0].neighbour:
        return None
    first = violations[0]
    if not all(x in report.rewards_in for x in first.neighbour):
        return None
    names = ("seed", "overruled", "far", "released_on")
    shown = {"rewards": first.rewards, "neighbour": first.neighbour, "cause": first.cause}
    return shown | {name: getattr(report, name) for name in names}


def _again(
    place: Path, make_policy: Callable[..., Policy], budget: Budget, rewards_in: RewardsIn
) -> PrivacyReport | None:
    """The violation that the kept lists show, of the same cause if there is one; None without any, or where the file
    does not fit any more."""
    from banditproof.verify.runs.foreign.policies import Replayed
    from banditproof.verify.runs.neighbours import check_neighbours
    from banditproof.verify.runs.possible_rewards import PossibleRewards
    from banditproof.verify.runs.report import PrivacyReport, maker_of

    if isinstance(make_policy, Replayed):
        return None
    try:
        kept = {name: _unpacked(value) for name, value in json.loads(place.read_text()).items()}
        rewards, neighbour, seed = (kept[name] for name in ("rewards", "neighbour", "seed"))
        overruled, far, released_on = (kept[name] for name in ("overruled", "far", "released_on"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    possible = PossibleRewards.of(rewards_in)
    try:
        shown = check_neighbours(
            make_policy, budget, rewards, neighbour, seed, overruled, far, released_on or None, possible
        )
    except InvalidInput:
        return None
    if shown.ok:
        return None
    first = next((v for v in shown.violations if v.cause == kept.get("cause")), shown.violations[0])
    told = {"seed": seed, "overruled": overruled, "far": far, "released_on": tuple(released_on), "rewards_in": possible}
    return PrivacyReport(budget, (first,), kept=f"{FOLDER}/{place.name}", maker=maker_of(make_policy), **told)
