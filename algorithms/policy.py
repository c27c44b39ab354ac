"""What a policy is to a simulator.

A policy plays R replications of the same kind of run at once, each at its own pace: its state has shape [R, ...], it
names one batch per replication, and hears the sum of that batch's rewards. A policy that must see single rewards asks
for batches of one pull. One run is R = 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.overriding import Overridden, check_signatures
from banditproof.theory.arguments import Size, checked, signature_of, takes
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget, checked_budget, of_kinds


class Policy(Overridden, ABC):
    """A bandit policy on `arms` arms for `replications` runs that move together. Source: BDP-D2.1"""

    per_replication: ClassVar[tuple[str, ...]] = ()
    """Names of the attributes that are arrays with the replications as first axis."""

    separate: ClassVar[bool] = False
    """Whether every replication is an object of its own, so that a step takes as long as that of all of them."""

    has_played: bool = False
    """Whether a simulator has played this policy already. What it knows then comes from that run: make a fresh one."""

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Keyword arguments as the experiments of the papers state them, by the figure they belong to."""

    @checked
    def __init__(self, arms: Size, replications: Size = 1) -> None:
        self.arms = int(arms)
        self.replications = int(replications)

    @abstractmethod
    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        """The arm each replication pulls next and how often: two int arrays [R], counts at least 1."""

    @abstractmethod
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        """Hear `total` [R], the sum of the rewards of the `count` [R] pulls that were made.

        `count` may be smaller than recommended (the run is over), and `arm` [R] is given when something else than the
        recommendation was played: counters advance on what was played.
        """

    def keep(self, rows: np.ndarray) -> None:
        """Go on with these replications only: a mask or indices along the first axis."""
        for name in self.per_replication:
            setattr(self, name, getattr(self, name)[rows])
        self.replications = np.arange(self.replications)[rows].size


BATCH = (
    "two integer arrays [R], the arms and how often they are pulled (for one replication: "
    "return np.array([arm]), np.array([1]))"
)
ORDER = " (next_batch returns the arms, counted from 0, and then the counts)"
CALLS = {
    "next_batch": (0, f"def next_batch(self), which returns {BATCH}"),
    "observe": (
        2,
        "def observe(self, total, count, arm=None), which is told the sum of the rewards of a batch and how many there "
        "were, two arrays [R] (a policy that is told (arm, reward) is checked by replayed(make) of banditproof.verify)",
    ),
}
"""How a policy is called: the number of arguments, and the signature that is right."""


def check_calls(policy: Any, named: str = "policy") -> None:
    """Raise InvalidInput for a policy that cannot be called as one: it was not built whole, or takes other arguments.

    What is no `Policy` may lack the attributes of one.
    """
    lacking = [name for name in ("arms", "replications") if not hasattr(policy, name)]
    if isinstance(policy, Policy) and lacking:
        allowed = f"a policy whose __init__ calls super().__init__(arms) (it has no {', '.join(lacking)})"
        raise InvalidInput(named, policy, allowed)
    for name, other in (("stopped", "recommendation"), ("recommendation", "stopped")):
        if callable(getattr(type(policy), name, None)) and hasattr(policy, other):  # which would always be true
            raise InvalidInput(name, f"the method {name}()", "an attribute or a property: write @property above it")
    for name in getattr(policy, "per_replication", ()):
        kept, rows = getattr(policy, name, None), policy.replications
        if kept is not None and not (getattr(kept, "ndim", 1) and hasattr(kept, "__len__") and len(kept) == rows):
            own = "its class keeps it, so give an attribute of your own another name"
            raise InvalidInput(f"{type(policy).__name__}.{name}", kept, f"one entry per replication ({rows}): {own}")
    for name, (given, right) in CALLS.items():
        method = getattr(policy, name, None)
        first = next(iter(signature_of(method).parameters), "") if given and takes(method, given, False) else ""
        if not takes(method, given) or first in ("arm", "action", "choice"):
            shown = f"{type(policy).__name__}.{name}{signature_of(method) if callable(method) else ''}"
            raise InvalidInput(name, shown, right)


