"""Other noise on the same rewards: whether some of it keeps the arms, where the draws that were solved for do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from itertools import islice

import numpy as np

from banditproof.verify.runs.foreign.draws import BELOW_ONE, COIN, Draw, Name
from banditproof.verify.runs.foreign.numbers import Recorded, differing, line_of, parted_at
from banditproof.verify.runs.foreign.policies import Played, Stage
from banditproof.verify.runs.foreign.solving import STEP, Aligned
from banditproof.verify.runs.recorder import Rewards

REDRAWN = 600  # ways in which other draws are tried to keep the arms
EACH_ALONE = REDRAWN // 2 // 8  # draws of which each is tried alone, in eight ways
FEWEST_KEPT = 60  # of them, on the rewards themselves, for it to mean something that none does on the neighbour
MOST_DRAWS = 400  # of a run of which it is asked what they move
SPREAD = (1.0, 1.0, 4.0, 20.0)  # widths from which other draws are taken


def kept_by_others(
    stage: Stage,
    recorded: Recorded,
    aligned: Aligned,
    parted: int,
    generator: np.random.Generator,
    free: frozenset[Name] | None = None,
) -> str:
    """The line of a draw that, with others, keeps the arms on the neighbour; nothing if none of the free ones does."""
    for kept, line in _redrawn(stage, recorded, aligned.run, aligned.changed, parted, generator, free):
        if kept:
            return line
    return ""


def would_show(
    stage: Stage, recorded: Recorded, parted: int, generator: np.random.Generator, free: frozenset[Name] | None = None
) -> bool:
    """Whether other draws keep the arms often enough on the recorded rewards themselves."""
    tried = _redrawn(stage, recorded, recorded.run, {}, parted, generator, free)
    return sum(kept for kept, _ in tried) >= FEWEST_KEPT


def hidden_draws(
    stage: Stage, recorded: Recorded, neighbour: Rewards, parted: int, kept: Set[str], lost: Set[str]
) -> frozenset[Name] | None:
    """The draws up to a pull that no kept number shows before the changed reward; None if one of them may hide it.

    It may where it moves a number that seems to have lost its noise, such as one that was drawn long ago for later use.
    """
    run, hidden = recorded.run, set[Name]()
    time = next(t for t, (a, b) in enumerate(zip(run.rewards, neighbour, strict=True)) if a != b)
    draws = {draw.name: draw for draw in run.tape.draws if draw.pulls <= parted}
    if len(draws) > MOST_DRAWS:
        return None
    for name, draw in draws.items():
        step = 1 if draw.law == COIN else -STEP if draw.law == "uniform" and draw.value > 0.5 else STEP
        other = stage.play(run.rewards, recorded.seed, {name: draw.value + step}, parted)
        moved = {entry for entry, _, _ in differing(run, other, exactly=True)}
        if any(entry.path in kept and entry.pull <= time for entry in moved):
            continue
        if any(entry.path in lost for entry in moved):
            return None
        hidden.add(name)
    return frozenset(hidden)


def _redrawn(
    stage: Stage,
    recorded: Recorded,
    start: Played,
    solved: Mapping[Name, float],
    parted: int,
    generator: np.random.Generator,
    free: frozenset[Name] | None,
) -> Iterator[tuple[bool, str]]:
    """Whether other draws keep the arms on the rewards of `start`, and the line of the latest of them."""
    run, pulls = recorded.run, 0 if stage.foreign.rewards_at else parted
    candidates = {d.name: d for d in start.tape.draws if stage.foreign.rewards_at or d.pulls <= parted}
    known = frozenset(candidates)
    candidates = {name: d for name, d in candidates.items() if free is None or name in free}
    tries = _other_draws(list(candidates.values()), solved, generator)
    for changed in islice(tries, REDRAWN):
        others = int(generator.integers(1, 1 << 30))
        other = stage.play(start.rewards, recorded.seed, changed, pulls, True, others, known)
        at = parted_at(run, other)
        reached = len(other.actions) > min(parted, len(run.actions) - 1)
        latest = [d for name, d in candidates.items() if changed.get(name) != solved.get(name)]
        yield not other.raised and reached and (at is None or at > parted), line_of(latest[-1]) if latest else ""


def _other_draws(
    candidates: list[Draw], solved: Mapping[Name, float], generator: np.random.Generator
) -> Iterator[dict[Name, float]]:
    """Other values of some draws: of each one alone at first, then of several, mostly of the latest ones."""
    turn = 0
    while True:
        turn += 1
        width = SPREAD[turn % len(SPREAD)]
        if not candidates:
            chosen = []
        elif turn <= 8 * len(candidates) and turn <= REDRAWN // 2:
            chosen = [candidates[-1 - (turn - 1) // 8]]
        else:
            last = candidates[-min(len(candidates), 1 + int(generator.integers(1, 9))) :]
            pool = last if turn % 2 else candidates
            chosen = [d for d in pool if generator.random() < (1.0, 0.5, 0.25)[turn % 3]]
        changed = dict(solved)
        for draw in chosen:
            if draw.law == COIN:
                changed[draw.name] = float(generator.integers(1, 1 << 30))
            elif draw.law == "uniform":
                changed[draw.name] = float(generator.random() ** (width if turn % 2 else 1 / width))
                changed[draw.name] = min(changed[draw.name], BELOW_ONE)
            elif draw.law == "exponential":
                changed[draw.name] = float(width * generator.standard_exponential())
            else:
                at = solved.get(draw.name, draw.value)
                changed[draw.name] = float(at * (turn % 3 > 0) + width * generator.laplace())
        yield changed
