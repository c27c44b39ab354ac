"""Running a policy in an environment: batch by batch for all replications together, or pull by pull.

`simulate` draws the sum of every batch at once. Replications have clocks of their own: each step of the loop is one
batch of every replication that has not reached the horizon. Within a batch one arm is pulled, so the regret at any
time inside it is known exactly. `simulate_per_pull` is the plain loop of the bandit protocol, kept as the reference
for what the fast one must reproduce in distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np

from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.environment import Environment, SingleRewards, heard, means_of, misfit
from banditproof.algorithms.policy import Policy, asked, check_calls
from banditproof.algorithms.run.batched import has_batched_loop, play_batches
from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput, NoNumber, without_file
from banditproof.theory.hints import hint
from banditproof.theory.privacy.budget import Budget

# Arrays come and go at every step. Once a mapped block of nearly 32 MiB has been freed, glibc keeps twice as much of
# what they free, rather than handing it back and faulting it in again; elsewhere this does nothing.
np.empty(2**25 - 2**16, dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class SimulationResult(NoNumber):
    """What happened in R replications, seen at M record times; the leading axis may be split, see `sweep`.

    `record_times` [M]: numbers of pulls t, increasing. `regret` [R, M]: sum over arms of gap times pulls up to t, nan
    in an environment without means. `actions` [R, M]: the arm of pull t. `pulls` [R, K]: all pulls made per arm; they
    sum to the horizon unless the last batch was allowed to overshoot it. Source: BDP-EQ2
    """

    record_times: np.ndarray
    regret: np.ndarray
    actions: np.ndarray
    pulls: np.ndarray

    @without_file
    def plot(self) -> Any:
        """A matplotlib figure of the mean regret over time, with its 10-90 % range over the replications.

        Of a `sweep` there is a curve for each budget, numbered in their order. Raises ImportError without the extra
        `report`, and InvalidInput for fewer than two record times.
        """
        from banditproof.theory.drawing import curves

        if len(self.record_times) < 2:
            raise InvalidInput("record_times", self.record_times, "at least two times, to draw a curve")
        *split, _, _ = self.regret.shape
        each = self.regret.reshape(-1, *self.regret.shape[-2:])
        drawn = {}
        for place, regret in enumerate(each, 1):
            low, high = np.quantile(regret, (0.1, 0.9), axis=0)
            named = f"budget {place} of {len(each)}, " if split else ""
            drawn[f"{named}{len(regret)} runs"] = (regret.mean(axis=0), low, high)
        return curves(self.record_times, drawn, title="Mean regret and 10-90 % range")


@checked
def simulate(
    policy: Policy,
    environment: Environment,
    horizon: int,
    generator: np.random.Generator | None,
    record_times: Sequence[int] | np.ndarray | None = None,
    *,
    overshoot: bool = False,
    progress: Callable[[int, int], None] | None = None,
    compiled: bool = True,
) -> SimulationResult:
    """Run all replications of a fresh `policy` for `horizon` pulls; `generator` draws the rewards (None is enough
    where they are fixed beforehand).

    `record_times` are times in 1, ..., horizon (default: the horizon alone). The batch that reaches the horizon is cut
    there: what is released after the last pull changes no action, and neither does the cut change an earlier one. With
    `overshoot` it is played in full, as the pseudo code of BDP-A1 is written; only `pulls` differ. `progress(done,
    horizon)` is called after every batch with the pulls that every replication has made. With `compiled`, the library's
    own index policies play long simulations in a compiled loop where numba is installed: the same draws and actions.

    Raises InvalidInput for bad times, another number of arms, a policy that has played already, and one that names no
    arm or an empty batch.
    """
    check_calls(policy)
    times = valid_times(policy, environment, horizon, record_times)
    _check_generator(environment, generator)
    _hint_of_others(policy, environment, int(horizon))
    begin(policy)
    trajectory = _Trajectory(policy.replications, environment, times)
    if compiled and progress is None and not overshoot and has_batched_loop(policy, environment, int(horizon)):
        assert generator is not None  # checked above: these rewards are drawn
        play_batches(policy, environment, int(horizon), generator, trajectory)
        return trajectory.result()
    rows = np.arange(policy.replications)  # the replications still running, and their clocks
    clock = np.zeros(policy.replications, dtype=np.int64)
    budget = getattr(policy, "budget", None)
    private = isinstance(budget, Budget) and bool(np.isfinite(getattr(budget, budget.amount)).any())
    while True:
        arm, count = asked(policy, rows.size)
        if not overshoot:
            count = np.minimum(count, horizon - clock)
        total = heard(environment, arm, count, generator, time=clock)
        if private and ((total < 0) | (total > count)).any():
            hint("rewards are outside of [0, 1], and the noise of a private policy hides those inside")
            private = False
        policy.observe(total, count)
        trajectory.add(rows, clock, arm, count)
        clock = clock + count
        if progress is not None:
            progress(int(clock.min()), horizon)
        running = clock < horizon
        if not running.any():
            return trajectory.result()
        if not running.all():
            rows, clock = rows[running], clock[running]
            policy.keep(running)


@checked
def simulate_per_pull(
    policy: Policy,
    environment: SingleRewards,
    horizon: int,
    generator: np.random.Generator | None,
    record_times: Sequence[int] | np.ndarray | None = None,
) -> SimulationResult:
    """The reference: one replication, one reward at a time; arguments and result as in `simulate`."""
    check_calls(policy)
    times = valid_times(policy, environment, horizon, record_times)
    _check_generator(environment, generator)
    begin(policy)
    if policy.replications != 1:
        raise InvalidInput("replications", policy.replications, "1 when pulling one reward at a time")
    means, wanted = means_of(environment), set(times.tolist())
    gaps = means.max() - means
    pulls, regret, actions = [0] * environment.arms, [], []
    t = 0
    while t < horizon:
        arms, counts = asked(policy, 1)
        arm, rewards = int(arms[0]), []
        while len(rewards) < counts[0] and t < horizon:
            rewards.append(environment.reward(arm, generator, time=t))
            pulls[arm] += 1
            t += 1
            if t in wanted:
                actions.append(arm)
                regret.append(fsum(n * gap for n, gap in zip(pulls, gaps, strict=True)))
        policy.observe(np.array([fsum(rewards)]), np.array([len(rewards)]))
    return SimulationResult(times, np.array([regret]), np.array([actions]), np.array([pulls]))


class _Trajectory:
    """What is kept of a simulation: pulls so far and, for each record time, the batch that covers it.

    A batch is written down once, at the first record time inside it, and spread over the later ones in the end.
    """

    def __init__(self, replications: int, environment: Environment, times: np.ndarray) -> None:
        self.times = times
        means = means_of(environment)
        self.gaps = means.max() - means
        self.pulls = np.zeros((replications, environment.arms), dtype=np.int64)
        self.regret = np.zeros(replications)
        self.recorded = np.zeros(replications, dtype=np.int64)  # number of record times that have passed
        shape = (replications, times.size)
        self.arm = np.full(shape, -1)  # -1: no batch written down here
        self.start = np.zeros(shape, dtype=np.int64)
        self.regret_at_start = np.zeros(shape)

    def add(self, rows: np.ndarray, start: np.ndarray, arm: np.ndarray, count: np.ndarray) -> None:
        """Replications `rows` pulled `arm` in the times start + 1, ..., start + count: four arrays of one shape."""
        passed = np.searchsorted(self.times, start + count, side="right")
        first = self.recorded[rows]
        inside = first < passed
        at = rows[inside], first[inside]
        self.arm[at] = arm[inside]
        self.start[at] = start[inside]
        self.regret_at_start[at] = self.regret[rows[inside]]
        self.recorded[rows] = passed
        self.pulls[rows, arm] += count
        self.regret[rows] += self.gaps[arm] * count

    def result(self) -> SimulationResult:
        columns = np.maximum.accumulate(np.where(self.arm >= 0, np.arange(self.times.size), 0), axis=1)
        arm, start, before = (np.take_along_axis(a, columns, 1) for a in (self.arm, self.start, self.regret_at_start))
        return SimulationResult(self.times, before + self.gaps[arm] * (self.times - start), arm, self.pulls)


def _check_generator(environment: Environment, generator: np.random.Generator | None) -> None:
    if generator is None and not np.isnan(means_of(environment)).all():
        raise InvalidInput("generator", None, "a numpy Generator, for rewards that are drawn")


def _hint_of_others(policy: Policy, environment: Environment, horizon: int) -> None:
    """Where the means are hardly those of the rewards, or the policy was made for fewer pulls."""
    if told := misfit(environment, horizon):
        hint(f"{told}: regret is counted from means; in order where rare rewards make up the rest")
    if (made_for := getattr(policy, "made_for", None)) is not None and made_for < horizon:
        hint(f"the policy was made for horizon = {made_for}, and plays {horizon} pulls")


def begin(policy: Policy) -> None:
    """A second run would go on with what the first one taught the policy, and add no regret."""
    check_calls(policy)
    if getattr(policy, "has_played", False):
        allowed = "a new policy for each run, because this one has already played"
        raise InvalidInput("policy", type(policy).__name__, allowed)
    policy.has_played = True


def valid_times(
    policy: Policy, environment: Environment, horizon: int, record_times: Sequence[int] | np.ndarray | None
) -> np.ndarray:
    if policy.arms != environment.arms:
        raise InvalidInput("arms", policy.arms, f"{environment.arms}, the number of arms of the environment")
    if not isinstance(horizon, int | np.integer) or not 1 <= horizon <= LONGEST_BATCH:
        raise InvalidInput("horizon", horizon, f"an integer between 1 and {LONGEST_BATCH}")
    times = np.asarray([horizon] if record_times is None else record_times)
    inside = times.size and times.dtype.kind in "iu" and times.min() >= 1 and times.max() <= horizon
    if times.ndim != 1 or not inside or (np.diff(times) <= 0).any():
        raise InvalidInput("record_times", record_times, f"increasing integers between 1 and {horizon}")
    return times
