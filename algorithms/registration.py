"""The register of algorithms: what stands beside the class of an algorithm is all that others know of it.

    @registered("adac-ucb", Setting, "ALG-A-ADACUCB", options={"beta": 1.0}, bugs="index")
    class AdaCUCB(EpisodicUCB): ...

Help, tests of privacy and of strange input, planted bugs and experiments are made from the register. `roster.py` fills
it and is what they ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.privacy.budget import Budget

if TYPE_CHECKING:
    from banditproof.algorithms.adversarial.experts import Panel

Made = TypeVar("Made", bound=Callable[..., Any])

OWN = "own"
"""The source of an algorithm that no document of the catalogue states."""


# ------------------------------------------------------------------------------------------------------------- settings


@dataclass(frozen=True)
class Setting:
    """Arms with rewards in [0, 1], and what a policy for them is built from.

    `generator` serves its noise and its coin flips, unless releases are to go through another `door`. `budget` is None
    without one. `parts` are the arguments that every constructor takes from its setting.
    """

    arms: int
    horizon: int
    budget: Budget | None
    generator: np.random.Generator
    replications: int
    door: NoiseSource | None = field(default=None, kw_only=True)

    parts: ClassVar[tuple[str, ...]] = ("arms", "replications")
    given: ClassVar[str] = "given by the means of its arms (--means)"
    """What an instance of it is, for messages."""
    asked_for: ClassVar[str] = "budget"
    """What whoever leaves out the budget is asked for."""

    @property
    def noise(self) -> NoiseSource:
        """The door for releases."""
        return NoiseSource(self.generator) if self.door is None else self.door


@dataclass(frozen=True)
class LinearSetting(Setting):
    """A linear bandit with the table of actions [K, d]; `rewards` are the smallest and largest reward."""

    actions: np.ndarray
    rewards: tuple[float, float] = (-1.0, 1.0)

    parts: ClassVar[tuple[str, ...]] = ("actions", "rewards", "replications")
    given: ClassVar[str] = "with actions (--actions and --theta)"


@dataclass(frozen=True)
class ContextualSetting(Setting):
    """Sets of `arms` vectors in R^`dimension`; unless `bounded`, any reward and vector is let in."""

    dimension: int
    bounded: bool = True

    parts: ClassVar[tuple[str, ...]] = ("dimension", "horizon", "replications", "bounded")
    given: ClassVar[str] = "with contexts (--contexts and --theta)"


@dataclass(frozen=True)
class IdentificationSetting(Setting):
    """Identification of the best of at least two arms with risk `delta` in (0, 1); its horizon is not known."""

    delta: float

    parts: ClassVar[tuple[str, ...]] = ("arms", "delta", "replications")
    given: ClassVar[str] = "whose best arm is identified (banditproof identify)"
    asked_for: ClassVar[str] = "epsilon"

    @classmethod
    def of(
        cls,
        arms: int,
        delta: float,
        epsilon: Any,
        generator: np.random.Generator,
        replications: int,
        door: NoiseSource | None = None,
    ) -> IdentificationSetting:
        """With a pure budget, none where epsilon is None. Raises InvalidInput."""
        budget = None if epsilon is None else Budget.pure(epsilon)
        return cls(arms, 0, budget, generator, replications, delta, door=door)

    def __post_init__(self) -> None:
        if not isinstance(self.arms, int | np.integer) or self.arms < 2:
            raise InvalidInput("arms", self.arms, "an integer, at least 2")
        if not 0 < self.delta < 1:
            raise InvalidInput("delta", self.delta, "in (0, 1)")


@dataclass(frozen=True)
class Game(Setting):
    """Losses that an adversary chose, with epsilon in (0, 1]; `panel` is the experts, if there are any."""

    panel: Panel | None = None

    parts: ClassVar[tuple[str, ...]] = ("game",)
    given: ClassVar[str] = "with losses (--losses)"

    @property
    def game(self) -> Game:
        """All of it. Raises InvalidInput for an epsilon that the algorithms are not tuned to."""
        if not 0 < self.epsilon <= 1:
            raise InvalidInput("budget", str(self.budget), "a budget with epsilon in (0, 1]")
        return self

    @property
    def epsilon(self) -> float:
        return 0.0 if self.budget is None else float(self.budget.epsilon)

    @property
    def experts(self) -> Panel:
        """The panel. Raises InvalidInput where there is none or it names other actions."""
        if self.panel is None:
            raise InvalidInput("panel", None, "a panel of experts, which this algorithm needs (--experts N makes one)")
        if self.panel.actions != self.arms:
            raise InvalidInput("panel", self.panel.actions, f"advice on {self.arms} actions, as many as are played")
        return self.panel


# ------------------------------------------------------------------------------------------------------------- register


@dataclass(frozen=True)
class Algorithm:
    """One algorithm, and what others have to know of it.

    Attributes:
        name: what users type.
        setting: what it is built for.
        source: id of the catalogue, or OWN for an algorithm that no document of the catalogue states.
        made: its class, or a function that builds it.
        kinds: of budget that it takes; () if it is not private.
        every_pull: whether it decides at every pull.
        asks: parts of the setting that it takes beside those that all take.
        options: keyword arguments with the values that the experiments of the papers state; they may be overridden.
        how: what calls `made` where its arguments have other names.
        bugs: the family of regret bugs that belong to it, "" where it has none of its own.
        pulls: after so many every planted privacy bug has shown in recorded runs.
        hurried: options with which it decides within a short recorded run.
    """

    name: str
    setting: type[Setting]
    source: str
    made: Callable[..., Any]
    kinds: tuple[str, ...]
    every_pull: bool = False
    asks: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    how: Callable[..., Any] | None = None
    bugs: str = ""
    pulls: int = 40
    hurried: Mapping[str, Any] = field(default_factory=dict)

    @property
    def private(self) -> bool:
        return bool(self.kinds)

    def build(self, setting: Setting, **options: Any) -> Any:
        """A fresh policy. Raises InvalidInput for another kind of budget and for options it does not know."""
        make, given = self.call(setting, **options)
        return make(**given)

    def call(self, setting: Setting, **options: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
        """What builds it, and the arguments that it is built with. Raises InvalidInput as `build` does."""
        kind = None if setting.budget is None else setting.budget.kind
        if self.kinds and kind not in self.kinds:
            allowed = f"{' or '.join(self.kinds)} for {self.name}"
            allowed = f"given ({allowed})" if kind is None else allowed
            raise InvalidInput(setting.asked_for, str(setting.budget or "none"), allowed)
        if unknown := options.keys() - self.options.keys():
            allowed, strange = ", ".join(sorted(self.options)) or "nothing", ", ".join(sorted(unknown))
            raise InvalidInput("option", strange, f"one of {allowed} for {self.name}", close_to(strange, self.options))
        parts = (*setting.parts, *(("budget", "noise") if self.kinds else ()), *self.asks)
        given = {**{name: getattr(setting, name) for name in parts}, **self.options, **options}
        return self.made if self.how is None else partial(self.how, self.made), given


def registered(
    name: str, setting: type[Setting], source: str, *, kinds: tuple[str, ...] | None = None, **words: Any
) -> Callable[[Made], Made]:
    """Register the class or function below under a name; see `Algorithm` for the words.

    It is called with the `parts` of the setting and those it `asks` for besides, with budget and noise if it is
    private, and with its options, all by name; or `how` is called with it and these. `kinds` are those of the class
    unless they are given. What is registered stands in its attribute `registrations`; the roster collects it there.
    """

    def register(made: Made) -> Made:
        new = Algorithm(name, setting, source, made, getattr(made, "kinds", ()) if kinds is None else kinds, **words)
        setattr(made, "registrations", (new, *vars(made).get("registrations", ())))  # noqa: B010
        return made

    return register


# ---------------------------------------------------------------------------------------------- how a class is called


def at_horizon(policy: Callable[..., Any], *, horizon: int, **options: Any) -> Any:
    """With the probability of failure of the horizon, 1/T or 1/T^2 as the experiments say, unless one is given."""
    stated = any(options.get(name) is not None for name in ("beta", "delta"))
    return policy(**options) if stated else policy(**options, horizon=horizon)


def in_batches(policy: Callable[..., Any], *, alpha: Any, **options: Any) -> Any:
    """With batches that grow geometrically."""
    return policy(batches=GeometricBatches(alpha), **options)


def with_risk(policy: Callable[..., Any], *, delta: float, **options: Any) -> Any:
    """A class that calls the risk beta."""
    return policy(beta=delta, **options)
