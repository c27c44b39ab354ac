"""Where rewards come from: Bernoulli or Gaussian arms, or rewards fixed beforehand.

Times are reward indices: 0 is the first pull of a run. A batch's rewards are heard as their sum; floating-point sums
are correctly rounded, so that they do not depend on the way a simulator collects them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from math import fsum, isfinite
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from banditproof.theory.arguments import Positive, Size, checked, floats, signature_of
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.ranges import has_truth

DRAWS, FAR = 4096, 0.06  # so far lies their mean from an expectation with probability below 1e-12
CALLED = (
    "def sum_of_rewards(self, arm, count, generator, *, time=0), the sum of `count` rewards for each arm of an array"
)


@runtime_checkable
class Environment(Protocol):
    """What a simulator needs: the sums of the rewards of a batch for R replications at once."""

    arms: int

    @property
    def means(self) -> np.ndarray | Sequence[float]:
        """The arms' means [K], nan where the rewards are fixed beforehand."""
        ...

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: Any, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        """Per replication, the sum of the rewards of `count` pulls of `arm` from `time` on: [R]."""
        ...


def means_of(environment: Environment) -> np.ndarray:
    """The arms' means [K], which somebody may have written as a list. Raises InvalidInput where they are no means."""
    means, arms = np.asarray(environment.means), environment.arms
    if not isinstance(arms, int | np.integer) or isinstance(arms, bool):
        raise InvalidInput("environment.arms", arms, "an integer")
    fixed = means.dtype.kind == "f" and bool(np.isnan(means).all())
    if means.shape != (arms,) or means.dtype.kind not in "fiu" or not (fixed or np.isfinite(means).all()):
        allowed = f"{arms} finite numbers, one for each arm (all of them nan where the rewards are fixed beforehand)"
        raise InvalidInput("environment.means", environment.means, allowed)
    _check_call(environment.sum_of_rewards)
    return means.astype(float)


def _check_call(sums: Any) -> None:
    """Raise InvalidInput for a `sum_of_rewards` that cannot be called as the simulators do."""
    try:
        signature_of(sums).bind(None, None, None, time=None)
    except TypeError:
        raise InvalidInput("sum_of_rewards", f"sum_of_rewards{signature_of(sums)}", CALLED) from None


def misfit(environment: Environment, horizon: int, *, sure: bool = False) -> str:
    """Of an environment of somebody else: an arm whose rewards over the horizon have another mean than is stated.

    With `sure` only rewards within [0, 1] count, as beyond these rare ones may make up the mean.
    """
    if type(environment).__module__.startswith("banditproof.") or horizon < 2:
        return ""
    for arm, mean in enumerate(means_of(environment)):
        paid = _per_pull(environment, arm, horizon)
        within = 0 <= paid.min() <= mean <= 2 * paid.max() <= 2
        width = 1 if within else max(1, 2 * paid.max()) - min(0, paid.min())
        if abs(paid.mean() - mean) > FAR * width and (within or not sure):
            told = f"sum_of_rewards pays arm {arm} {paid.mean():.2g} a pull, and means says {mean:.2g}"
            return f"{told} (arms are counted from 0, and rewards are added up)"
    return ""


def _per_pull(environment: Environment, arm: int, horizon: int) -> np.ndarray:
    """Half the sums of two pulls over the horizon [DRAWS], paid by a copy, so that nothing changes for the others.

    They are nan, of which nothing follows, for one that has no copy or pays for its own number of replications alone.
    """
    time, generator = np.linspace(0, horizon - 2, DRAWS).astype(np.int64), np.random.default_rng(0)
    two = np.full(DRAWS, 2)  # whose sum is no mean
    with _global_generators_kept():
        try:
            return heard(deepcopy(environment), np.full(DRAWS, arm), two, generator, time=time) / 2
        except Exception:  # a mistake is raised again where it plays
            return np.full(1, np.nan)


@contextmanager
def _global_generators_kept() -> Iterator[None]:
    """What the block draws from the generators of NumPy and of Python is drawn again after it."""
    states = np.random.get_state(), random.getstate()  # noqa: NPY002, an environment may draw from it
    try:
        yield
    finally:
        np.random.set_state(states[0])  # noqa: NPY002
        random.setstate(states[1])


def heard(
    environment: Environment, arm: np.ndarray, count: np.ndarray, generator: Any, *, time: np.ndarray
) -> np.ndarray:
    """What an environment pays for a batch: [R]. Raises InvalidInput where these are no finite numbers, one of each."""
    given = environment.sum_of_rewards(arm, count, generator, time=time)
    if (
        isinstance(given, np.ndarray)
        and given.shape == arm.shape
        and given.dtype.kind in "fiu"
        and isfinite(given.sum())
    ):
        return given
    raise InvalidInput("sum_of_rewards", given, f"an array of one finite sum for each of the {len(arm)} replications")


