"""Bugs that cost regret, to be planted into any policy, and that the regret checks have to find.

Some stand between a policy and its rewards (`Between`) and serve every algorithm; others change the policy's own method
and belong to a family of algorithms (`own_bugs`). A bug is a function of a fresh policy:
`REGRET_BUGS["rewards ignored"]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banditproof.algorithms.policy import Policy

Bug = Callable[[Any], Policy]


class Between(Policy):
    """Passes everything on to `policy`; a bug changes what it hears or what it plays. This one is none."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy.arms, policy.replications)
        self.policy, self.batches_played = policy, 0

    def __getattr__(self, name: str) -> Any:
        if name == "policy":  # not there yet, while a copy is being made
            raise AttributeError(name)
        return getattr(self.policy, name)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm, count = self.policy.next_batch()
        self.batches_played += 1
        self.played = self.instead(np.array(arm))
        return self.played, count

    def instead(self, arm: np.ndarray) -> np.ndarray:
        """The arms [R] that are played instead of the recommended ones."""
        return arm

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        self.policy.observe(total, count, arm)

    def keep(self, rows: np.ndarray) -> None:
        self.policy.keep(rows)
        super().keep(rows)


class RewardsUpsideDown(Between):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(count - total, count, arm)


class NextArmCredited(Between):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(total, count, ((self.played if arm is None else arm) + 1) % self.arms)


class RewardsIgnored(Between):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(0.0 * total, count, arm)


class NextArmPlayed(Between):
    """Every second batch is played with the arm after the recommended one, which is credited."""

    def instead(self, arm: np.ndarray) -> np.ndarray:
        return (arm + self.batches_played % 2) % self.arms


class RandomArmCredited(Between):
    """A batch is credited to an arm drawn at random."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.coins = np.random.default_rng(0)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(total, count, self.coins.integers(0, self.arms, self.replications))


class LastArmNeverPlayed(Between):
    def instead(self, arm: np.ndarray) -> np.ndarray:
        return np.minimum(arm, self.arms - 2)


class FirstArmNeverPlayed(Between):
    def instead(self, arm: np.ndarray) -> np.ndarray:
        return np.maximum(arm, 1)


class StuckAfterFirstPhase(Between):
    """From its second round over the arms on, the policy plays what it played last."""

    per_replication = ("last",)

    def instead(self, arm: np.ndarray) -> np.ndarray:
        if self.batches_played <= self.arms:
            self.last = arm
        return self.last


class DeafAfterFirstPhase(Between):
    """What comes after two rounds over the arms is heard as no reward."""

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(total * (self.batches_played <= 2 * self.arms), count, arm)


class RewardsOfTheBatchBefore(Between):
    """Every batch is heard with the mean reward of the one before it."""

    per_replication = ("before",)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        heard = total / count if self.batches_played == 1 else self.before
        self.before = total / count
        super().observe(np.rint(heard * count), count, arm)


class CoinsHeard(Between):
    """Fair coins are heard instead of the rewards."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.coins = np.random.default_rng(0)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(self.coins.binomial(count, 0.5).astype(float), count, arm)


