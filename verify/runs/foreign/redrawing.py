"""Other noise on the same rewards: whether some of it keeps the arms, where the draws that were solved for do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import numpy as np

from banditproof.verify.runs.foreign.draws import BELOW_ONE, COIN, Draw, Name
from banditproof.verify.runs.foreign.numbers import Recorded, line_of, parted_at
from banditproof.verify.runs.foreign.policies import Played, Stage
from banditproof.verify.runs.foreign.solving import Aligned

REDRAWN = 600  # ways in which other draws are tried to keep the arms
FEWEST_KEPT = 60  # of them, on the rewards themselves, for it to mean something that none does on the neighbour
SPREAD = (1.0, 1.0, 4.0, 20.0)  # widths from which other draws are taken


def kept_by_others(
    stage: Stage, recorded: Recorded, aligned: Aligned, parted: int, generator: np.random.Generator
) -> str:
    """The line of a draw that, with others, keeps the arms on the neighbour; nothing if none does."""
    for kept, line in _redrawn(stage, recorded, aligned.run, aligned.changed, parted, generator):
        if kept:
            return line
    return ""


def would_show(stage: Stage, recorded: Recorded, parted: int, generator: np.random.Generator) -> bool:
    """Whether other draws keep the arms often enough on the recorded rewards themselves."""
    tried = _redrawn(stage, recorded, recorded.run, {}, parted, generator)
    return sum(kept for kept, _ in tried) >= FEWEST_KEPT


def _redrawn(
    stage: Stage,
    recorded: Recorded,
    start: Played,
    solved: Mapping[Name, float],
    parted: int,
    generator: np.random.Generator,
) -> Iterator[tuple[bool, str]]:
    """Whether other draws keep the arms on the rewards of `start`, and the line of the latest of them."""
    run, pulls = recorded.run, 0 if stage.foreign.rewards_at else parted
    candidates = {d.name: d for d in start.tape.draws if stage.foreign.rewards_at or d.pulls <= parted}
    known = frozenset(candidates)
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
