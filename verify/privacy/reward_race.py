"""The search for neighbouring rewards on which the actions of a policy betray the one reward that differs.

Many pairs of reward lists start, with runs on either list by the toss of a coin. What earlier runs on a pair showed
makes beliefs about the later ones, and these are bet on against the budget (`SequentialAudit`). Pairs on which little
is won are dropped. The mean wealth of all pairs and statistics is evidence against the budget, valid at any time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory.errors import InvalidInput
from banditproof.verify.privacy.sequential_audit import SequentialAudit
from banditproof.verify.runs.recorder import far_neighbour

WINDOWS = (2, 4)  # numbers of actions from the changed reward on that are looked at
CELLS = 16  # into which a score is cut
RIDGE = 0.02  # per run, in the regression of the coin on the actions
FIRST = 4  # runs on every pair before any is bet on
LAST = 2  # pairs that are never dropped

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
    """What is looked at of the actions: `values(actions)` makes integers [n, ...] of actions [n, horizon]."""

    name: str
    values: Callable[[np.ndarray], np.ndarray]


def player_of(make_policy: Callable[..., Policy]) -> Player:
    """Plays fresh policies of `make_policy(noise, generator)` one by one.

    A maker with a third parameter, called `replications`, builds that many to be played together.
    """
    together = "replications" in inspect.signature(make_policy).parameters

    def player(rewards: Sequence[float], size: int, generator: np.random.Generator) -> np.ndarray:
        if together:
            return _play(make_policy(NoiseSource(generator), generator, size), rewards, size)
        return np.concatenate([_play(make_policy(NoiseSource(generator), generator), rewards, 1) for _ in range(size)])

    return player


def _play(policy: Policy, rewards: Sequence[float], size: int) -> np.ndarray:
    """The actions of all replications. Rewards after the last one are 0, until all have come so far.

    Raises InvalidInput for another number of replications and for an empty batch.
    """
    if not isinstance(policy, Policy):
        raise InvalidInput("make_policy", type(policy).__name__, "a function that returns a Policy")
    if policy.replications != size:
        allowed = f"{size}: one run at a time, or as many as were asked for"
        raise InvalidInput("replications", policy.replications, allowed)
    horizon, before = len(rewards), np.concatenate([[0.0], np.cumsum(rewards)])
    rows, clock = np.arange(size), np.zeros(size, dtype=np.int64)
    begun = np.full((size, horizon + 1), -1)  # the arm of a batch, where it begins
    while clock.min() < horizon:
        arm, asked = policy.next_batch()
        if not clock.any():
            for name, value in (("arm", arm), ("count", asked)):
                if np.shape(value) != (size,) or np.asarray(value).dtype.kind not in "iu":
                    raise InvalidInput(name, value, f"an array of {size} integers")
        if asked.min() < 1:
            raise InvalidInput("count", int(asked.min()), "at least 1 for every batch a policy asks for")
        if arm.min() < 0 or arm.max() >= policy.arms:
            raise InvalidInput("arm", (int(arm.min()), int(arm.max())), f"between 0 and {policy.arms - 1}")
        count = np.minimum(asked, horizon)  # who asks for the longest batch there is would never end
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


def reward_pairs(horizon: int, generator: np.random.Generator) -> list[Pair]:
    """Lists to try, with an early or a middle reward changed; the likeliest to show a leak come first.

    Rewards are multiples of 1/4, so that sums of them are exact.
    """
    t = np.arange(horizon)
    constant = [np.full(horizon, level) for level in (0.0, 1.0, 0.5, 0.25, 0.75)]
    mixed = [t % 2, 1 - t % 2, 0.25 + 0.5 * (t % 2), 0.75 - 0.5 * (t % 2), t < horizon // 4, t >= horizon // 4]
    coins = list(generator.integers(0, 2, (2, horizon)))
    bases = [tuple(np.asarray(base, dtype=float).tolist()) for base in (constant[0], mixed[0], *constant[1:])]
    bases += [tuple(np.asarray(base, dtype=float).tolist()) for base in (*coins, *mixed[1:])]
    times = dict.fromkeys(time for time in (0, 1, horizon // 4, horizon // 2, 2, 3) if time < horizon)
    return [Pair(base, far_neighbour(base, time), time) for time in times for base in dict.fromkeys(bases)]


def statistics(actions: np.ndarray, worlds: np.ndarray, time: int) -> list[Statistic]:
    """What may be looked at, chosen in view of these actions [n, horizon] and their coins [n]."""
    found = [
        Statistic(f"the {width} actions from {time} on", lambda a, w=width: a[:, time : time + w]) for width in WINDOWS
    ]
    found += [
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
    found.append(Statistic(f"action {telling}", lambda a: a[:, [telling]]))
    columns = played[:, time:, 1:].reshape(len(actions), -1).astype(float)
    centre, coins = columns.mean(axis=0), worlds - worlds.mean()
    square = (columns - centre).T @ (columns - centre) + (1 + RIDGE * len(actions)) * np.eye(len(centre))
    weights = np.linalg.solve(square, (columns - centre).T @ coins)
    cuts = np.unique(np.quantile(columns @ weights, np.linspace(0, 1, CELLS + 1)[1:-1]))

    def score(a: np.ndarray) -> np.ndarray:
        seen = (a[:, time:, np.newaxis] == arms[1:]).reshape(len(a), -1)
        return np.searchsorted(cuts, seen @ weights, side="right")[:, np.newaxis]

    return [*found, Statistic("a score of the actions, by cells", score)]


def believed(values: np.ndarray, worlds: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The probability of the second list after `new` values [m, ...], from `values` [n, ...] with known coins [n]."""
    _, cell = np.unique(np.concatenate([values, new]), axis=0, return_inverse=True)
    old, fresh = np.split(cell.ravel(), [len(values)])
    size = cell.max() + 1
    second, both = np.bincount(old[worlds], minlength=size), np.bincount(old, minlength=size)
    return ((second + 0.5) / (both + 1))[fresh]


