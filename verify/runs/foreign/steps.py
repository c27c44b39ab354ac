"""Noise that only has whole values: what it is added to shows through.

Noise that is rounded before it is added (`total + round(noise)`), or drawn as a whole number, leaves the fraction of
the total as it was. Where rewards are no whole numbers themselves, a number that is kept then has values on a neighbour
that it never has on the list, so no epsilon holds. Such a number moves in steps as its draws move, by multiples of one
step, and a reward that moves it by anything else is told. What is rounded after the noise was added is on one grid on
both.

Noise that has an end, such as a width without a sign, or the larger one of a total and a noisy total, is told likewise:
where a reward moves the end, some values of the number are left without any draw. A whole width that is never 0 leaves
a gap between its two signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from math import isfinite, isnan, nan

import numpy as np

from banditproof.verify.runs.foreign.arms import FEW_VALUES, quantile
from banditproof.verify.runs.foreign.draws import Draw, Name
from banditproof.verify.runs.foreign.levers import Lever, levers
from banditproof.verify.runs.foreign.numbers import Entry, differing
from banditproof.verify.runs.foreign.policies import PASSING, Played, Stage
from banditproof.verify.runs.recorder import Rewards

ROUGH = (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98)  # probabilities below values of a draw that are tried at first
FINE = tuple((k + 0.5) / 41 for k in range(41))  # and to make sure: cases of equal probability
FAR_ENDS = (1e-9, 1e-4, 1 - 1e-4, 1 - 1e-9)
IN_TAIL = (1e-9, 1e-6, 1e-4)  # where clipped noise has one value
FEWEST_BEYOND = 0.04  # of these cases
MOST_CHOSEN = 1 / 4  # of them: a number of fewer values is chosen by a draw, as where a batch ends, and has no noise
FEW_SIDES, OFF = (0.25, 0.75), 0.999  # of a coin, whose middle may be neither side
COINS = tuple(k + 0.5 for k in range(40))  # values of a draw that is no number: each makes it anew
LATEST = 6  # draws before a number that may be its noise
ENTRIES = 4  # numbers of a neighbour that are looked at
HALVINGS = 40  # until a step is found
JUMPING = 4  # times the usual slope: a number that moves faster jumps
STEP = 1e-4  # of a draw beside its value
SMOOTH = 1e-6  # what moves by less at once is no step
EXACT = 1e-7  # relative to a step: differences that are as close to a multiple are one
BESIDE = 0.01  # of a step: how far beside all multiples a reward has to move a number


@dataclass(frozen=True)
class Told:
    """A number that tells a reward, the draw that is its noise, and why no noise gives it the same value."""

    entry: Entry
    draw: Draw
    why: str
    chance: float = 1.0  # that its value on the rewards is one that it never has on the neighbour


def told_beside_steps(stage: Stage, run: Played, seed: int, neighbour: Rewards) -> Iterator[Told]:
    """The kept numbers of a run that no draw makes on the neighbour what they are, since noise moves them in steps."""
    other = stage.play(neighbour, seed, like=run)
    first: dict[str, Entry] = {}
    for entry, _, _ in differing(run, other):
        if not entry.path.startswith(PASSING):
            first.setdefault(entry.path, entry)
    for entry in list(first.values())[:ENTRIES]:
        told = _Number(stage, entry, seed, run, other).told()
        if told is not None:
            yield told


@dataclass(frozen=True)
class _Number:
    """A number of a run, on the rewards and on a neighbour, as a function of its draws."""

    stage: Stage
    entry: Entry
    seed: int
    run: Played
    other: Played

    def told(self) -> Told | None:
        run = self.run
        before = {d.name: d for d in run.tape.draws if d.pulls <= self.entry.pull and d.law in FEW_VALUES}
        moving = [draw for draw in list(before.values())[-LATEST:] if self._moves(draw)]
        if not moving:
            return None
        if told := self._at_an_end():
            return told
        if len(before) <= LATEST and all(d.law in FEW_VALUES for d in run.tape.draws):
            told = self._beyond_the_end(moving[0]) if len(moving) == 1 else None
            if told is not None and self._alone(moving[0]):
                return told
            others = [draw for draw in before.values() if draw not in moving]
            if len(moving) == 2 and (told := self._in_a_gap(moving, others)):
                return told
        distances: list[float] = []
        for draw in moving:
            for base in (self.run, self.other):
                found = self._distances(draw, base)
                if found is None:
                    return None
                distances += found
        step = _common(distances)
        one, two = self._at(self.run), self._at(self.other)
        if step is None or one is None or two is None:
            return None
        beside = abs((two - one) / step - round((two - one) / step))
        why = f"noise moves it by multiples of {step:.6g} only, and the reward by {two - one:.6g}"
        return Told(self.entry, moving[-1], why) if beside > BESIDE else None

    def _at_an_end(self) -> Told | None:
        """The number, if the noise that was drawn last leaves it at one value in its tail, which it never has on the
        neighbour, as where noise is clipped before it is added."""
        pull, run = self.entry.pull, self.run
        now = list({d.name: d for d in run.tape.draws if d.pulls == pull}.values())
        for lever in reversed(list(levers(now, -1)) if len(now) <= LATEST else []):
            if lever.law not in FEW_VALUES:
                continue

            def at(base: Played, share: float, lever: Lever = lever) -> float | None:
                return self._at(base, None, 0.0, lever.at(quantile(lever.law, share)))

            for tail in (IN_TAIL, [1 - share for share in IN_TAIL]):
                here, there = ({at(base, share) for share in tail} for base in (run, self.other))
                if len(here) > 1 or len(there) > 1 or None in here | there:
                    continue
                (end,), (other,) = here, there
                if end is None or other is None or abs(end - other) <= EXACT * (1 + abs(end)):
                    continue
                fine = [[at(base, share) for share in FINE] for base in (run, self.other)]
                if any(None in numbers or len({*numbers}) < len(FINE) / 2 for numbers in fine) or end in fine[1]:
                    continue
                far = lever.at(quantile(lever.law, tail[0]))
                if self._moved_besides(lever, far):
                    continue
                inside, outside = 0.5, tail[-1]
                for _ in range(HALVINGS):
                    middle = (inside + outside) / 2
                    inside, outside = (inside, middle) if at(run, middle) == end else (middle, outside)
                chance = min(outside, 1 - outside)
                why = f"noise leaves it at {end:.6g}, an end of its, with probability {chance:.2g}, and never there"
                return Told(self.entry, now[-1], why, chance)
        return None

    def _moved_besides(self, lever: Lever, far: Mapping[Name, float]) -> bool:
        """Whether another draw moves the number where the lever is far out, such as one that is made in its place."""
        for base in (self.run, self.other):
            run = self.stage.play(base.rewards, self.seed, far, self.entry.pull, bare=True)
            number = self._at(base, None, 0.0, far)
            for draw in run.tape.draws:
                if draw.pulls != self.entry.pull or draw.name in lever.names:
                    continue
                for value in (
                    (FEW_VALUES[draw.law][0], FEW_VALUES[draw.law][-1]) if draw.law in FEW_VALUES else COINS[:4]
                ):
                    if self._at(base, draw, value, far) != number:
                        return True
        return False

    def _beyond_the_end(self, draw: Draw) -> Told | None:
        """The number, if it has values on the rewards that no value of the draw gives it on the neighbour."""
        for shares in (ROUGH, FINE):
            values = [quantile(draw.law, share) for share in shares]
            there = [self._at(self.other, draw, quantile(draw.law, share)) for share in (*shares, *FAR_ENDS)]
            here = [number for value in values if (number := self._at(self.run, draw, value)) is not None]
            reached = [number for number in there if number is not None]
            if len(reached) < len(there) or len(here) < len(values):
                return None
            away = EXACT * (1 + max(map(abs, reached)))
            below = sum(number < min(reached) - away for number in here)
            above = sum(number > max(reached) + away for number in here)
            if not (below or above) or len({*here}) < MOST_CHOSEN * len(here):
                return None
        share, end = max((below, min(reached)), (above, max(reached)))
        side = "below" if end == min(reached) else "above"
        if share < FEWEST_BEYOND * len(here):
            return None
        sign = 1 if side == "below" else -1
        farthest = self._farthest(draw, sign)
        if farthest is None or sum(sign * number < farthest - away for number in here) < FEWEST_BEYOND * len(here):
            return None
        why = f"noise leaves it {side} {end:.6g} in {share} of {len(here)} cases of equal probability, never there"
        return Told(self.entry, draw, why, (share - 1) / len(here))

    def _in_a_gap(self, moving: Sequence[Draw], others: Sequence[Draw]) -> Told | None:
        """The number, if it has values on the rewards between those that a geometric width gives it on the neighbour
        with one sign and with the other. No other draw moves it, and its sign is one of two."""

        def values(base: Played, draw: Draw, given: Mapping[Name, float]) -> list[float]:
            shares = (FAR_ENDS[0], *(OFF * share for share in FINE), *FAR_ENDS[2:])  # from its smallest value on
            numbers = [self._at(base, draw, quantile(draw.law, share), given) for share in shares]
            return [nan if number is None else number for number in numbers]

        for sign, width in permutations(moving):
            if not width.success or width.success == sign.success:
                continue
            sides = [{sign.name: quantile(sign.law, share)} for share in FEW_SIDES]
            here, there = ([values(base, width, side) for side in sides] for base in (self.run, self.other))
            below, above = sorted(there, key=min)
            if below != sorted(below, reverse=True) or above != sorted(above):
                continue  # the smallest width does not come first, or a number is not reached
            inside = [number for side in here for number in side if below[0] < number < above[0]]
            cases = sum(map(len, here))
            if len(inside) < FEWEST_BEYOND * cases or len({*values(self.other, sign, {})}) > len(sides):
                continue
            bases = [(base, side) for base in (self.run, self.other) for side in sides]
            reached = ({x for x in values(base, draw, side) if x == x} for draw in others for base, side in bases)
            if any(len(numbers) > 1 for numbers in reached):  # others turn an arm before
                continue
            far = [{width.name: quantile(width.law, share)} for share in (FINE[0], FINE[-1])]
            made = {self._made(base, {**side, **value}) for (base, side), value in product(bases, far)}
            if len(made) == 1:
                count = f"{len(inside)} of {cases} cases of equal probability"
                why = f"noise leaves it between {below[0]:.6g} and {above[0]:.6g} in {count}, never there"
                return Told(self.entry, width, why, (len(inside) - 1) / cases)
        return None

    def _made(self, base: Played, changed: Mapping[Name, float]) -> frozenset[Name]:
        """The draws up to this number."""
        run = self.stage.play(base.rewards, self.seed, changed, self.entry.pull, bare=True)
        return frozenset(draw.name for draw in run.tape.draws if draw.pulls <= self.entry.pull)

    def _farthest(self, draw: Draw, sign: int) -> float | None:
        """The smallest value on the neighbour (the largest one's opposite with the sign -1) between those cases, too.

        A number that is folded or wrapped turns or jumps between two of them: its end is looked for there.
        """

        def at(value: float) -> float:
            number = self._at(self.other, draw, value)
            return nan if number is None else sign * number

        values = [quantile(draw.law, share) for share in sorted((*FINE, *FAR_ENDS))]
        numbers = [at(value) for value in values]
        pairs = [*zip(pairwise(values), pairwise(numbers), strict=True)]
        usual = float(np.median([(b - a) / (w - v) for (v, w), (a, b) in pairs]))
        for (low, high), (left, right) in pairs:
            if 0 < (right - left) / (high - low) / (usual or 1.0) < JUMPING:
                continue
            for _ in range(HALVINGS):  # to where it moves most
                middle = (low + high) / 2
                numbers.append(number := at(middle))
                first = abs(number - left) > abs(right - number)
                low, high, left, right = (low, middle, left, number) if first else (middle, high, number, right)
        lowest = int(np.argmin(numbers[: len(values)]))
        low, high = values[max(lowest - 1, 0)], values[min(lowest + 1, len(values) - 1)]
        for _ in range(HALVINGS):  # to where it turns
            one, two = low + (high - low) / 3, high - (high - low) / 3
            numbers += (here := at(one)), (there := at(two))
            low, high = (low, two) if here < there else (one, high)
        return None if any(map(isnan, numbers)) else min(numbers)

    def _alone(self, draw: Draw) -> bool:
        """Whether no other draw moves the number, whatever the value of this one is: no sign of it, no number that
        shows in its place, such as the second largest one. Those of earlier pulls may choose other arms instead."""
        ends = [{draw.name: quantile(draw.law, share)} for share in (ROUGH[0], ROUGH[-1])]
        made: dict[Name, Draw] = {}  # also by some values of this one alone
        for base, changed in product((self.run, self.other), ({}, *ends)):
            run = self.stage.play(base.rewards, self.seed, changed, self.entry.pull, bare=True)
            made |= {d.name: d for d in run.tape.draws if d.pulls <= self.entry.pull and d.name != draw.name}
        others = list(made.values())
        if len(others) > LATEST:
            return False
        for base in (self.run, self.other):
            for value in (quantile(draw.law, share) for share in ROUGH):
                at = self._at(base, draw, value)
                for other in others:
                    few = FEW_VALUES.get(other.law)
                    tried = (few[0], few[-1], other.value - STEP, other.value + STEP) if few else COINS
                    moved = (self._at(base, draw, value, {other.name: v}) for v in tried)
                    if any(m != at and (m is not None or other.pulls == draw.pulls) for m in moved):
                        return False
        return True

    def _at(
        self, base: Played, draw: Draw | None = None, value: float = 0.0, others: Mapping[Name, float] | None = None
    ) -> float | None:
        """The number with this value of a draw; None where it is not reached by the same arms."""
        changed = {**(others or {}), **({} if draw is None else {draw.name: value})}
        run = self.stage.play(base.rewards, self.seed, changed, self.entry.pull, like=base)
        if run.raised or run.actions[: self.entry.pull] != self.run.actions[: self.entry.pull]:
            return None
        number = run.states[self.entry.pull].get(self.entry.path)
        return number if number is not None and isfinite(number) else None

    def _moves(self, draw: Draw) -> bool:
        ends = [self._at(self.run, draw, value) for value in (FEW_VALUES[draw.law][0], FEW_VALUES[draw.law][-1])]
        return len({value for value in (*ends, self._at(self.run)) if value is not None}) > 1

    def _distances(self, draw: Draw, base: Played) -> list[float] | None:
        """Single steps of the number, and distances of its values; None if it moves smoothly, or has few values."""
        values = [(v, x) for v in FEW_VALUES[draw.law] if (x := self._at(base, draw, v)) is not None]
        numbers = sorted({x for _, x in values})
        if len(numbers) < 3:
            return None
        distances = np.diff(numbers).tolist()
        for (low, at_low), (high, at_high) in zip(values, values[1:], strict=False):
            if at_low == at_high:
                continue
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                at = self._at(base, draw, middle)
                if at is None:
                    return None
                if at == at_low:
                    low = middle
                else:
                    high, at_high = middle, at
                if abs(at_high - at_low) < SMOOTH:
                    return None
            distances.append(abs(at_high - at_low))
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