def asked(policy: Any, replications: int) -> tuple[np.ndarray, np.ndarray]:
    """The next batch of so many replications: arms and counts. Raises InvalidInput for what is none of these arms."""
    try:
        batch = policy.next_batch()
    except TypeError as error:
        check_signatures(policy, error)
        raise
    if not (isinstance(batch, tuple | list) and len(batch) == 2 and all(map(_are_counts, batch))):
        raise InvalidInput("next_batch", batch, BATCH)
    arms, (arm, count) = policy.arms, batch
    one = arm.size == count.size == 1  # and its own least and largest
    if not (one and replications == 1 or arm.size == count.size == replications):
        raise InvalidInput("next_batch", batch, f"two integer arrays [{replications}], an entry for each replication")
    least, low, high = (count[0], arm[0], arm[0]) if one else (count.min(), arm.min(), arm.max())
    if least < 1:
        raise InvalidInput("count", int(least), f"at least 1 for every batch a policy asks for{ORDER}")
    if low < 0 or high >= arms:
        raise InvalidInput("arm", (int(low), int(high)), f"between 0 and {arms - 1}{ORDER}")
    return arm, count


def _are_counts(part: object) -> bool:
    return isinstance(part, np.ndarray) and part.ndim == 1 and part.dtype.kind in "iu"


class Replicated(Policy):
    """R `policies` of one replication each as one policy with R replications: regret and identification run many.

    Each plays its own run, so they share nothing but the generator. `stopped` and `recommendation` are those of the
    policies, for strategies. Raises InvalidInput for policies with several replications, and for the same one twice.
    """

    per_replication = ("policies",)
    separate = True

    def __init__(self, policies: Sequence[Policy]) -> None:
        if not isinstance(policies, list | tuple) or not policies:
            raise InvalidInput("policies", policies, "a list of policies")
        if any(getattr(policy, "replications", None) != 1 for policy in policies):
            raise InvalidInput("policies", [type(policy).__name__ for policy in policies], "of one replication each")
        if len({id(policy) for policy in policies}) < len(policies):
            raise InvalidInput(
                "policies", type(policies[0]).__name__, "different objects: create a new policy at each call"
            )
        super().__init__(policies[0].arms, len(policies))
        self.policies = np.fromiter(policies, dtype=object, count=len(policies))

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arms, counts = zip(*(asked(policy, 1) for policy in self.policies), strict=True)
        return np.concatenate(arms), np.concatenate(counts)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        for k, policy in enumerate(self.policies):
            given = () if arm is None else (arm[k : k + 1],)
            policy.observe(total[k : k + 1], count[k : k + 1], *given)

    @property
    def stopped(self) -> np.ndarray:
        """Which replications have stopped, bool [R]."""
        return np.concatenate([np.atleast_1d(policy.stopped) for policy in self.policies])

    @property
    def recommendation(self) -> np.ndarray:
        """The arm each replication recommends, int [R]."""
        return np.concatenate([np.atleast_1d(policy.recommendation) for policy in self.policies])

    def named_alone(self, k: int, rewards: Callable[[int, int], float], cap: int, going: Callable[[int], bool]) -> int:
        """The arm that replication k names if it plays by itself, from the start; -1 if it does not stop within `cap`
        pulls, or while it is `going(batches)`.

        `rewards(arm, count)` are summed over a batch.
        """
        policy, time = self.policies[k], 0
        while not np.asarray(policy.stopped).item():
            if time >= cap or not going(1):
                return -1
            (arm,), (count,) = asked(policy, 1)
            count = min(int(count), cap - time)
            policy.observe(np.array([rewards(int(arm), count)]), np.array([count]))
            time += count
        return int(recommended(policy)[0])


MADE = (
    "a function that returns a policy with `stopped` and `recommendation` (an object with select_arm() and update(arm, "
    "reward): select_update(player, arms, stopped=..., recommend=...) of banditproof.verify.testing.adapters)",
    "a function that returns a policy, or an object with select_arm() and update(arm, reward) (any other: "
    "banditproof.verify.testing.adapters.Adapted)",
)
"""What makes a strategy, and what makes a policy."""


