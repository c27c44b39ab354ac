"""The search for neighbouring rewards on which the actions of a policy betray the one reward that differs.

Many pairs of reward lists start, with runs on either list by the toss of a coin. What earlier runs on a pair showed
makes beliefs about the later ones, and these are bet on against the budget (`SequentialAudit`). Pairs on which little
is won are dropped. The mean wealth of all pairs and statistics is evidence against the budget, valid at any time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import fsum
from typing import Annotated

import numpy as np

from banditproof.algorithms import NoiseSource, Policy
from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.policy import asked
from banditproof.theory.errors import InvalidInput
from banditproof.verify.privacy.sequential_audit import SequentialAudit
from banditproof.verify.runs.recorder import PolicyMaker, check_policy, far_neighbour

WINDOWS = (2, 4)  # numbers of actions from the changed reward on that are looked at
CELLS = 16  # into which a score is cut
RIDGE = 0.02  # per run, in the regression of the coin on the actions
FIRST = 4  # runs on every pair before any is bet on
SCOUTED = 0.5  # of epsilon: a smaller budget that is bet against to choose pairs, not to refute
LAST = 2  # pairs that are never dropped
DROPPING = 0.125  # of the runs go into the choice of pairs
MOST_ROWS = 2**62  # integers of NumPy
ON_THE_WAY = 3  # arms whose rewards are changed one after the other
PREFIX = 6  # rewards, each 0 or 1: so long are the lists on which some action may be certain
ALIKE, SURELY = (
    4,
    24,
)  # runs that take the same action on a list, before that is looked at closely, and before it counts

Many = Annotated[Callable[[NoiseSource, np.random.Generator, int], Policy], "(noise, generator, replications)"]
OneOrMany = PolicyMaker | Many
"""Builds a policy with one replication; or with as many as a third parameter, called `replications`, says."""

Player = Callable[[Sequence[float], int, np.random.Generator], np.ndarray]
"""`player(rewards, size, generator)`: the actions of that many fresh policies on a reward list, [size, horizon]."""


@dataclass(frozen=True)
class Pair:
    """Two neighbouring reward lists, which differ in the reward with index `time`."""

    rewards: tuple[float, ...]
    neighbour: tuple[float, ...]
    time: int


@dataclass(frozen=True)
class Statistic:
    """What is looked at of the actions: `values(actions)` makes integers [n, ...] of actions [n, horizon].

    It needs the first `length` of them only: all, where that is None.
    """

    name: str
    values: Callable[[np.ndarray], np.ndarray]
    length: int | None = None


def player_of(make_policy: OneOrMany) -> Player:
    """Plays fresh policies of `make_policy(noise, generator)` one by one.

    A maker with a third parameter, called `replications`, builds that many to be played together.
    """
    parameters = inspect.signature(make_policy).parameters
    together = "replications" in parameters
    if not together and sum(one.default is one.empty for one in parameters.values()) > 2:
        allowed = "a function of (noise, generator), or of (noise, generator, replications) by that name"
        raise InvalidInput("make_policy", make_policy, f"{allowed}; audit_mechanism takes (world, size, generator)")
    make: Callable[..., Policy] = make_policy

    def player(rewards: Sequence[float], size: int, generator: np.random.Generator) -> np.ndarray:
        if together:
            return _play(make(NoiseSource(generator), generator, size), rewards, size)
        return np.concatenate([_play(make(NoiseSource(generator), generator), rewards, 1) for _ in range(size)])

    return player


def _play(policy: Policy, rewards: Sequence[float], size: int) -> np.ndarray:
    """The actions of all replications, [size, horizon]. Raises InvalidInput for what is no policy or plays no arm."""
    check_policy(policy)
    if policy.replications != size:
        allowed = f"{size}: one run at a time, or as many as were asked for"
        raise InvalidInput("replications", policy.replications, allowed)
    return _play_one(policy, rewards) if size == 1 else _play_together(policy, rewards)


def _checked_batch(policy: Policy, arm: np.ndarray, count: np.ndarray) -> None:
    for name, value, low, high in (("arm", arm, 0, policy.arms - 1), ("count", count, 1, LONGEST_BATCH)):
        if np.shape(value) != (policy.replications,) or np.asarray(value).dtype.kind not in "iu":
            raise InvalidInput(name, value, f"an array of {policy.replications} integers")
        if value.min() < low or value.max() > high:
            raise InvalidInput(name, (int(value.min()), int(value.max())), f"between {low} and {high}")


def _play_one(policy: Policy, rewards: Sequence[float]) -> np.ndarray:
    """`_play_together` for one replication, quickly."""
    actions: list[int] = []
    while (time := len(actions)) < len(rewards):
        arm, count = policy.next_batch() if time else asked(policy, 1)
        if not time or count[0] < 1 or not 0 <= arm[0] < policy.arms:
            _checked_batch(policy, arm, count)
        heard = rewards[time : time + int(count[0])]
        policy.observe(np.array([fsum(heard)]), np.array([len(heard)]))
        actions += [int(arm[0])] * len(heard)
    return np.array([actions])


def _play_together(policy: Policy, rewards: Sequence[float]) -> np.ndarray:
    """Rewards after the last one are 0, until all replications have come so far."""
    horizon, before = len(rewards), np.concatenate([[0.0], np.cumsum(rewards)])
    rows, clock = np.arange(policy.replications), np.zeros(policy.replications, dtype=np.int64)
    begun = np.full((policy.replications, horizon + 1), -1)  # the arm of a batch, where it begins
    while clock.min() < horizon:
        arm, count = asked(policy, policy.replications) if not clock.any() else policy.next_batch()
        _checked_batch(policy, arm, count)
        count = np.minimum(count, horizon)  # who asks for the longest batch there is would never end
        begun[rows, clock] = arm
        stop = np.minimum(clock + count, horizon)
        policy.observe(before[stop] - before[clock], count)
        clock = stop
    latest = np.maximum.accumulate(np.where(begun >= 0, np.arange(horizon + 1), 0), axis=1)
    return np.take_along_axis(begun, latest, 1)[:, :-1]


def pair_of(rewards: Sequence[float], neighbour: Sequence[float]) -> Pair:
    """Two reward lists of somebody's choice. Raises InvalidInput unless they differ in one reward."""
    first, second = tuple(map(float, rewards)), tuple(map(float, neighbour))
    times = [t for t, (r, s) in enumerate(zip(first, second, strict=False)) if r != s]
    if len(first) != len(second) or len(times) != 1:
        raise InvalidInput("neighbours", (first, second), "lists of the same length that differ in one reward")
    return Pair(first, second, times[0])


