"""Noise that only has whole values: what it is added to shows through.

Noise that is rounded before it is added (`total + round(noise)`), or drawn as a whole number, leaves the fraction of
the total as it was. Where rewards are no whole numbers themselves, a number that is kept then has values on a neighbour
that it never has on the list, so no epsilon holds. Such a number moves in steps as its draws move, by multiples of one
step, and a reward that moves it by anything else is told. What is rounded after the noise was added is on one grid on
both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from banditproof.verify.runs.foreign.arms import FEW_VALUES
from banditproof.verify.runs.foreign.draws import Draw
from banditproof.verify.runs.foreign.numbers import Entry, differing
from banditproof.verify.runs.foreign.policies import PASSING, Played, Stage
from banditproof.verify.runs.recorder import Rewards

LATEST = 6  # draws before a number that may be its noise
ENTRIES = 4  # numbers of a neighbour that are looked at
HALVINGS = 40  # until a step is found
SMOOTH = 1e-6  # what moves by less at once is no step
EXACT = 1e-7  # relative to a step: differences that are as close to a multiple are one
BESIDE = 0.01  # of a step: how far beside all multiples a reward has to move a number


@dataclass(frozen=True)
class Told:
    """A number that tells a reward: its noise moves it by multiples of `step`, and the neighbour by something else."""

    entry: Entry
    draw: Draw
    step: float
    moved: float


def told_beside_steps(stage: Stage, run: Played, seed: int, neighbour: Rewards) -> Iterator[Told]:
    """The kept numbers of a run that no draw makes on the neighbour what they are, since noise moves them in steps."""
    other = stage.play(neighbour, seed)
    first: dict[str, Entry] = {}
    for entry, _, _ in differing(run, other):
        if not entry.path.startswith(PASSING):
            first.setdefault(entry.path, entry)
    for entry in list(first.values())[:ENTRIES]:
        told = _Number(stage, entry, seed, run.rewards, neighbour, run.actions[: entry.pull]).told(run)
        if told is not None:
            yield told


@dataclass(frozen=True)
class _Number:
    """A number of a run, on the rewards and on a neighbour, as a function of its draws."""

    stage: Stage
    entry: Entry
    seed: int
    rewards: Rewards
    neighbour: Rewards
    actions: Sequence[float]

    def told(self, run: Played) -> Told | None:
        before = {d.name: d for d in run.tape.draws if d.pulls <= self.entry.pull and d.law in FEW_VALUES}
        moving = [draw for draw in list(before.values())[-LATEST:] if self._moves(draw)]
        if not moving:
            return None
        distances: list[float] = []
        for draw in moving:
            for rewards in (self.rewards, self.neighbour):
                found = self._distances(draw, rewards)
                if found is None:
                    return None
                distances += found
        step = _common(distances)
        one, two = self._at(self.rewards), self._at(self.neighbour)
        if step is None or one is None or two is None:
            return None
        beside = abs((two - one) / step - round((two - one) / step))
        return Told(self.entry, moving[-1], step, two - one) if beside > BESIDE else None

    def _at(self, rewards: Rewards, draw: Draw | None = None, value: float = 0.0) -> float | None:
        """The number with this value of a draw; None where it is not reached by the same arms."""
        changed = {} if draw is None else {draw.name: value}
        run = self.stage.play(rewards, self.seed, changed, self.entry.pull)
        if run.raised or run.actions[: self.entry.pull] != tuple(self.actions):
            return None
        number = run.states[self.entry.pull].get(self.entry.path)
        return number if number is not None and isfinite(number) else None

    def _moves(self, draw: Draw) -> bool:
        ends = [self._at(self.rewards, draw, value) for value in (FEW_VALUES[draw.law][0], FEW_VALUES[draw.law][-1])]
        return len({value for value in (*ends, self._at(self.rewards)) if value is not None}) > 1

    def _distances(self, draw: Draw, rewards: Rewards) -> list[float] | None:
        """Single steps of the number, and distances of its values; None if it moves smoothly, or has few values."""
        values = [(v, x) for v in FEW_VALUES[draw.law] if (x := self._at(rewards, draw, v)) is not None]
        numbers = sorted({x for _, x in values})
        if len(numbers) < 3:
            return None
        distances = np.diff(numbers).tolist()
        for (low, at_low), (high, at_high) in zip(values, values[1:], strict=False):
            if at_low == at_high:
                continue
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                at = self._at(rewards, draw, middle)
                if at is None:
                    return None
                if at == at_low:
                    low = middle
                else:
                    high, at_high = middle, at
            distances.append(abs(at_high - at_low))
            if distances[-1] < SMOOTH:
                return None
        return distances


def _common(distances: Sequence[float]) -> float | None:
    """The largest number of which all distances are multiples, nearly; None where they have none that is large."""
    step = min(distances)
    least = step / 100
    for distance in distances:
        a, b = distance, step
        while b > EXACT * max(distance, 1.0):
            a, b = b, abs(a - b * round(a / b))
        step = a
    return step if step > max(least, SMOOTH) else None
