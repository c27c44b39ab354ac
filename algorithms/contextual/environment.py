"""Where context sets and rewards come from, and the rounds of several policies on the same ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol, runtime_checkable

import numpy as np

from banditproof.algorithms.contextual.policy import ContextualPolicy, EveryRoundPolicy
from banditproof.theory.arguments import Nonnegative, Positive, Size, checked
from banditproof.theory.errors import InvalidInput

LONGEST_WINDOW = 512  # rounds shown at once: what fits the cache for a hundred replications


@runtime_checkable
class ContextSets(Protocol):
    """A process of sets of `arms` vectors in R^`dimension`."""

    @property
    def arms(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    def draw(self, replications: int, time: int, rounds: int, generator: np.random.Generator) -> np.ndarray:
        """The sets of `rounds` rounds from `time` on: [replications, rounds, arms, dimension]."""
        ...


@checked
@dataclass(frozen=True)
class GaussianContexts:
    """`arms` vectors from N((1, ..., 1) / sqrt(d), variance I_d) in every round; with `unit` they are scaled to norm 1.

    As drawn in Section 5.5.2 for variance 1/10. Their norm is 1 only with `unit`, as Assumption 5.15 requires; its
    third condition holds in dimension 1 alone (ALG-D5.15). Raises InvalidInput. Source: ALG-E5.6, ALG-D5.15
    """

    arms: Size = 10
    dimension: Size = 3
    variance: Positive = 0.1
    unit: bool = False

    def draw(self, replications: int, time: int, rounds: int, generator: np.random.Generator) -> np.ndarray:
        sets = generator.standard_normal((replications, rounds, self.arms, self.dimension))
        sets *= np.sqrt(self.variance)
        sets += self.dimension**-0.5
        if self.unit:
            sets /= np.linalg.norm(sets, axis=-1, keepdims=True)
        return sets


class GivenContexts:
    """Context sets chosen beforehand by an adversary, [T, K, d], the same in all replications; after T they repeat.

    Raises InvalidInput. Source: ALG-SC.4.3
    """

    @checked
    def __init__(self, sets: np.ndarray | Sequence[Sequence[Sequence[float]]]) -> None:
        self.sets = np.array(sets, dtype=float)
        if self.sets.ndim != 3 or not self.sets.size or not np.isfinite(self.sets).all():
            raise InvalidInput("sets", self.sets.shape, "finite vectors of shape [T, K, d]")
        self.sets.setflags(write=False)
        self.arms, self.dimension = self.sets.shape[1:]

    def draw(self, replications: int, time: int, rounds: int, generator: np.random.Generator | None) -> np.ndarray:
        chosen = self.sets[np.arange(time, time + rounds) % len(self.sets)]
        return np.broadcast_to(chosen, (replications, *chosen.shape))


class ContextualBandit:
    """Rewards <theta, a> plus normal noise of standard deviation `deviation` >= 0, on sets from `contexts`.

    `theta` is [d], or [R, d] with one parameter per replication. With `clipped` rewards are cut to [-1, 1].
    Raises InvalidInput. Source: ALG-EQ5.8
    """

    @checked
    def __init__(
        self,
        theta: np.ndarray | Sequence[float],
        contexts: ContextSets,
        deviation: Nonnegative = 1.0,
        clipped: bool = False,
    ) -> None:
        self.theta, self.contexts, self.clipped = np.array(theta, dtype=float), contexts, clipped
        if self.theta.ndim not in (1, 2) or self.theta.shape[-1] != contexts.dimension:
            raise InvalidInput("theta", self.theta.shape, f"of shape [{contexts.dimension}], or one per replication")
        if not np.isfinite(self.theta).all():
            raise InvalidInput("theta", self.theta.tolist(), "finite")
        self.deviation = float(deviation)

    def means(self, sets: np.ndarray) -> np.ndarray:
        """<theta, a> for every vector of `sets` [R, B, K, d]: [R, B, K]."""
        flat = sets.reshape(len(sets), -1, sets.shape[3])
        theta = np.broadcast_to(self.theta, (len(sets), sets.shape[3]))
        return (flat @ theta[:, :, np.newaxis]).reshape(sets.shape[:3])

    def rewards(self, means: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """The rewards for these means and standard normal draws."""
        heard = means + self.deviation * noise
        return np.clip(heard, -1, 1) if self.clipped else heard


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
    from banditproof.algorithms.contextual.compiled import ROUNDS, play_compiled

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
