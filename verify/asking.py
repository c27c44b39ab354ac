"""How a policy of somebody else is asked for an arm and told a reward: by the usual names of its methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType, MethodType
from typing import Any

CHOOSE = ("select_action", "select_arm", "choose_arm", "get_action", "choose", "choice", "pull", "act", "select")
HEAR = ("update", "observe", "getReward", "get_reward", "learn", "feedback")


def asked_and_told(policy: Any) -> tuple[Callable[[], Any], Callable[[int, float], Any]] | None:
    """What asks a policy for its arm, and what tells it (arm, reward), by the usual names; None for other names."""
    asking = next((n for n in CHOOSE if callable(getattr(policy, n, None))), None)
    telling = next((n for n in HEAR if callable(getattr(policy, n, None))), None)
    if asking is None or telling is None:
        return None
    method = getattr(policy, telling)
    return getattr(policy, asking), (lambda arm, reward: method(reward, arm)) if reward_first(method) else method


def reward_first(method: Callable[..., Any]) -> bool:
    """Whether a method takes the reward before the arm, by the names of its arguments."""
    bound = isinstance(method, MethodType)
    function = method.__func__ if bound else method
    return _takes_reward_first(function, bound) if isinstance(function, FunctionType) else _names_reward_first(method)


@lru_cache(maxsize=64)  # a policy is made anew for every run, and asked at every pull: its functions are the same
def _takes_reward_first(function: FunctionType, bound: bool) -> bool:
    return _names_reward_first(MethodType(function, object()) if bound else function)


def _names_reward_first(method: Callable[..., Any]) -> bool:
    names = [p.lower() for p in inspect.signature(method).parameters]
    return bool(names) and (names[0] in ("r", "x", "payoff", "gain") or "reward" in names[0])
