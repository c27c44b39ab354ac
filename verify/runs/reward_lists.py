"""The reward lists on which policies are run and replayed, and the times at which neighbours differ."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from banditproof.verify.runs.recorder import Rewards, Run, farthest


def reward_list(k: int, horizon: int, generator: np.random.Generator) -> Rewards:
    """The k-th of a cycle of reward lists [horizon]: coin flips, stretches, uniform, constant, rare ones, quarters."""
    uniform = generator.random(horizon)
    match k % 7:
        case 0:
            rewards = uniform < generator.random()
        case 1:
            rewards = np.cumsum(uniform < horizon ** -generator.random()) % 2  # a change at every step, or one in all
        case 2:
            rewards = uniform
        case 3:
            rewards = np.full(horizon, float(generator.integers(2)))
        case 4:
            rewards = uniform < 3 / horizon
        case 5:
            rewards = np.floor(uniform * 5) / 4
        case _:
            rewards = uniform > 3 / horizon
    return tuple(rewards.astype(float).tolist())


def other_lists(run: Run, generator: np.random.Generator) -> Iterator[Rewards]:
    """Lists that make every raw statistic different: the farthest one, good for one arm only, for all but one."""
    yield tuple(map(farthest, run.rewards))
    actions = np.array(run.actions)
    arms = np.unique(actions)
    for arm in generator.permutation(arms)[:2]:
        good = (actions == arm).astype(float)
        yield tuple(good.tolist())
        yield tuple((1 - good).tolist())
    yield reward_list(int(generator.integers(7)), len(run.rewards), generator)
    yield reward_list(2, len(run.rewards), generator)