class HalfThePullsAtRandom(Between):
    """Every second batch is played with a random arm; its rewards are credited to that one."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.coins = np.random.default_rng(0)

    def instead(self, arm: np.ndarray) -> np.ndarray:
        other = self.coins.integers(0, self.arms, arm.size)
        return np.where(self.coins.random(arm.size) < 0.5, other, arm)


REGRET_BUGS: dict[str, Bug] = {
    "rewards upside down": RewardsUpsideDown,
    "next arm credited": NextArmCredited,
    "rewards ignored": RewardsIgnored,
    "next arm played every second time": NextArmPlayed,
    "random arm credited": RandomArmCredited,
    "last arm never played": LastArmNeverPlayed,
    "first arm never played": FirstArmNeverPlayed,
    "stuck after the first phase": StuckAfterFirstPhase,
    "deaf after the first phase": DeafAfterFirstPhase,
    "rewards of the batch before": RewardsOfTheBatchBefore,
    "coins heard": CoinsHeard,
    "half the pulls at random": HalfThePullsAtRandom,
}
"""Bugs that cost regret, by name, for any algorithm: `REGRET_BUGS["rewards ignored"](policy)` is the policy with it."""


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


def _scored(change: Callable[..., np.ndarray]) -> Bug:
    """A bug in the index of a policy with a `score` of means and samples [R, K]."""
    return lambda policy: changed(policy, score=change)


def _stale(before: Any, self: Any, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """The index is computed once for every arm, with its first mean."""
    if not hasattr(self, "first_means"):
        self.first_means, self.known = np.zeros_like(means), np.zeros(means.shape, dtype=bool)
        self.per_replication = (*self.per_replication, "first_means", "known")
    new = (self.samples > 0) & ~self.known
    self.first_means, self.known = np.where(new, means, self.first_means), self.known | new
    return before(self, self.first_means, samples)


def _ahead(policy: Policy) -> Policy:
    """Samples are counted before the reward is in: an arm that was never pulled passes for one that was."""

    def next_batch(before: Any, self: Any) -> Any:
        self.samples = np.maximum(self.samples, 1)
        return before(self)

    return changed(policy, next_batch=next_batch)


INDEX: dict[str, Bug] = {
    "wrong sign of the bonus": _scored(lambda b, p, m, n: 2 * m - b(p, m, n)),
    "wrong argmin": _scored(lambda b, p, m, n: -b(p, m, n)),
    "arguments swapped": _scored(lambda b, p, m, n: b(p, np.clip(1 / n, 0, 1), np.maximum(m, 0.01))),
    "bonus that does not shrink": _scored(lambda b, p, m, n: b(p, m, np.ones_like(n))),
    "bonus that grows": _scored(lambda b, p, m, n: m + n * (b(p, m, n) - m)),
    "index of stale means": _scored(_stale),
    "index of the arm before": _scored(lambda b, p, m, n: np.roll(b(p, m, n), 1, axis=1)),
    "means divided by samples again": _scored(lambda b, p, m, n: b(p, m / n, n)),
    "bonus ten times too large": _scored(lambda b, p, m, n: m + 10 * (b(p, m, n) - m)),
}

KL: dict[str, Bug] = {
    "wrong argmin": INDEX["wrong argmin"],
    "arguments swapped": INDEX["arguments swapped"],
    "index of stale means": INDEX["index of stale means"],
    "index of the arm before": INDEX["index of the arm before"],
    "samples not counted": _scored(lambda b, p, m, n: b(p, m, np.ones_like(n))),
    "means of the losses": _scored(lambda b, p, m, n: b(p, 1 - m, n)),
    "means divided by samples again": INDEX["means divided by samples again"],
}


def _eliminating(slack: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Bug:
    """Other arms stay: `slack(means, active)` [R, K] says which, both with the last epoch's means."""

    def eliminate(before: Any, self: Any, over: np.ndarray) -> None:
        contested = over & (self.active.sum(axis=1) > 1)
        self.active &= slack(self.means, self.active) | ~contested[:, np.newaxis]
        self.epoch += contested

    return lambda policy: changed(policy, _eliminate=eliminate)


def _best(means: np.ndarray, active: np.ndarray, sign: int = 1) -> np.ndarray:
    """Whether an arm is the active one with the largest mean (the smallest, with sign -1)."""
    leader = np.where(active, sign * means, -np.inf).argmax(axis=1)
    return np.arange(means.shape[1]) == leader[:, np.newaxis]


ELIMINATION: dict[str, Bug] = {
    "never eliminating": _eliminating(lambda means, active: np.ones_like(active)),
    "eliminating the best": _eliminating(lambda means, active: ~_best(means, active)),
    "keeping the worst only": _eliminating(lambda means, active: _best(means, active, -1)),
    "keeping the first active arm only": _eliminating(lambda means, active: active.cumsum(axis=1) == 1),
    "keeping the last active arm only": _eliminating(
        lambda means, active: active[:, ::-1].cumsum(axis=1)[:, ::-1] == 1
    ),
    "wrong sign of the difference": _eliminating(lambda means, active: means - means.max(axis=1)[:, None] < -0.1),
    "epochs a hundred times too long": lambda policy: changed(policy, _pulls=lambda b, p: 100 * b(p)),
    "eliminating from the tenth epoch on": lambda policy: changed(
        policy, _eliminate=lambda b, p, over: b(p, over & (p.epoch > 9))
    ),
}


def _posterior(change: Callable[[Any], tuple[np.ndarray, np.ndarray]]) -> Bug:
    """Thompson sampling from Beta laws with other parameters (a, b) [R, K]."""

    def next_batch(before: Any, self: Any) -> Any:
        self.recommended = self.generator.beta(*change(self)).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    return lambda policy: changed(policy, next_batch=next_batch)


