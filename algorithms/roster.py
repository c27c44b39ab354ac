"""Every algorithm by its setting and its name: what the modules below have registered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Strategy
from banditproof.algorithms.registration import Algorithm, IdentificationSetting, Setting
from banditproof.theory.errors import InvalidInput, one_of

HOLDERS = (
    "finite.index",
    "finite.thompson",
    "finite.successive_elimination",
    "finite.episodic",
    "finite.dp_ucb",
    "finite.lazy_dp_ts",
    "finite.dp_index",
    "identification.top_two",
    "identification.arm_by_arm",
    "identification.sequential",
    "linear.elimination",
    "contextual.oful",
    "contextual.tree_policies",
    "adversarial.tuned",
)
"""The modules of `algorithms` that hold a registered algorithm."""


@cache
def everything() -> tuple[Algorithm, ...]:
    """All algorithms. Raises InvalidInput where two of a setting have one name."""
    algorithms: dict[tuple[type[Setting], str], Algorithm] = {}
    for holder in HOLDERS:
        module = import_module(f"banditproof.algorithms.{holder}")
        for made in vars(module).values():
            if getattr(made, "__module__", "") != module.__name__:
                continue
            for entry in getattr(made, "__dict__", {}).get("registrations", ()):
                if algorithms.setdefault((entry.setting, entry.name), entry) is not entry:
                    raise InvalidInput("name", entry.name, "a name that no other algorithm of this setting has")
    return tuple(algorithms.values())


@cache
def algorithms(setting: type[Setting] = Setting) -> Mapping[str, Algorithm]:
    """The algorithms for a setting, by name."""
    return MappingProxyType({entry.name: entry for entry in everything() if entry.setting is setting})


def algorithm(name: str, setting: type[Setting] = Setting) -> Algorithm:
    """The algorithm of this name. Raises InvalidInput with the names there are, or the setting that has it."""
    if name not in algorithms(setting) and (others := [e.setting.given for e in everything() if e.name == name]):
        raise InvalidInput("algorithm", name, f"one for an instance {setting.given}; {name} is for one {others[0]}")
    one_of("algorithm", name, algorithms(setting))
    return algorithms(setting)[name]


def strategy(
    name: str,
    arms: int,
    delta: float,
    epsilon: Any,
    generator: np.random.Generator,
    replications: int = 1,
    *,
    door: NoiseSource | None = None,
    **options: Any,
) -> Strategy:
    """Fresh replications of a strategy for identification; `epsilon` is positive or None. Raises InvalidInput."""
    entry = algorithm(name, IdentificationSetting)
    setting = IdentificationSetting.of(arms, delta, epsilon, generator, replications, door=door)
    return entry.build(setting, **options)