@dataclass
class _Runner:
    """A pair in the race: its runs so far, and what was won on each statistic against each tangent of the budget."""

    pair: Pair
    actions: np.ndarray
    worlds: np.ndarray
    tangents: Sequence[tuple[float, float]]
    audits: dict[tuple[int, int], SequentialAudit] = field(default_factory=dict)
    chosen: list[Statistic] = field(default_factory=list)

    def run(self, player: Player, size: int, generator: np.random.Generator) -> None:
        """Draw runs, bet on them with what was seen before, and keep them."""
        worlds = generator.random(size) < 0.5
        actions = np.zeros((size, len(self.pair.rewards)), dtype=np.int64)
        for rewards, here in ((self.pair.rewards, ~worlds), (self.pair.neighbour, worlds)):
            if here.any():
                actions[here] = player(rewards, int(here.sum()), generator)
        if len(self.worlds):
            self.chosen = statistics(self.actions, self.worlds, self.pair.time)
            for number, statistic in enumerate(self.chosen):
                beliefs = believed(statistic.values(self.actions), self.worlds, statistic.values(actions))
                for tangent, (epsilon, delta) in enumerate(self.tangents):
                    audit = self.audits.setdefault((number, tangent), SequentialAudit(epsilon, 0.5, delta))
                    audit.observe(worlds, beliefs)
        self.actions = np.concatenate([self.actions, actions])
        self.worlds = np.concatenate([self.worlds, worlds])

    @property
    def log_wealth(self) -> float:
        """Of equal shares in all statistics and tangents."""
        if not self.audits:
            return 0.0
        return float(np.logaddexp.reduce([a.log_wealth for a in self.audits.values()]) - np.log(len(self.audits)))

    @property
    def best(self) -> Statistic | None:
        """The statistic on which most was won, None before any bet."""
        if not self.audits:
            return None
        return self.chosen[max(self.audits, key=lambda key: self.audits[key].log_wealth)[0]]


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
) -> Iterator[Standing]:
    """Run the pairs against each other until `runs` are spent; how it stands is told whenever a pair has run.

    Every pair has `first` runs, then as many again, then twice as many and so on. Half of the runs are for dropping
    pairs, equal parts for each halving of their number.
    """
    horizon = len(pairs[0].rewards)
    nothing = np.zeros((0, horizon), dtype=np.int64), np.zeros(0, dtype=bool)
    field_ = [_Runner(pair, *nothing, tangents) for pair in pairs]
    running, spent, size = list(field_), 0, first
    per_halving = runs / 2 / max(1.0, np.log2(len(pairs)))
    while spent < runs:
        for runner in running:
            runner.run(player, min(size, max(1, runs - spent)), generator)
            spent += min(size, max(1, runs - spent))
            wealth = np.logaddexp.reduce([one.log_wealth for one in field_]) - np.log(len(field_))
            best = max(field_, key=lambda one: (bool(one.audits), one.log_wealth))
            yield Standing(spent, float(wealth), best.pair, best.best)
            if spent >= runs:
                return
        if len(running) > LAST and 4 * size * len(running) > per_halving:
            running = sorted(running, key=lambda one: -one.log_wealth)[: max(LAST, len(running) // 2)]
        size = len(running[0].worlds)
