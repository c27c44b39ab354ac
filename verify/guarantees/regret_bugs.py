"""Bugs that cost regret, to be planted into any policy, and that the regret checks have to find.

Some stand between a policy and its rewards (`Between`) and serve every algorithm; others change the policy's own method
and belong to a family of algorithms (`own_bugs`). A bug is a function of a fresh policy:
`REGRET_BUGS["rewards ignored"]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from banditproof.algorithms.policy import Policy
from banditproof.algorithms.roster import algorithm
from banditproof.verify.announcing import Between
from banditproof.verify.bugs import Bugs, Planter

REGRET_BUGS = Bugs("rewards")
"""Bugs that cost regret, by name, for any algorithm: `REGRET_BUGS["rewards ignored"](policy)` is the policy with it."""

INDEX = Bugs("index")
KL = Bugs("kl")
ELIMINATION = Bugs("elimination")
THOMPSON = Bugs("thompson")
LAZY = Bugs("lazy")
TREE = Bugs("tree")


@REGRET_BUGS.named("rewards upside down")
class RewardsUpsideDown(Between):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(count - total, count, arm)


@REGRET_BUGS.named("next arm credited")
class NextArmCredited(Between):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(total, count, ((self.played if arm is None else arm) + 1) % self.arms)


@REGRET_BUGS.named("rewards ignored")
class RewardsIgnored(Between):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(0.0 * total, count, arm)


@REGRET_BUGS.named("next arm played every second time")
class NextArmPlayed(Between):
    """Every second batch is played with the arm after the recommended one, which is credited."""

    def instead(self, arm: np.ndarray) -> np.ndarray:
        return (arm + self.batches_played % 2) % self.arms


@REGRET_BUGS.named("random arm credited")
class RandomArmCredited(Between):
    """A batch is credited to an arm drawn at random."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.coins = np.random.default_rng(0)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(total, count, self.coins.integers(0, self.arms, self.replications))


@REGRET_BUGS.named("last arm never played")
class LastArmNeverPlayed(Between):
    def instead(self, arm: np.ndarray) -> np.ndarray:
        return np.minimum(arm, self.arms - 2)


@REGRET_BUGS.named("first arm never played")
class FirstArmNeverPlayed(Between):
    def instead(self, arm: np.ndarray) -> np.ndarray:
        return np.maximum(arm, 1)


@REGRET_BUGS.named("stuck after the first phase")
class StuckAfterFirstPhase(Between):
    """From its second round over the arms on, the policy plays what it played last."""

    per_replication = ("last",)

    def instead(self, arm: np.ndarray) -> np.ndarray:
        if self.batches_played <= self.arms:
            self.last = arm
        return self.last


@REGRET_BUGS.named("deaf after the first phase")
class DeafAfterFirstPhase(Between):
    """What comes after two rounds over the arms is heard as no reward."""

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(total * (self.batches_played <= 2 * self.arms), count, arm)


@REGRET_BUGS.named("rewards of the batch before")
class RewardsOfTheBatchBefore(Between):
    """Every batch is heard with the mean reward of the one before it."""

    per_replication = ("before",)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        heard = total / count if self.batches_played == 1 else self.before
        self.before = total / count
        super().observe(np.rint(heard * count), count, arm)


@REGRET_BUGS.named("coins heard")
class CoinsHeard(Between):
    """Fair coins are heard instead of the rewards."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.coins = np.random.default_rng(0)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(self.coins.binomial(count, 0.5).astype(float), count, arm)


@REGRET_BUGS.named("half the pulls at random")
class HalfThePullsAtRandom(Between):
    """Every second batch is played with a random arm; its rewards are credited to that one."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.coins = np.random.default_rng(0)

    def instead(self, arm: np.ndarray) -> np.ndarray:
        other = self.coins.integers(0, self.arms, arm.size)
        return np.where(self.coins.random(arm.size) < 0.5, other, arm)


# ------------------------------------------------------------------------------------------------ bugs of the family


def changed(policy: Policy, **methods: Any) -> Policy:
    """The policy with methods of its class replaced; each is given the method it replaces as its first argument."""
    kind: Any = type(policy)

    def bound(name: str, change: Callable[..., Any]) -> Any:
        before = getattr(kind, name)
        if isinstance(before, property):
            return property(lambda self: change(before.fget, self))  # pyright: ignore[reportOptionalCall]
        return lambda self, *arguments: change(before, self, *arguments)

    policy.__class__ = type(kind.__name__, (kind,), {name: bound(name, change) for name, change in methods.items()})
    return policy