def in_full(policy: Any, replications: int, make: Callable[[int], Any], named: str = "make_policy") -> Any:
    """The policy if it has as many replications as asked for; one with a single one beside others, `make(k)`, k >= 1.

    Raises InvalidInput for another number, and for what is no policy, of the argument that is `named` so.
    """
    if not hasattr(policy, "replications") and not isinstance(policy, Policy):
        raise InvalidInput(named, policy, MADE[named != "make_strategy"])
    check_calls(policy, named)
    if policy.replications == 1 < replications:
        return Replicated([policy, *(make(k) for k in range(1, replications))])
    if policy.replications != replications:
        allowed = f"{replications}, as many as asked for, or 1 (banditproof.algorithms.Replicated makes one of several)"
        raise InvalidInput("replications", policy.replications, allowed)
    return policy


class PrivatePolicy(Policy):
    """A policy that pays from a privacy budget for what it releases through a noise source.

    `budget` is of one of the `kinds` of the class; its parameters (inf for no noise) are one number or one per
    replication [R], and longer arrays set the number of replications. It is kept with parameters [R]. Raises
    InvalidInput.
    """

    kinds: ClassVar[tuple[str, ...]] = ("pure",)

    @checked
    def __init__(self, arms: Size, budget: Budget, noise: NoiseSource, replications: Size | None = None) -> None:
        if checked_budget(budget).kind not in self.kinds:
            raise InvalidInput("budget", str(budget), of_kinds(self.kinds))
        longest = max(np.size(value) for value in budget.parameters.values())
        super().__init__(arms, longest if replications is None else replications)
        for name, value in budget.parameters.items():
            if np.ndim(value) > 1 or np.size(value) not in (1, self.replications):
                raise InvalidInput(name, value, f"one number or one per replication ({self.replications})")
        self.noise = noise
        self.budget = _map_parameters(budget, lambda value: np.array(np.broadcast_to(value, self.replications)))

    @classmethod
    def or_without(cls, budget: Budget | None, noise: NoiseSource | None) -> tuple[Budget, NoiseSource]:
        """Both as given; without a budget there is no privacy, so InvalidInput for a source of noise alone."""
        if budget is None and noise is not None and noise.generator is not None:
            raise InvalidInput("budget", None, f"{of_kinds(cls.kinds)}, where noise is given: without it there is none")
        return budget or Budget.pure(np.inf), noise or NoiseSource()

    def ask_for(self, budget: Budget | None) -> None:
        """Raise InvalidInput where none is given, and the algorithm is registered as private."""
        if budget is None and any(known.private for known in getattr(self, "registrations", ())):
            raise InvalidInput("budget", None, f"{of_kinds(self.kinds)} (with np.inf in it there is no noise)")

    @property
    def epsilon(self) -> np.ndarray:
        """The epsilon of every replication, [R], for the kinds of budget that have one."""
        return self.budget.epsilon

    def keep(self, rows: np.ndarray) -> None:
        super().keep(rows)
        self.budget = _map_parameters(self.budget, lambda value: value[rows])


def recommended(strategy: Any) -> np.ndarray:
    """What each replication of a strategy recommends now [R]. Raises InvalidInput for what are no numbers of arms."""
    named = np.asarray(strategy.recommendation).reshape(-1)
    if named.dtype.kind not in "iu" or named.size != strategy.replications:
        raise InvalidInput("recommendation", named.tolist(), f"{strategy.replications} arms, an int array [R]")
    return named


A_STRATEGY = "a policy with `stopped` and `recommendation` (history and select_update take stopped= and recommend=)"


@runtime_checkable
class Strategy(Protocol):
    """A policy that is to name the best arm and to stop when it is sure: two attributes more than a `Policy`.

    A replication ends when its `stopped` [R] (bool) is true, and what counts then is its `recommendation` [R] (int, an
    arm); before, the recommendation may be anything. Both are looked at before every batch, and a replication that has
    stopped is not asked for another one. Any `Policy` with these attributes is a strategy, such as `DPSE`.
    """

    arms: int
    replications: int

    @property
    def stopped(self) -> np.ndarray: ...

    @property
    def recommendation(self) -> np.ndarray: ...

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]: ...

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None: ...

    def keep(self, rows: np.ndarray) -> None: ...


def _map_parameters(budget: Budget, change: Callable[[Any], Any]) -> Budget:
    return replace(budget, **{name: change(value) for name, value in budget.parameters.items()})