THOMPSON: dict[str, Bug] = {
    "parameters swapped": _posterior(lambda p: (1 + p.samples - p.sums, 1 + p.sums)),
    "prior only": _posterior(lambda p: (np.ones_like(p.sums), np.ones_like(p.sums))),
    "wins only": _posterior(lambda p: (1 + p.sums, np.ones_like(p.sums))),
    "losses only": _posterior(lambda p: (np.ones_like(p.sums), 1 + p.samples - p.sums)),
    "pulls for wins": _posterior(lambda p: (1.0 + p.samples, 1 + p.samples - p.sums)),
    "posterior a hundred times too wide": _posterior(lambda p: (1 + p.sums / 100, 1 + (p.samples - p.sums) / 100)),
}


def _release(change: Callable[[Any, np.ndarray, np.ndarray], None]) -> Bug:
    """Lazy-DP-TS with something wrong after a release of `arm` [r] in the replications `rows` [r]."""

    def release(before: Any, self: Any, rows: np.ndarray, arm: np.ndarray) -> None:
        before(self, rows, arm)
        change(self, rows, arm)

    return lambda policy: changed(policy, _release=release)


def _set(name: str, value: Callable[[Any, Any], Any]) -> Callable[[Any, np.ndarray, np.ndarray], None]:
    def change(policy: Any, rows: np.ndarray, arm: np.ndarray) -> None:
        getattr(policy, name)[rows, arm] = value(policy, (rows, arm))

    return change


LAZY: dict[str, Bug] = {
    "sums for means": _release(_set("means", lambda p, at: p.means[at] * p.samples[at])),
    "means of the losses": _release(_set("means", lambda p, at: 1 - p.means[at])),
    "means divided by samples again": _release(_set("means", lambda p, at: p.means[at] / p.samples[at])),
    "samples not counted": _release(_set("samples", lambda p, at: 1)),
    "released into the next arm": _release(
        lambda p, rows, arm: p.means.__setitem__((rows, (arm + 1) % p.arms), p.means[rows, arm])
    ),
    "phases that do not grow": _release(_set("phase", lambda p, at: 1)),
}


def _heard(change: Callable[[Any], Any]) -> Bug:
    """DP-UCB with something wrong after every reward."""

    def observe(before: Any, self: Any, *arguments: Any) -> None:
        before(self, *arguments)
        change(self)

    return lambda policy: changed(policy, observe=observe)


def _at(policy: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(policy.replications), policy.recommended


def _closed(policy: Any) -> np.ndarray:
    """The level of the node that the last reward closed, [R]."""
    number = policy.samples[_at(policy)]
    return np.rint(np.log2(number & -number)).astype(np.int64)


TREE: dict[str, Bug] = {
    "large bonus of the wrong sign": lambda policy: changed(policy, fixed_bonus=lambda b, p: -10 * b(p)),
    "bonus a hundred times too large": lambda policy: changed(policy, fixed_bonus=lambda b, p: 100 * b(p)),
    "noise scale squared": lambda policy: changed(policy, node_budget=lambda b, p: np.minimum(b(p), 1 / b(p)) ** 2 / 9),
    "first node only": _heard(lambda p: p.noisy_sums.__setitem__(_at(p), p.noisy[(*_at(p), 0)])),
    "last node only": _heard(lambda p: p.noisy_sums.__setitem__(_at(p), p.noisy[(*_at(p), _closed(p))])),
    "sums of all arms in one": _heard(lambda p: p.noisy_sums.__setitem__(slice(None), p.noisy_sums.mean(1)[:, None])),
    "sums with the wrong sign": _heard(lambda p: p.noisy_sums.__setitem__(_at(p), -abs(p.noisy_sums[_at(p)]))),
    "sums of the mirrored arm": lambda policy: changed(
        policy, observe=lambda b, p, total, count, arm=None: b(p, total, count, p.arms - 1 - p.recommended)
    ),
}


def own_bugs(name: str) -> dict[str, Bug]:
    """The bugs that belong to an algorithm of the roster alone, by its family; {} where it has none."""
    families = {
        ("ucb", "anytime-ucb", "episodic-ucb", "adap-ucb", "adac-ucb", "adar-ucb"): INDEX,
        ("kl-ucb", "imed", "dp-klucb", "dp-imed", "adap-klucb"): KL,
        ("successive-elimination", "dp-se"): ELIMINATION,
        ("thompson-sampling",): THOMPSON,
        ("lazy-dp-ts",): LAZY,
        ("dp-ucb", "dp-ucb-mt15"): TREE,
    }
    return next((bugs for names, bugs in families.items() if name in names), {})