def _enter(name: str, *families: Bugs, **methods: Any) -> None:
    """A bug of these families that replaces methods of the policy's class, see `changed`."""
    for family in families:
        family.named(name)(lambda policy: changed(policy, **methods))


# An index: b(p, m, n) is the `score` of the policy p for means m and samples n [R, K].


def _stale(before: Any, self: Any, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """The index is computed once for every arm, with its first mean."""
    if not hasattr(self, "first_means"):
        self.first_means, self.known = np.zeros_like(means), np.zeros(means.shape, dtype=bool)
        self.per_replication = (*self.per_replication, "first_means", "known")
    new = (self.samples > 0) & ~self.known
    self.first_means, self.known = np.where(new, means, self.first_means), self.known | new
    return before(self, self.first_means, samples)


_enter("wrong sign of the bonus", INDEX, score=lambda b, p, m, n: 2 * m - b(p, m, n))
_enter("wrong argmin", INDEX, KL, score=lambda b, p, m, n: -b(p, m, n))
_enter("arguments swapped", INDEX, KL, score=lambda b, p, m, n: b(p, np.clip(1 / n, 0, 1), np.maximum(m, 0.01)))
_enter("bonus that does not shrink", INDEX, score=lambda b, p, m, n: b(p, m, np.ones_like(n)))
_enter("bonus that grows", INDEX, score=lambda b, p, m, n: m + n * (b(p, m, n) - m))
_enter("index of stale means", INDEX, KL, score=_stale)
_enter("index of the arm before", INDEX, KL, score=lambda b, p, m, n: np.roll(b(p, m, n), 1, axis=1))
_enter("samples not counted", KL, score=lambda b, p, m, n: b(p, m, np.ones_like(n)))
_enter("means of the losses", KL, score=lambda b, p, m, n: b(p, 1 - m, n))
_enter("means divided by samples again", INDEX, KL, score=lambda b, p, m, n: b(p, m / n, n))
_enter("bonus ten times too large", INDEX, score=lambda b, p, m, n: m + 10 * (b(p, m, n) - m))


def _staying(slack: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[..., None]:
    """Other arms stay: `slack(means, active)` [R, K] says which, both with the last epoch's means."""

    def eliminate(before: Any, self: Any, over: np.ndarray) -> None:
        contested = over & (self.active.sum(axis=1) > 1)
        self.active &= slack(self.means, self.active) | ~contested[:, np.newaxis]
        self.epoch += contested

    return eliminate


def _best(means: np.ndarray, active: np.ndarray, sign: int = 1) -> np.ndarray:
    """Whether an arm is the active one with the largest mean (the smallest, with sign -1)."""
    leader = np.where(active, sign * means, -np.inf).argmax(axis=1)
    return np.arange(means.shape[1]) == leader[:, np.newaxis]


def _first(active: np.ndarray) -> np.ndarray:
    return active.cumsum(axis=1) == 1


_enter("never eliminating", ELIMINATION, _eliminate=_staying(lambda means, active: np.ones_like(active)))
_enter("eliminating the best", ELIMINATION, _eliminate=_staying(lambda means, active: ~_best(means, active)))
_enter("keeping the worst only", ELIMINATION, _eliminate=_staying(lambda means, active: _best(means, active, -1)))
_enter("keeping the first active arm only", ELIMINATION, _eliminate=_staying(lambda means, active: _first(active)))
_enter(
    "keeping the last active arm only",
    ELIMINATION,
    _eliminate=_staying(lambda means, active: _first(active[:, ::-1])[:, ::-1]),
)
_enter(
    "wrong sign of the difference",
    ELIMINATION,
    _eliminate=_staying(lambda means, active: means - means.max(axis=1)[:, None] < -0.1),
)
_enter("epochs a hundred times too long", ELIMINATION, _pulls=lambda b, p: 100 * b(p))
_enter("eliminating from the tenth epoch on", ELIMINATION, _eliminate=lambda b, p, over: b(p, over & (p.epoch > 9)))


def _drawing(parameters: Callable[[Any], tuple[np.ndarray, np.ndarray]]) -> Callable[..., Any]:
    """Thompson sampling from Beta laws with other parameters (a, b) [R, K]."""

    def next_batch(before: Any, self: Any) -> Any:
        self.recommended = self.generator.beta(*parameters(self)).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    return next_batch


_enter("parameters swapped", THOMPSON, next_batch=_drawing(lambda p: (1 + p.samples - p.sums, 1 + p.sums)))
_enter("prior only", THOMPSON, next_batch=_drawing(lambda p: (np.ones_like(p.sums), np.ones_like(p.sums))))
_enter("wins only", THOMPSON, next_batch=_drawing(lambda p: (1 + p.sums, np.ones_like(p.sums))))
_enter("losses only", THOMPSON, next_batch=_drawing(lambda p: (np.ones_like(p.sums), 1 + p.samples - p.sums)))
_enter("pulls for wins", THOMPSON, next_batch=_drawing(lambda p: (1.0 + p.samples, 1 + p.samples - p.sums)))
_enter(
    "posterior a hundred times too wide",
    THOMPSON,
    next_batch=_drawing(lambda p: (1 + p.sums / 100, 1 + (p.samples - p.sums) / 100)),
)


def _released(change: Callable[[Any, np.ndarray, np.ndarray], None]) -> Callable[..., None]:
    """Lazy-DP-TS with something wrong after a release of `arm` [r] in the replications `rows` [r]."""

    def release(before: Any, self: Any, rows: np.ndarray, arm: np.ndarray) -> None:
        before(self, rows, arm)
        change(self, rows, arm)

    return release


def _set(name: str, value: Callable[[Any, Any], Any]) -> Callable[..., None]:
    """The same with another entry of the array of this name."""
    return _released(lambda p, rows, arm: getattr(p, name).__setitem__((rows, arm), value(p, (rows, arm))))


def _in_the_next_arm(policy: Any, rows: np.ndarray, arm: np.ndarray) -> None:
    policy.means[rows, (arm + 1) % policy.arms] = policy.means[rows, arm]


_enter("sums for means", LAZY, _release=_set("means", lambda p, at: p.means[at] * p.samples[at]))
_enter("means of the losses", LAZY, _release=_set("means", lambda p, at: 1 - p.means[at]))
_enter("means divided by samples again", LAZY, _release=_set("means", lambda p, at: p.means[at] / p.samples[at]))
_enter("samples not counted", LAZY, _release=_set("samples", lambda p, at: 1))
_enter("released into the next arm", LAZY, _release=_released(_in_the_next_arm))
_enter("phases that do not grow", LAZY, _release=_set("phase", lambda p, at: 1))


def _heard(value: Callable[[Any], Any]) -> Callable[..., None]:
    """DP-UCB with another noisy sum of the arm after every reward."""

    def observe(before: Any, self: Any, *arguments: Any) -> None:
        before(self, *arguments)
        self.noisy_sums[_at(self)] = value(self)

    return observe


def _at(policy: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(policy.replications), policy.recommended


def _closed(policy: Any) -> np.ndarray:
    """The level of the node that the last reward closed, [R]."""
    number = policy.samples[_at(policy)]
    return np.rint(np.log2(number & -number)).astype(np.int64)


def _all_in_one(before: Any, self: Any, *arguments: Any) -> None:
    before(self, *arguments)
    self.noisy_sums[:] = self.noisy_sums.mean(axis=1, keepdims=True)


_enter("large bonus of the wrong sign", TREE, fixed_bonus=lambda b, p: -10 * b(p))
_enter("bonus a hundred times too large", TREE, fixed_bonus=lambda b, p: 100 * b(p))
_enter("noise scale squared", TREE, node_budget=lambda b, p: np.minimum(b(p), 1 / b(p)) ** 2 / 9)
_enter("first node only", TREE, observe=_heard(lambda p: p.noisy[(*_at(p), 0)]))
_enter("last node only", TREE, observe=_heard(lambda p: p.noisy[(*_at(p), _closed(p))]))
_enter("sums of all arms in one", TREE, observe=_all_in_one)
_enter("sums with the wrong sign", TREE, observe=_heard(lambda p: -abs(p.noisy_sums[_at(p)])))
_enter(
    "sums of the mirrored arm",
    TREE,
    observe=lambda b, p, total, count, arm=None: b(p, total, count, p.arms - 1 - p.recommended),
)


def own_bugs(name: str) -> Mapping[str, Planter]:
    """The bugs that belong to the family of an algorithm for finite arms."""
    family = algorithm(name).bugs
    return Bugs.families[family] if family else {}
