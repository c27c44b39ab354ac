"""Noise sources that record what a policy releases, and that replay it on other rewards.

A run is recorded on one reward list. Replayed on another, every release comes out as it was recorded, and the source
notes how far the true value had to be shifted for that. If everything a policy knows of the rewards passes through
its releases, it acts in the replay exactly as it did before.

One run at a time: policies are built with a single replication.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.noise import NoiseSource, Records
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget

PolicyMaker = Callable[[NoiseSource, np.random.Generator], Policy]
"""Builds a fresh policy with one replication; the generator is for its coin flips, the source for its noise."""


@dataclass(frozen=True, eq=False)
class Release:
    """One value that left a policy, with all that was declared about it.

    `value` (true) and `released` are [1] or [1, d], `scale` is that of the noise, `norm` the one in which
    `sensitivity` bounds the influence of a reward, `budget` what the release says it spends, `records` the half-open
    range of reward indices the value is computed from (with an arm: of those rewards in it that the arm brought), or
    None when the policy did not say.
    """

    value: np.ndarray
    released: np.ndarray
    distribution: str
    scale: float
    sensitivity: float
    budget: Budget
    norm: str
    records: tuple[int, ...] | None

    def covers(self, time: int, arm: int | None = None) -> bool:
        """Whether the reward with index `time`, which `arm` brought, is declared to enter.

        An undeclared release may contain any reward, and one that names an arm any reward of an arm not known.
        """
        if self.records is None:
            return True
        start, stop, *only = self.records
        return start <= time < stop and (arm is None or not only or arm == only[0])

    def declared(self) -> tuple:
        """What must not depend on the rewards: everything but the values."""
        return self.distribution, self.scale, self.sensitivity, self.budget, self.norm, self.records, self.value.shape

    def shift_to(self, other: "Release") -> float:
        """The distance from this true value to that of `other` in the declared norm, less its rounding error.

        It is inf where a value is not a number or not finite.
        """
        if self.value.shape != other.value.shape or not np.isfinite([self.value, other.value]).all():
            return inf
        difference = (other.value - self.value).ravel()
        length = np.linalg.norm(difference, ord={"l1": 1, "l2": 2}[self.norm])
        rounding = 4 * np.spacing(np.abs([self.value, other.value])).sum()
        return max(0.0, float(length - rounding))


class RecordingNoise(NoiseSource):
    """Draws noise from `generator` and keeps every release in `releases`, in order."""

    def __init__(self, generator: np.random.Generator | None = None) -> None:
        super().__init__(generator)
        self.releases: list[Release] = []

    def release(
        self,
        distribution: str,
        value: np.ndarray,
        scale: np.ndarray,
        *,
        sensitivity: float | np.ndarray,
        budget: Budget,
        records: Records | None,
        norm: str,
    ) -> np.ndarray:
        released = self.answer(distribution, value, scale)
        span = None if records is None else tuple(int(np.asarray(part).item()) for part in records)
        self.releases.append(
            Release(
                np.array(value, dtype=float),
                np.array(released, dtype=float),
                distribution,
                np.asarray(scale).item(),
                np.asarray(sensitivity).item(),
                Budget(budget.kind, **{name: np.asarray(value).item() for name, value in budget.parameters.items()}),
                norm,
                span,
            )
        )
        return released

    def answer(self, distribution: str, value: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """The released value: fresh noise on top of the true one."""
        return value + self.draw(distribution, scale, value.shape)


class ReplayNoise(RecordingNoise):
    """Answers the k-th release with the k-th released value of `recorded`, whatever the true value is now.

    A run that asks for more, or for another shape, has parted from the recorded one; it goes on without noise.
    """

    def __init__(self, recorded: Sequence[Release]) -> None:
        super().__init__()
        self.recorded = tuple(recorded)

    def answer(self, distribution: str, value: np.ndarray, scale: np.ndarray) -> np.ndarray:
        k = len(self.releases)
        if k < len(self.recorded) and self.recorded[k].released.shape == value.shape:
            return self.recorded[k].released.copy()
        return value


@dataclass(frozen=True, eq=False)
class Run:
    """What a policy did on a reward list [T]: the arm of every pull [T] and its releases in order."""

    rewards: tuple[float, ...]
    actions: tuple[int, ...]
    releases: tuple[Release, ...]

    def __post_init__(self) -> None:
        if len(self.actions) != len(self.rewards):
            raise InvalidInput("actions", self.actions, f"the arms of all {len(self.rewards)} pulls")


def record(make_policy: PolicyMaker, rewards: Sequence[float], seed: int) -> Run:
    """Runs a fresh policy on `rewards` [T], values in [0, 1], with noise and coin flips drawn from `seed`."""
    _, for_noise = _generators(seed)
    return _run(make_policy, rewards, seed, RecordingNoise(for_noise))


def replay(make_policy: PolicyMaker, run: Run, rewards: Sequence[float], seed: int) -> Run:
    """Runs a fresh policy on other `rewards` with the releases of `run` and the coin flips of the same `seed`.

    In the result, `releases` hold the true values on the new rewards and the released values of `run`.
    """
    if len(rewards) != len(run.rewards):
        raise InvalidInput("rewards", rewards, f"{len(run.rewards)} rewards, as in the recorded run")
    return _run(make_policy, rewards, seed, ReplayNoise(run.releases))


def batches_on_alternating_rewards(policy: Policy, steps: int) -> list[tuple[int, int, int]]:
    """The batches of a policy that begin within `steps` steps, as (arm, first step, last step), on 0, 1, 0, 1, ..."""
    clock, batches = 0, []
    while clock < steps:
        arm, count = policy.next_batch()
        length = int(count[0])
        policy.observe(np.array([float(sum(t % 2 for t in range(clock, clock + length)))]), count)
        batches.append((int(arm[0]), clock + 1, clock + length))
        clock += length
    return batches


def farthest(reward: float) -> float:
    """The reward in [0, 1] at the largest distance, 0 or 1."""
    return 1.0 if reward < 0.5 else 0.0


def far_neighbour(rewards: Sequence[float], time: int) -> tuple[float, ...]:
    """The neighbour that differs most: the reward with index `time` replaced by the farthest one."""
    return (*rewards[:time], farthest(rewards[time]), *rewards[time + 1 :])


def _generators(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """For the coin flips and for the noise: apart, since a replay draws no noise."""
    for_coins, for_noise = np.random.SeedSequence(seed).spawn(2)
    return np.random.default_rng(for_coins), np.random.default_rng(for_noise)


def _run(make_policy: PolicyMaker, rewards: Sequence[float], seed: int, noise: RecordingNoise) -> Run:
    coins, _ = _generators(seed)
    policy = make_policy(noise, coins)
    if policy.replications != 1:
        raise InvalidInput("replications", policy.replications, "1: privacy is checked one run at a time")
    horizon = len(rewards)
    result = simulate(policy, RewardList(rewards, policy.arms), horizon, coins, np.arange(1, horizon + 1))
    return Run(tuple(map(float, rewards)), tuple(result.actions[0].tolist()), tuple(noise.releases))