@runtime_checkable
class SingleRewards(Environment, Protocol):
    """An environment that also tells one reward at a time."""

    def reward(self, arm: int, generator: Any, *, time: int = 0) -> float:
        """The reward of one pull of `arm` at `time`."""
        ...


class BernoulliBandit:
    """K arms with rewards in {0, 1}, independent over arms and pulls; `means` [K] lie in [0, 1].

    The sum of a batch is one binomial draw. Raises InvalidInput. Source: BDP-D2.0
    """

    @checked
    def __init__(self, means: Sequence[float] | np.ndarray) -> None:
        if has_truth(means):
            raise InvalidInput("means", means, "numbers in [0, 1]")
        self.means = _rewards_in_unit_interval("means", means, dimensions=1)
        self.arms = self.means.size

    def reward(self, arm: int, generator: np.random.Generator, *, time: int = 0) -> float:
        return float(generator.random() < self.means[arm])

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        return generator.binomial(count, self.means[arm]).astype(float)


class GaussianBandit:
    """K arms with normal rewards of standard deviation `deviation` > 0, independent over arms and pulls; `means` [K].

    The sum of a batch is one normal draw. Raises InvalidInput. Source: TH-T2.28
    """

    @checked
    def __init__(self, means: Sequence[float] | np.ndarray, deviation: Positive = 1.0) -> None:
        self.means = np.array(means, dtype=float)
        if self.means.ndim != 1 or not self.means.size or not np.isfinite(self.means).all():
            raise InvalidInput("means", means, "a non-empty list of finite numbers")
        self.means.setflags(write=False)
        self.arms, self.deviation = self.means.size, float(deviation)

    def reward(self, arm: int, generator: np.random.Generator, *, time: int = 0) -> float:
        return float(self.means[arm] + self.deviation * generator.standard_normal())

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        return count * self.means[arm] + self.deviation * np.sqrt(count) * generator.standard_normal(np.shape(arm))


class RewardTable:
    """Rewards fixed beforehand, `rewards[t, a]` in [0, 1] for arm a at time t: [T, K]; no generator is needed.

    Raises InvalidInput, also when a run lasts longer than the rewards. Source: BDP-D2.2b
    """

    called: ClassVar[str] = "rewards"

    @checked
    def __init__(self, rewards: Sequence[Sequence[float]] | np.ndarray) -> None:
        self.rewards = _rewards_in_unit_interval(self.called, rewards, dimensions=2)
        self.arms = self.rewards.shape[1]
        self.means = np.full(self.arms, np.nan)

    def reward(self, arm: int, generator: np.random.Generator | None = None, *, time: int = 0) -> float:
        return float(self._slice(arm, time, 1)[0])

    def sum_of_rewards(
        self,
        arm: np.ndarray,
        count: np.ndarray,
        generator: np.random.Generator | None = None,
        *,
        time: np.ndarray | int = 0,
    ) -> np.ndarray:
        batches = np.broadcast(arm, time, count)
        return np.array([fsum(self._slice(int(a), int(t), int(n))) for a, t, n in batches])

    def _slice(self, arm: int, time: int, count: int) -> np.ndarray:
        if time + count > len(self.rewards):
            raise InvalidInput("time", time + count - 1, f"less than the number of rewards, {len(self.rewards)}")
        return self.rewards[time : time + count, arm]


class RewardList(RewardTable):
    """Rewards fixed beforehand, `rewards[t]` in [0, 1] at time t whichever of the `arms` is pulled: [T].

    Raises InvalidInput. Source: BDP-D2.2c
    """

    @checked
    def __init__(self, rewards: Sequence[float] | np.ndarray, arms: Size) -> None:
        column = _rewards_in_unit_interval("rewards", rewards, dimensions=1)
        super().__init__(np.broadcast_to(column[:, np.newaxis], (column.size, arms)))


def _rewards_in_unit_interval(parameter: str, values: object, *, dimensions: int) -> np.ndarray:
    array = np.array(floats(parameter, values, "numbers in [0, 1]"))
    if array.ndim != dimensions or array.size == 0:
        raise InvalidInput(
            parameter, values, f"{'a list' if dimensions == 1 else 'rows of equal length'} of numbers in [0, 1]"
        )
    outside = array[~((array >= 0) & (array <= 1))]  # nan is outside, too
    if outside.size:
        raise InvalidInput(parameter, float(outside[0]), "in [0, 1]")
    array.setflags(write=False)
    return array
