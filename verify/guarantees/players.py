"""Objects that are asked for an arm and told a reward, as a `Policy`: what the checks of regret play."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from banditproof.algorithms.environment import heard
from banditproof.algorithms.policy import MADE, Policy, Replicated, asked, check_calls
from banditproof.theory.arguments import takes
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify.asking import asked_and_told, called_with
from banditproof.verify.own_code import is_users
from banditproof.verify.source_lines import is_library, names_of
from banditproof.verify.states import attributes

MOST_HELD = 5000  # things that two policies hold, in which generators are looked for
ALIKE = (
    "replications draw the same numbers, so that they count as one run: generators of theirs begin in the same state "
    "(make_policies has to seed each from the generator that it is given)"
)
SHARED = (
    "replications share what they learn, so that they count as one run: a list, a mapping or an array that one of them "
    "changes is held by another (a default argument, an attribute of the class, or a global of its module)"
)
_GENERATORS = np.random.Generator | np.random.RandomState | random.Random
_CHANGEABLE = (list, dict, np.ndarray)
_PLAYED = 32  # batches, in which it is seen what changes
TOGETHER = 64  # pulls of a player by itself that are counted at once

Answer = str | Callable[[Any], Any]
"""How a player is asked something: the name of its attribute or method, or a function of the player."""


def as_policy(made: Any, arms: int) -> Any:
    """What a maker returned, as a policy with one replication where it is an object that is asked and told.

    It has ``select_action()`` or ``select_arm()`` and ``update(arm, reward)``, or other names that `replayed` knows.
    Anything else is given back as it is.
    """
    if isinstance(made, type):
        raise InvalidInput("make_policies", made, f"a function that returns a policy: write {made.__name__}(...) in it")
    if isinstance(made, Policy):
        check_calls(made, "make_policies")
    found = None if hasattr(made, "next_batch") else asked_and_told(made)
    if found is None and not hasattr(made, "next_batch"):
        raise InvalidInput("make_policies", made, MADE[1])
    return made if found is None else Adapted([found], arms, lambda asked: asked[0](), _tell)


def playing_alone(policy: Any) -> list[tuple[Adapted, int]]:
    """The players that may play one after the other, each as a policy and its replication there; none of a policy that
    asks its players together. Players that were made one by one stand in policies of their own."""
    made = list(policy.policies) if isinstance(policy, Replicated) else [policy]
    if not all(isinstance(one, Adapted) for one in made):
        return []
    return [(one, k) for one in made for k in range(one.replications)]


def as_policies(make: Callable[..., Any], arms: int | None = None) -> Callable[..., Any]:
    """A maker of what another one makes, as policies; its first argument is the number of arms where that is None."""
    return partial(_made, make, arms, []) if callable(make) else make


def _made(make: Callable[..., Any], arms: int | None, last: list[Any], *given: Any) -> Any:
    made = make(*given)
    if made is not None and any(made is one for one in last):
        allowed = "a function that creates a new policy at each call"
        raise InvalidInput("make_policies", type(made).__name__, allowed)
    last[:] = [made]
    return as_policy(made, given[0] if arms is None else arms)


def counted_as_one(make: Callable[[slice, np.random.Generator], Any], environment: Any, horizon: int) -> str:
    """Why replications, or those of two calls, count as one run; "" where they do not, as far as is seen.

    They have generators of their own that begin in the same state, or numbers that one of them holds change while
    another plays for up to `horizon` pulls. What only grows, as what is computed once and kept does, is none of these.
    """
    one, other = (make(slice(2 * k, 2 * k + 2), np.random.default_rng(k)) for k in range(2))
    ours, theirs = _reached(one), _reached(other)
    generators = [thing for thing in {**ours, **theirs}.values() if isinstance(thing, _GENERATORS)]
    states = [repr(_state(thing)) for thing in generators]
    if len({*states}) < len(states):
        return ALIKE
    shared = [ours[key] for key in ours.keys() & theirs.keys() if isinstance(ours[key], _CHANGEABLE)]
    generator, clock, before = np.random.default_rng(0), 0, list[dict[Any, str]]()
    for batch in range(_PLAYED):
        if clock >= horizon or np.all(getattr(one, "stopped", False)):
            break
        if batch == _PLAYED // 4:
            before = [_numbers(thing) for thing in shared]
        arm, count = asked(one, one.replications)
        count = np.minimum(count, horizon - clock)
        one.observe(heard(environment, arm, count, generator, time=np.full(arm.size, clock)), count)
        clock += int(count.max())
    pairs = zip(before, map(_numbers, shared), strict=False)  # nothing before, where so few batches are played
    return SHARED if any(new.get(key, old) != old for was, new in pairs for key, old in was.items()) else ""


def _state(generator: Any) -> Any:
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    return generator.get_state() if isinstance(generator, np.random.RandomState) else generator.getstate()


def _numbers(thing: Any) -> dict[Any, str]:
    """The numbers of a list, a mapping or an array, by their places."""
    if isinstance(thing, np.ndarray):
        thing = thing.ravel().tolist()
    pairs = thing.items() if isinstance(thing, dict) else enumerate(thing)
    return {key: repr(value) for key, value in pairs if isinstance(value, int | float | np.number)}


def _reached(first: Any) -> dict[int, Any]:
    """What a policy holds, by identity: in attributes, also those of users' classes, lists, mappings and functions, and
    the globals that users' functions name."""
    seen, todo = dict[int, Any](), [first]
    while todo and len(seen) < MOST_HELD:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing  # what is made anew whenever it is asked for keeps its identity
        if isinstance(thing, list | tuple | dict) or isinstance(thing, np.ndarray) and thing.dtype == object:
            todo.extend(thing.values() if isinstance(thing, dict) else thing)
        elif isinstance(thing, FunctionType | MethodType):
            written = isinstance(getattr(thing, "__func__", thing), FunctionType)  # not compiled, as in NumPy
            todo.append(getattr(thing, "__self__", None))
            todo += [*inspect.getclosurevars(thing).nonlocals.values(), *_globals(thing)] if written else ()
        elif not isinstance(thing, type | ModuleType | _GENERATORS):
            of_classes = [held for kind in type(thing).__mro__ if is_users(kind) for held in vars(kind).values()]
            todo += [held for held in of_classes if isinstance(held, _CHANGEABLE)]
            todo += [used for held in of_classes if isinstance(held, FunctionType) for used in _globals(held)]
            todo += attributes(thing).values()
    return seen