def reward_pairs(horizon: int, generator: np.random.Generator, arms: Sequence[int] = ()) -> list[Pair]:
    """Lists to try, with any reward changed but the last, which no action follows; the likeliest to show a leak come
    first. `arms` are those that are mostly pulled, where they are known.

    Rewards are multiples of 1/4, so that sums of them are exact.
    """
    t, coins = np.arange(horizon), generator.integers(0, 2, (2, horizon))
    likely = [0 * t, t % 2, 0 * t + 1, *coins, 0 * t + 0.25]
    others = [0 * t + level for level in (0.5, 0.75)]
    others += [1 - t % 2, 0.25 + 0.5 * (t % 2), 0.75 - 0.5 * (t % 2), t < horizon // 4, t >= horizon // 4]
    early, later = (0, 1, horizon // 4, horizon // 2), range(2, horizon - 1)

    def at(bases: Iterable[np.ndarray], times: Iterable[int]) -> list[tuple[tuple[float, ...], int]]:
        return [(tuple(map(float, base)), time) for time in times if time < horizon for base in bases]

    tried = [*at(likely, early), *_on_the_way(arms), *at(likely, later), *at(others, early), *at(others, later)]
    return [Pair(base, far_neighbour(base, time), time) for base, time in dict.fromkeys(tried)]


def _on_the_way(arms: Sequence[int]) -> Iterator[tuple[tuple[float, ...], int]]:
    """Lists between those of equal rewards and those on which one arm alone has others, and the reward that is changed
    next: the sums of two arms are equal there, or one more apart each time, whatever a decision compares them with."""
    for arm, common in product(list(dict.fromkeys(arms))[:ON_THE_WAY], (0.0, 1.0)):
        rewards = [common] * len(arms)
        for time in (t for t, pulled in enumerate(arms[:-1]) if (pulled == arm) == (common == 0)):
            yield tuple(rewards), time
            rewards[time] = 1 - common


def mostly_pulled(actions: np.ndarray) -> list[int]:
    """The arm that most runs pull at each time, of actions [n, horizon]."""
    return [int(np.bincount(pulled).argmax()) for pulled in actions.T]


def certain_pair(player: Player, length: int, generator: np.random.Generator) -> tuple[Pair, Statistic] | None:
    """The shortest neighbouring lists of 0 and 1 on which all runs take one action, and on the other list another one.

    So it is where rewards decide without noise. Each of the 2^length lists is run ALIKE times.
    """
    actions = {one: player(one, ALIKE, generator) for one in product((0.0, 1.0), repeat=length)}

    def differ(first: np.ndarray, second: np.ndarray, at: int) -> bool:
        one, other = set(first[:, at].tolist()), set(second[:, at].tolist())
        return len(one) == len(other) == 1 and one != other

    for at in range(1, length):
        for rewards, time in product((one for one in actions if not any(one[at:])), range(at)):
            neighbour = (*rewards[:time], 1.0, *rewards[time + 1 :])
            if rewards[time] == 0 and differ(actions[rewards], actions[neighbour], at):
                pair = Pair(rewards[: at + 1], neighbour[: at + 1], time)
                first, second = (player(one, SURELY, generator) for one in (pair.rewards, pair.neighbour))
                if differ(first, second, at):
                    return pair, Statistic(f"action {at}", lambda a, at=at: a[:, [at]], at + 1)
    return None


def statistics(actions: np.ndarray, worlds: np.ndarray, time: int) -> list[Statistic]:
    """What may be looked at, chosen in view of these actions [n, horizon] and their coins [n]."""
    candidates = [
        Statistic(f"the {width} actions from {time} on", lambda a, w=width: a[:, time : time + w], time + width)
        for width in WINDOWS
    ]
    candidates += [
        Statistic("all actions", lambda a: a),
        Statistic(
            f"action {time} and the later ones in any order",
            lambda a: np.hstack([a[:, [time]], np.sort(a[:, time + 1 :])]),
        ),
    ]
    arms = np.arange(actions.max() + 1)
    played = actions[:, :, np.newaxis] == arms
    apart = np.abs(played[worlds].sum(axis=0) / max(worlds.sum(), 1) - played.mean(axis=0)).max(axis=1)
    telling = int(apart.argmax())
    candidates.append(Statistic(f"action {telling}", lambda a: a[:, [telling]], telling + 1))
    columns = played[:, time:, 1:].reshape(len(actions), -1).astype(float)
    centre, coins = columns.mean(axis=0), worlds - worlds.mean()
    square = (columns - centre).T @ (columns - centre) + (1 + RIDGE * len(actions)) * np.eye(len(centre))
    weights = np.linalg.solve(square, (columns - centre).T @ coins)
    cuts = np.unique(np.quantile(columns @ weights, np.linspace(0, 1, CELLS + 1)[1:-1]))

    def score(a: np.ndarray) -> np.ndarray:
        seen = (a[:, time:, np.newaxis] == arms[1:]).reshape(len(a), -1)
        return np.searchsorted(cuts, seen @ weights, side="right")[:, np.newaxis]

    return [*candidates, Statistic("a score of the actions, by cells", score)]


def believed(values: np.ndarray, worlds: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The probability of the second list after `new` values [m, ...], from `values` [n, ...] with known coins [n]."""
    _, cell = np.unique(_numbered(np.concatenate([values, new])), axis=0, return_inverse=True)
    old, fresh = np.split(cell.ravel(), [len(values)])
    size = cell.max() + 1
    second, both = np.bincount(old[worlds], minlength=size), np.bincount(old, minlength=size)
    return ((second + 0.5) / (both + 1))[fresh]


def _numbered(rows: np.ndarray) -> np.ndarray:
    """A number for each row of counts from 0, where they are small enough: these are sorted ten times as fast."""
    base, width = int(rows.max(initial=0)) + 1, rows.shape[1]
    return rows @ base ** np.arange(width) if base**width < MOST_ROWS else rows


@dataclass
class _Runner:
    """A pair in the race: its runs so far, and what was won with them.

    `audits` are by share, statistic and tangent: share 1 bets against the budget, share SCOUTED against a smaller one,
    against which too large a leak shows sooner. `marks` are their wealths when pairs were last dropped. `log_wealth` is
    that of equal parts in all bets against the budget, `winnings` what the best bets have won since the first run.
    """

    pair: Pair
    tangents: Sequence[tuple[float, float]]
    actions: np.ndarray
    worlds: np.ndarray
    audits: dict[tuple[float, int, int], SequentialAudit] = field(default_factory=dict)
    marks: dict[tuple[float, int, int], float] = field(default_factory=dict)
    chosen: list[Statistic] = field(default_factory=list)
    log_wealth: float = 0.0
    winnings: float = 0.0

    def run(self, player: Player, size: int, generator: np.random.Generator) -> None:
        """Draw runs, bet on them with what was seen before, and keep them."""
        worlds = generator.random(size) < 0.5
        actions = np.zeros((size, len(self.pair.rewards)), dtype=np.int64)
        for rewards, here in ((self.pair.rewards, ~worlds), (self.pair.neighbour, worlds)):
            if here.any():
                actions[here] = player(rewards, int(here.sum()), generator)
        if len(self.worlds):
            self._bet(actions, worlds)
        self.actions = np.concatenate([self.actions, actions])
        self.worlds = np.concatenate([self.worlds, worlds])

    def _bet(self, actions: np.ndarray, worlds: np.ndarray) -> None:
        self.chosen = statistics(self.actions, self.worlds, self.pair.time)
        for number, statistic in enumerate(self.chosen):
            beliefs = believed(statistic.values(self.actions), self.worlds, statistic.values(actions))
            for share, (tangent, (epsilon, delta)) in product((1.0, SCOUTED), enumerate(self.tangents)):
                if (key := (share, number, tangent)) not in self.audits:
                    self.audits[key] = SequentialAudit(share * epsilon, 0.5, delta)
                self.audits[key].observe(worlds, beliefs)
        logs = [audit.log_wealth for key, audit in self.audits.items() if key[0] == 1]
        self.log_wealth = float(np.logaddexp.reduce(logs) - np.log(len(logs))) if logs else 0.0
        self.winnings = self.won({})

    def won(self, since: Mapping[tuple[float, int, int], float]) -> float:
        """What the best bets have won against either budget since their wealths were these."""
        gains = {key: audit.log_wealth - since.get(key, 0.0) for key, audit in self.audits.items()}
        return sum(max((gain for key, gain in gains.items() if key[0] == share), default=0.0) for share in (1, SCOUTED))

    def mark(self) -> None:
        """From now on `marks` are the present wealths."""
        self.marks = {key: audit.log_wealth for key, audit in self.audits.items()}

    @property
    def best(self) -> Statistic | None:
        """The statistic on which most was won, None before any bet."""
        if not self.audits:
            return None
        return self.chosen[max(self.audits, key=lambda key: self.audits[key].log_wealth)[1]]


@dataclass(frozen=True)
class Standing:
    """How a race stands: `runs` in all, the logarithm of the wealth, the best pair and what to look at of its runs."""

    runs: int
    log_wealth: float
    pair: Pair
    statistic: Statistic | None


def race(
    player: Player,
    pairs: Sequence[Pair],
    tangents: Sequence[tuple[float, float]],
    runs: int,
    generator: np.random.Generator,
    first: int = FIRST,
    dropping: float = DROPPING,
    late: Callable[[], bool] = lambda: False,
) -> Iterator[Standing]:
    """Run the pairs against each other until `runs` are spent; how it stands is told whenever a pair has run.

    Every pair has `first` runs twice to begin with, and half as many as it has had each further time; those that have
    not begun when it is `late` are left out. A part of the runs is for `dropping` pairs, equally much for each halving
    of their number.
    """
    horizon = len(pairs[0].rewards)
    nothing = np.zeros((0, horizon), dtype=np.int64), np.zeros(0, dtype=bool)
    runners = [_Runner(pair, tangents, *nothing) for pair in pairs]
    running, spent, size, halved = runners, 0, first, 0
    per_halving = dropping * runs / max(1.0, np.log2(len(pairs)))
    turns: Iterable[_Runner] = (one for one in runners for _ in range(2) if len(one.worlds) or not spent or not late())
    while spent < runs:
        for runner in turns:
            now = min(size, runs - spent)
            runner.run(player, now, generator)
            spent += now
            wealth = np.logaddexp.reduce([one.log_wealth for one in runners]) - np.log(len(runners))
            best = max(running, key=lambda one: (bool(one.audits), one.winnings))
            yield Standing(spent, float(wealth), best.pair, best.best)
            if spent == runs:
                return
        running = [runner for runner in running if len(runner.worlds)]
        if len(running) > LAST and spent - halved >= per_halving:
            ranked = sorted(running, key=lambda one: -one.won(one.marks))
            running, halved = ranked[: max(LAST, len(ranked) // 2)], spent
            for runner in running:
                runner.mark()
        turns, size = running, max(first, len(running[0].worlds) // 2)
