"""Losses fixed beforehand: tables, a library of hard sequences, and playing against them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from banditproof.algorithms.adversarial.experts import Panel
from banditproof.algorithms.environment import RewardTable
from banditproof.algorithms.policy import Policy, asked, check_calls
from banditproof.theory.arguments import Seed, Size, checked
from banditproof.theory.errors import InvalidInput, one_of


class LossTable(RewardTable):
    """Losses `losses[t, a]` in [0, 1] of arm a at round t, [T, K], as an environment; sums come from cumulated losses.

    They are exact for losses that are multiples of 2^-20, and else right to 1e-9. Raises InvalidInput.
    Source: ADV-S2.1
    """

    called: ClassVar[str] = "losses"

    @checked
    def __init__(self, losses: Sequence[Sequence[float]] | np.ndarray) -> None:
        super().__init__(losses)
        self.cumulated = np.zeros((len(self.rewards) + 1, self.arms))
        np.cumsum(self.rewards, axis=0, out=self.cumulated[1:])

    @property
    def losses(self) -> np.ndarray:
        """The table, [T, K]."""
        return self.rewards

    def sum_of_rewards(
        self,
        arm: np.ndarray,
        count: np.ndarray,
        generator: np.random.Generator | None = None,
        *,
        time: np.ndarray | int = 0,
    ) -> np.ndarray:
        stop = np.max(time + count)
        if stop > len(self.rewards):
            raise InvalidInput("time", int(stop) - 1, f"less than the number of rounds, {len(self.rewards)}")
        return self.cumulated[time + count, arm] - self.cumulated[time, arm]


@dataclass(frozen=True, eq=False)
class Played:
    """What R replications lost: `loss` [R, M] up to each of the `record_times` [M], and the `regret` [R, M].

    Regret is against the action, or with a panel the expert, that is best up to that time. Source: ADV-D2.2, ADV-D2.3
    """

    record_times: np.ndarray
    loss: np.ndarray
    regret: np.ndarray


@checked
def play(
    policy: Policy, losses: LossTable, record_times: Sequence[int] | None = None, *, panel: Panel | None = None
) -> Played:
    """All replications of a fresh `policy` on `losses`, whose length is the horizon.

    `record_times` are increasing numbers of rounds (default: the horizon). Raises InvalidInput.
    """
    times, horizon = valid_game(policy, losses, record_times), len(losses.losses)
    rows, clock = np.arange(policy.replications), np.zeros(policy.replications, dtype=np.int64)
    lost, seen = np.zeros(policy.replications), np.full((policy.replications, times.size), np.nan)
    while True:
        arm, count = asked(policy, rows.size)
        count = np.minimum(count, horizon - clock)
        _note(seen, lost, losses, times, rows, clock, arm, count)
        total = losses.sum_of_rewards(arm, count, time=clock)
        policy.observe(total, count)
        lost[rows] += total
        clock = clock + count
        running = clock < horizon
        if not running.any():
            return regret_of(seen, losses, times, panel)
        if not running.all():
            rows, clock = rows[running], clock[running]
            policy.keep(running)


def valid_game(policy: Policy, losses: LossTable, record_times: Sequence[int] | None) -> np.ndarray:
    """The record times, by default the horizon. Raises InvalidInput for them and for losses of other arms."""
    check_calls(policy)
    horizon = len(losses.losses)
    times = np.asarray([horizon] if record_times is None else record_times)
    if policy.arms != losses.arms:
        raise InvalidInput("losses", losses.arms, f"losses of {policy.arms} arms, as the policy has")
    if not times.size or times[0] < 1 or times[-1] > horizon or (np.diff(times) <= 0).any():
        raise InvalidInput("record_times", record_times, f"increasing integers between 1 and {horizon}")
    return times


def regret_of(lost: np.ndarray, losses: LossTable, times: np.ndarray, panel: Panel | None) -> Played:
    """What was played, from the losses `lost` [R, M] up to `times`."""
    best = losses.cumulated if panel is None else _cumulated(panel.losses(losses.losses))
    return Played(times, lost, lost - best[times].min(axis=1))


def _note(
    seen: np.ndarray,
    lost: np.ndarray,
    losses: LossTable,
    times: np.ndarray,
    rows: np.ndarray,
    clock: np.ndarray,
    arm: np.ndarray,
    count: np.ndarray,
) -> None:
    """Write down the losses at the record times inside this batch."""
    first = np.searchsorted(times, clock.min(), side="right")
    while first < times.size and times[first] <= (clock + count).max():
        inside = (clock < times[first]) & (times[first] <= clock + count)
        if inside.any():
            partial = losses.sum_of_rewards(arm[inside], times[first] - clock[inside], time=clock[inside])
            seen[rows[inside], first] = lost[rows[inside]] + partial
        first += 1


def _cumulated(losses: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros((1, losses.shape[1])), np.cumsum(losses, axis=0)])


# ------------------------------------------------------------------------------------------------------ hard sequences


def _stochastic(horizon: int, arms: int, generator: np.random.Generator) -> np.ndarray:
    """Independent coins, one arm better by sqrt(K/T)/2: looks stochastic, and no learner does better than sqrt(KT)."""
    means = np.full(arms, 0.5)
    means[generator.integers(arms)] -= min(0.5, np.sqrt(arms / horizon) / 2)
    return (generator.random((horizon, arms)) < means).astype(float)


def _switching(horizon: int, arms: int, generator: np.random.Generator) -> np.ndarray:
    """The best arm changes after half of the rounds: what was bad has no loss from then on."""
    losses = np.ones((horizon, arms))
    losses[: horizon // 2, 0], losses[horizon // 2 :, -1] = 0.5, 0.0
    return losses


def _needle(horizon: int, arms: int, generator: np.random.Generator) -> np.ndarray:
    """One arm, drawn at random, never loses; the others always do."""
    losses = np.ones((horizon, arms))
    losses[:, generator.integers(arms)] = 0.0
    return losses


def _two_arm(horizon: int, arms: int, generator: np.random.Generator) -> np.ndarray:
    """Section 5.2: the first arm loses 1/2, the others 1."""
    losses = np.ones((horizon, arms))
    losses[:, 0] = 0.5
    return losses


def _two_arm_changed(horizon: int, arms: int, generator: np.random.Generator) -> np.ndarray:
    """Section 5.2 with a change: the second arm stops losing after sqrt(T) rounds."""
    losses = _two_arm(horizon, arms, generator)
    losses[int(np.sqrt(horizon)) :, 1] = 0.0
    return losses


def _alternating(horizon: int, arms: int, generator: np.random.Generator) -> np.ndarray:
    """Blocks of sqrt(T) rounds in which one arm after the other is free; the first is free a little more often."""
    block = max(1, int(np.sqrt(horizon)))
    losses = np.ones((horizon, arms))
    free = (np.arange(horizon) // block) % (arms + 1) % arms
    losses[np.arange(horizon), free] = 0.0
    return losses


HARD: dict[str, Callable[[int, int, np.random.Generator], np.ndarray]] = {
    "stochastic": _stochastic,
    "switching": _switching,
    "needle": _needle,
    "two-arm": _two_arm,
    "two-arm-changed": _two_arm_changed,
    "alternating": _alternating,
}


@checked
def hard_losses(name: str, horizon: Size, arms: Annotated[int, "[2, 1e9]"] = 2, *, seed: Seed = 0) -> LossTable:
    """The hard sequence of this `name` for T rounds and K >= 2 arms; `seed` draws what is random in it.

    Raises InvalidInput for a name that is not in `HARD`, no rounds and fewer than two arms. Source: ADV-D5.1
    """
    one_of("losses", name, HARD)
    return LossTable(HARD[name](horizon, arms, np.random.default_rng([seed, 20260101])))


def hard_panel(name: str, experts: int, actions: int) -> Panel:
    """Experts on K actions: "constant" ones name an action each, "uniform" ones none, "drifting" ones rotate.

    Raises InvalidInput for another name.
    """
    named = np.eye(actions)[np.arange(experts) % actions]
    if name == "constant":
        return Panel(named)
    if name == "uniform":
        return Panel(np.full((experts, actions), 1 / actions))
    if name == "drifting":
        return Panel(np.stack([np.roll(named, shift, axis=1) / 2 + 0.5 / actions for shift in range(actions)]))
    raise InvalidInput("panel", name, "one of constant, uniform, drifting")