def _globals(function: Any) -> list[Any]:
    """The lists, mappings, arrays and functions of its module that a function of a user names."""
    function = getattr(function, "__func__", function)
    if is_library(function.__code__.co_filename):
        return []
    held = (function.__globals__.get(name) for name in {*names_of(function.__code__)})
    return [one for one in held if isinstance(one, (*_CHANGEABLE, FunctionType))]


def stated_by(policy: Any, name: str) -> Any:
    """What a policy states under this name, of other people's players a number or text that all have; or None."""
    if hasattr(policy, name) or not isinstance(policy, Adapted):
        return getattr(policy, name, None)
    players = (getattr(p[0], "__self__", None) if isinstance(p, tuple) else p for p in policy.players)
    first, *others = (getattr(player, name, None) for player in players)
    alike = isinstance(first, int | float | Fraction | str) and all(other == first for other in others)
    return first if alike else None


def _tell(asked: Any, arm: Any, reward: float) -> None:
    asked[1](arm, reward)


class Adapted(Policy):
    """Other people's `players`, one or a list of R of them, as one policy with R replications.

    `choose(player)` is the arm it pulls next, `hear(player, arm, reward)` tells it what that brought. `arms` is their
    number, or the list of the players' own labels for arms 0, 1, ... A player for identification also says whether it
    has `stopped` and which arm it recommends (`recommend`); it is not asked or told anything after that.

    Raises InvalidInput for no players, for an arm that is none of the labels, and for batches of several pulls.
    """

    per_replication = ("players", "_chosen")
    separate = True

    def __init__(
        self,
        players: Any,
        arms: int | Sequence[Hashable],
        choose: Callable[[Any], Any],
        hear: Callable[[Any, Any, float], Any],
        *,
        stopped: Answer | None = None,
        recommend: Answer | None = None,
    ) -> None:
        listed = players if isinstance(players, list | tuple) else [players]
        if any(isinstance(player, type) for player in listed):
            raise InvalidInput("players", players, "objects: a class is called, as in Player()")
        if len({id(player) for player in listed}) < len(listed):
            raise InvalidInput("players", type(listed[0]).__name__, "different objects: each plays a run of its own")
        if isinstance(arms, int | np.integer):
            arms = range(check_count("arms", arms, 1))
        if isinstance(arms, str) or not isinstance(arms, Sequence | np.ndarray) or len({*arms}) < len(arms):
            raise InvalidInput("arms", arms, "their number, or a list of the players' labels for them, all different")
        self.labels = list(arms)
        for name, function, told in (
            ("choose", choose, "player"),
            ("hear", hear, "player, arm, reward"),
            ("stopped", stopped, "player"),
            ("recommend", recommend, "player"),
        ):
            named = name in ("stopped", "recommend") and (function is None or isinstance(function, str))
            if not named and not takes(function, len(told.split())):
                raise InvalidInput(name, function, f"a function of ({told})")
        super().__init__(len(self.labels), len(listed))
        self.players = np.fromiter(listed, dtype=object, count=len(listed))
        self._number = {label: k for k, label in enumerate(self.labels)}
        self._chosen = np.zeros(len(listed), dtype=np.int64)
        self._choose, self._hear, self._stopped, self._recommend = choose, hear, stopped, recommend

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        for k in self._running():
            self._chosen[k] = self._arm(self._choose(self.players[k]))
        return self._chosen.copy(), np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        if (np.asarray(count) != 1).any():
            raise InvalidInput(
                "count", np.asarray(count).tolist(), "1, because these players observe every single reward"
            )
        played = self._chosen if arm is None else arm
        for k in self._running():
            self._hear(self.players[k], self.labels[int(played[k])], float(total[k]))

    @property
    def stopped(self) -> np.ndarray:
        """Which replications have stopped, bool [R]. AttributeError for players that never do."""
        if self._stopped is None:
            raise AttributeError("the adapter does not know when the players stop; pass `stopped`")
        return np.array([bool(_ask(player, self._stopped)) for player in self.players])

    @property
    def recommendation(self) -> np.ndarray:
        """The arm each stopped replication recommends, -1 for the others, int [R]. AttributeError as for `stopped`."""
        if self._recommend is None:
            raise AttributeError("the adapter does not know what the players recommend; pass `recommend`")
        named = np.full(self.replications, -1)
        for k in np.flatnonzero(self.stopped):
            named[k] = self._arm(_ask(self.players[k], self._recommend))
        return named

    def named_alone(self, k: int, rewards: Callable[[int, int], float], cap: int, going: Callable[[int], bool]) -> int:
        """What `Replicated.named_alone` is: a player is asked and told by itself, without arrays."""
        player, choose, hear = self.players[k], self._choose, self._hear
        stopped, recommend = self._stopped, self._recommend
        if stopped is None or recommend is None:
            raise AttributeError("the adapter does not know when the players stop and what they recommend")
        for pulls in range(cap + 1):
            if _ask(player, stopped):
                return self._arm(_ask(player, recommend))
            if pulls == cap or pulls % TOGETHER == 0 and not going(TOGETHER):
                break
            arm = self._arm(choose(player))
            hear(player, self.labels[arm], rewards(arm, 1))
        return -1

    def played_alone(
        self, k: int, rewards: Callable[[int, int], float], times: Sequence[int], going: Callable[[int], Any]
    ) -> list[list[int]]:
        """The pulls of each arm after so many pulls of player k, who plays by itself: a list [M][K].

        `rewards(arm, 1)` is what a pull brings; `going(pulls)` hears what was played, some dozens of pulls at a time.
        """
        player, choose, hear, labels = self.players[k], self._choose, self._hear, self.labels
        pulls, seen = [0] * self.arms, []
        for begun, end in pairwise([0, *times]):
            for start in range(begun, end, TOGETHER):
                together = min(TOGETHER, end - start)
                for _ in range(together):
                    arm = self._arm(choose(player))
                    hear(player, labels[arm], rewards(arm, 1))
                    pulls[arm] += 1
                going(together)
            seen.append(list(pulls))
        return seen

    def _running(self) -> np.ndarray:
        return np.arange(self.replications) if self._stopped is None else np.flatnonzero(~self.stopped)

    def _arm(self, answer: Any) -> int:
        label = answer.item() if isinstance(answer, np.ndarray) and answer.size == 1 else answer
        if isinstance(label, list | dict | set | np.ndarray) or label not in self._number:
            raise InvalidInput("arm", label, f"one of {self.labels}")
        return self._number[label]


def _ask(player: Any, how: Answer) -> Any:
    if callable(how):
        return how(player)
    if not hasattr(player, how):
        names = close_to(how, dir(player))
        raise InvalidInput("stopped, recommend", how, f"names that a {type(player).__name__} has", names)
    answer = getattr(player, how)
    return called_with("", player, how)() if callable(answer) else answer
