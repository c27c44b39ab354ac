"""Policies of other libraries as a `Policy` of this one: one pull per batch, R objects for R replications.

The objects are told every raw reward, as in their own library. If they draw noise of their own, their privacy can only
be audited (`assert_private(..., black_box=True)`). If they draw it from the noise source that the policy is given,
`noise.laplace(..., records=...)`, they are checked as any other policy. Regret and identification are tested in full.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from banditproof.theory.arguments import takes
from banditproof.theory.errors import InvalidInput
from banditproof.verify.asking import called_with, reward_first
from banditproof.verify.guarantees.players import Adapted, Answer


def _check_methods(players: Any, **methods: str) -> None:
    """Raise InvalidInput unless players have these methods, which are told this."""
    for player in players if isinstance(players, list | tuple) else [players]:
        if not all(callable(getattr(player, method, None)) for method in methods):
            raise InvalidInput("players", player, f"objects with the methods {' and '.join(methods)}")
        for method, told in () if isinstance(player, type) else methods.items():
            if reward_first(called_with(told, player, method)) and told.startswith("arm,"):
                raise InvalidInput("players", player, f"objects whose {method} is told ({told}), in this order")


def select_update(players: Any, arms: int | Sequence[Hashable], **identification: Answer) -> Adapted:
    """Players with `select_arm()` and `update(arm, reward)`."""
    _check_methods(players, select_arm="", update="arm, reward")
    return Adapted(players, arms, lambda p: p.select_arm(), lambda p, arm, r: p.update(arm, r), **identification)


def smpybandits(players: Any, arms: int | Sequence[Hashable], **identification: Answer) -> Adapted:
    """Players with `startGame()`, `choice()` and `getReward(arm, reward)`, as in SMPyBandits; the game is started."""
    _check_methods(players, startGame="", choice="", getReward="arm, reward")
    policy = Adapted(players, arms, lambda p: p.choice(), lambda p, arm, r: p.getReward(arm, r), **identification)
    for player in policy.players:
        player.startGame()
    return policy


class _Learner:
    """A learner that is fitted once every arm was pulled."""

    def __init__(self, learner: Any, labels: Sequence[Hashable]) -> None:
        self.learner, self.labels = learner, labels
        self.history: list[tuple[Hashable, float]] = []

    def choose(self) -> Any:
        pulls = len(self.history)
        return self.labels[pulls] if pulls < len(self.labels) else self.learner.predict()

    def hear(self, arm: Hashable, reward: float) -> None:
        self.history.append((arm, reward))
        if len(self.history) == len(self.labels):
            self.learner.fit(*map(list, zip(*self.history, strict=True)))
        elif len(self.history) > len(self.labels):
            self.learner.partial_fit([arm], [reward])


def predict_partial_fit(players: Any, arms: int | Sequence[Hashable]) -> Adapted:
    """Learners with `fit(decisions, rewards)`, `partial_fit(decisions, rewards)` and `predict()`, as in MABWiser.

    They predict nothing before they were fitted: each arm is pulled once first, in the order of `arms`.
    """
    _check_methods(players, fit="arms, rewards", partial_fit="arms, rewards", predict="")
    labels = range(arms) if isinstance(arms, int | np.integer) else list(arms)
    listed = players if isinstance(players, list | tuple) else [players]
    return Adapted([_Learner(player, labels) for player in listed], arms, _Learner.choose, _Learner.hear)


HistoryFunction = Callable[[list, list[float]], Any]
"""A function of the arms pulled and of the rewards they brought, two lists as long as the run so far."""


def history(
    choose: HistoryFunction,
    arms: int | Sequence[Hashable],
    replications: int = 1,
    *,
    stopped: HistoryFunction | None = None,
    recommend: HistoryFunction | None = None,
) -> Adapted:
    """A plain function of the history, `choose(arms, rewards)`; also when to stop and what to recommend, if given."""

    def hear(player: tuple[list, list[float]], arm: Any, reward: float) -> None:
        player[0].append(arm)
        player[1].append(reward)

    for name, function in (("choose", choose), ("stopped", stopped), ("recommend", recommend)):
        if function is not None and not takes(function, 2):
            raise InvalidInput(name, function, "a function of (arms, rewards), the lists of what was pulled and paid")

    def of_player(function: HistoryFunction | None) -> Any:
        return function and (lambda player: function(*player))

    players = [([], []) for _ in range(replications)]
    identification = {"stopped": of_player(stopped), "recommend": of_player(recommend)}
    return Adapted(players, arms, of_player(choose), hear, **identification)
