"""Where does a comparison of rewards turn? Rewards are driven there one by one, while all noisy numbers stay.

A policy that drops an arm by raw sums, or starts again after a streak of low rewards, does so on few lists, and on most
lists no single reward turns it. But there is a way from one list to another one on which it decides otherwise: one
reward is replaced after the other, with draws solved for so that every noisy number stays. Some reward on it turns the
decision.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from banditproof.verify.runs.foreign.numbers import Recorded, parted_at
from banditproof.verify.runs.foreign.policies import Stage
from banditproof.verify.runs.foreign.solving import Aligned, Solver
from banditproof.verify.runs.possible_rewards import PossibleRewards
from banditproof.verify.runs.recorder import Rewards

ARMS = 3  # whose rewards alone are driven to an end


def turning(
    stage: Stage,
    solver: Solver,
    recorded: Recorded,
    possible: PossibleRewards,
    generator: np.random.Generator,
    until: float,
) -> Iterator[tuple[Recorded, Rewards]]:
    """Runs, each with a neighbour on which an arm differs although all noisy numbers are the same.

    No list is begun after so many seconds of the stage.
    """
    rewards = recorded.run.rewards
    for target in _targets(recorded, possible, stage.since):
        places = [t for t in generator.permutation(len(rewards)).tolist() if target[t] != rewards[t]]

        def driven(count: int, target: Rewards = target, places: list[int] = places) -> Rewards:
            mixed = list(rewards)
            for t in places[:count]:
                mixed[t] = target[t]
            return tuple(mixed)

        def turned(count: int) -> Aligned | None:
            there = solver.aligned(recorded, driven(count), {*recorded.noisy})
            kept = parted_at(recorded.run, there.run) is None
            return there if kept or there.stuck else None

        if stage.meter.seconds() > until:
            return
        if not places or turned(len(places)) is not None:
            continue
        low, high, at_low = 0, len(places), {}
        while high - low > 1:
            middle = (low + high) // 2
            there = turned(middle)
            if there is None:
                high = middle
            elif there.stuck:
                break
            else:
                low, at_low = middle, there.changed
        else:
            seed = stage.with_draws(recorded.seed, at_low)
            run = stage.play(driven(low), seed)
            if run.raised:
                continue
            found = solver.recorded(run, seed)
            found.noisy.update(recorded.noisy, solver.first_effects(found, driven(high)))
            yield found, driven(high)


def _targets(recorded: Recorded, possible: PossibleRewards, since: int) -> Iterator[Rewards]:
    """Lists on which, from pull `since` on, some arms bring the lowest rewards and the others the highest."""
    rewards, arms = recorded.run.rewards, recorded.run.actions
    several = list(dict.fromkeys(arms[since:]))[:ARMS]
    for high in ([], several, *([arm] for arm in several[: ARMS if len(several) > 1 else 0])):
        ends = (possible.high if arm in high else possible.low for arm in arms[since : len(rewards)])
        yield (*rewards[:since], *ends)
