"""The rounds of several contextual policies on the same context sets and the same noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import Any

import numpy as np

from banditproof.algorithms.contextual.compiled import ROUNDS, play_compiled
from banditproof.algorithms.contextual.environment import ContextualBandit
from banditproof.algorithms.contextual.policy import ContextualPolicy, EveryRoundPolicy
from banditproof.algorithms.run.simulator import SimulationResult
from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput

LONGEST_WINDOW = 512  # rounds shown at once: what fits the cache for a hundred replications


@checked
def simulate_contextual(
    policies: Sequence[ContextualPolicy],
    bandit: ContextualBandit,
    horizon: int,
    generator: np.random.Generator,
    record_times: Sequence[int] | np.ndarray | None = None,
    *,
    window: int = LONGEST_WINDOW,
    compiled: bool = True,
) -> np.ndarray:
    """Regret [policies, R, M] of fresh policies with R replications each, at M record times (default: the horizon).

    All policies meet the same contexts and the same noise in the rewards, so that differences between them are theirs.
    `window` bounds the rounds shown at once; it changes how long this takes and which draws are made, not the law.
    With `compiled`, policies that are new in every round play in compiled loops where numba is installed: the same
    draws, and the same numbers up to rounding.
    Regret is the sum of max <theta, a> - <theta, a_t>. Raises InvalidInput. Source: ALG-EQ5.8
    """
    times = np.asarray([horizon] if record_times is None else record_times)
    if horizon < 1 or times.ndim != 1 or not times.size or (np.diff(times) <= 0).any():
        raise InvalidInput("record_times", record_times, "increasing, with a horizon of at least 1")
    if times[0] < 1 or times[-1] > horizon:
        raise InvalidInput("record_times", record_times, f"between 1 and {horizon}")
    replications = policies[0].replications
    if {policy.replications for policy in policies} != {replications}:
        raise InvalidInput("policies", [p.replications for p in policies], "of equally many replications")
    players = [player_of(policy, compiled) for policy in policies]
    with one_thread():
        return _played(policies, players, bandit, horizon, generator, times, window)


def one_thread() -> AbstractContextManager[Any]:
    """Inside the block BLAS works in this thread alone, where threadpoolctl is installed (extra `fast`).

    Matrices of a few dozen rows are done before other threads have heard of them, and those then wait for the next.
    """
    if find_spec("threadpoolctl") is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1, user_api="blas")


def _played(
    policies: Sequence[ContextualPolicy],
    players: Sequence[Callable[..., np.ndarray]],
    bandit: ContextualBandit,
    horizon: int,
    generator: np.random.Generator,
    times: np.ndarray,
    window: int,
) -> np.ndarray:
    """The regret of `simulate_contextual`, window by window."""
    replications = policies[0].replications
    regret, total = np.zeros((len(policies), replications, times.size)), np.zeros((len(policies), replications))
    clock = 0
    while clock < horizon:
        rounds = min(window, max(8, clock // 8), horizon - clock)
        sets = bandit.contexts.draw(replications, clock, rounds, generator)
        means, noise = bandit.means(sets), generator.standard_normal((replications, rounds))
        best = means.max(axis=2)
        reached = np.flatnonzero((times > clock) & (times <= clock + rounds))
        for k, policy in enumerate(policies):
            lost = best - players[k](policy, sets, means, noise, bandit)
            cumulated = total[k, :, np.newaxis] + np.cumsum(lost, axis=1)
            regret[k][:, reached] = cumulated[:, times[reached] - clock - 1]
            total[k] = cumulated[:, -1]
        clock += rounds
    return regret


def player_of(policy: ContextualPolicy, compiled: bool) -> Callable[..., np.ndarray]:
    """What plays a window: a compiled loop where one is wanted, there is one for this very class, and numba as well."""
    if compiled and type(policy) in ROUNDS and find_spec("numba") is not None:
        return play_compiled
    return play_round_by_round if isinstance(policy, EveryRoundPolicy) else play


def play_round_by_round(
    policy: ContextualPolicy, sets: np.ndarray, means: np.ndarray, noise: np.ndarray, bandit: ContextualBandit
) -> np.ndarray:
    """As `play`, without showing a policy rounds for which it cannot pick yet."""
    rounds = (slice(t, t + 1) for t in range(noise.shape[1]))
    return np.concatenate([play(policy, sets[:, t], means[:, t], noise[:, t], bandit) for t in rounds], axis=1)


def play(
    policy: ContextualPolicy, sets: np.ndarray, means: np.ndarray, noise: np.ndarray, bandit: ContextualBandit
) -> np.ndarray:
    """Lets a policy play through a window; the mean reward of what it picked, [R, B]."""
    replications, rounds = noise.shape
    earned = np.zeros((replications, rounds))
    start, positions = np.zeros(replications, dtype=np.int64), np.arange(rounds)
    while (start < rounds).any():
        arm, stop = policy.next_batch(sets, start)
        if ((stop <= start) & (start < rounds)).any() or (stop > rounds).any():
            raise InvalidInput("stop", stop.tolist(), f"after the start and at most {rounds}")
        picked = np.take_along_axis(means, arm[:, :, np.newaxis], axis=2)[:, :, 0]
        policy.observe(bandit.rewards(picked, noise))
        now = (positions >= start[:, np.newaxis]) & (positions < stop[:, np.newaxis])
        earned[now] = picked[now]
        start = stop
    return earned


def simulate_one(
    policy: Any, bandit: ContextualBandit, horizon: int, generator: np.random.Generator, record_times: Any = None
) -> SimulationResult:
    """`simulate_contextual` with one policy, as an engine of `simulate_chunks`; no arms are counted, so none are told.

    Raises InvalidInput.
    """
    regret = simulate_contextual([policy], bandit, horizon, generator, record_times)[0]
    untold = np.zeros((policy.replications, 0), dtype=np.int64)
    return SimulationResult(np.asarray([horizon] if record_times is None else record_times), regret, untold, untold)
