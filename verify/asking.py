"""How a policy of somebody else is asked for an arm and told a reward: by the usual names of its methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from traceback import walk_tb
from types import FunctionType
from typing import Any

from banditproof.theory.arguments import signature_of, takes
from banditproof.theory.errors import InvalidInput
from banditproof.verify.own_code import is_ours

CHOOSE = ("select_action", "select_arm", "choose_arm", "get_action", "choose", "choice", "pull", "act", "select")
HEAR = ("update", "observe", "getReward", "get_reward", "learn", "feedback")
ASKED_AND_TOLD = (
    "the check asks a policy without arguments and tells it (arm, reward); where it takes more, say a context, give "
    "replayed(make, choose=lambda policy: ..., hear=lambda policy, arm, reward: ...), or for regret Adapted(policy, "
    "arms, choose, hear) of banditproof.verify.testing.adapters"
)


def asked_and_told(policy: Any) -> tuple[Callable[[], Any], Callable[[int, float], Any]] | None:
    """What asks a policy for its arm, and what tells it (arm, reward), by the usual names; None for other names.

    Raises InvalidInput where the first method of such a name is called in another way.
    """
    for names in (CHOOSE, HEAR):
        if not any(callable(getattr(policy, name, None)) for name in names):
            return None
    asking, telling = called_with("", policy, *CHOOSE), called_with("arm, reward", policy, *HEAR)
    return asking, (lambda arm, reward: telling(reward, arm)) if reward_first(telling) else telling


def called_with(told: str, policy: Any, *names: str) -> Callable[..., Any]:
    """The first of these methods that a policy has. Raises InvalidInput where it is not called with what is told."""
    if isinstance(policy, type):
        raise InvalidInput("policy", policy, "an object, not its class", f"{policy.__name__}(...)")
    name, method = next((n, m) for n in names if callable(m := getattr(policy, n, None)))
    if takes(method, len(told.split())):
        return method
    right, shown = f"def {name}({', '.join(filter(None, ('self', told)))})", f"{name}{signature_of(method)}"
    raise InvalidInput(f"{type(policy).__name__}.{name}", shown, f"{right} ({ASKED_AND_TOLD})")


def reward_first(method: Callable[..., Any]) -> bool:
    """Whether a method takes the reward before the arm, by the names of its arguments."""
    names = list(signature_of(method).parameters)
    return bool(names) and names_the_reward(names[0])


def names_the_reward(parameter: str) -> bool:
    """Whether a parameter that comes before another one is the reward, by its name; else it is the arm."""
    name = parameter.lower()
    return name in ("r", "x", "payoff", "gain") or "reward" in name


@contextmanager
def called_as(parameter: str, said: str) -> Iterator[None]:
    """InvalidInput where a function of somebody else raises what arguments in other places make it raise."""
    try:
        yield
    except (AttributeError, TypeError) as error:
        raised = f"one that raises {type(error).__name__}: {error}"
        raise InvalidInput(parameter, raised, f"a function of {said}") from error


def _as_its_class(policy: Any) -> str:
    """The method of its class in this library that a policy has with other arguments; else those of all policies."""
    ours = [kind for kind in type(policy).__mro__ if kind.__module__.startswith("banditproof.")]
    for name, method in ((name, one) for kind in ours for name, one in vars(kind).items() if name[0] != "_"):
        if isinstance(method, FunctionType) and not takes(getattr(policy, name), method.__code__.co_argcount - 1):
            return f"def {name}({', '.join(signature_of(method).parameters)})"
    return "def next_batch(self), def observe(self, total, count, arm=None)"


def refuse_other_arguments(error: Exception, maker: str) -> None:
    """Raise InvalidInput where a method of a policy was called with other arguments than it takes, and never began."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    if isinstance(error, TypeError) and "argument" in str(error) and is_ours(frame.f_code.co_filename):
        allowed = "a function that makes policies whose methods are called as their classes of banditproof say: "
        allowed += _as_its_class(frame.f_locals.get("self"))
        raise InvalidInput(maker, str(error), allowed) from error
