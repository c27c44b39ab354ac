"""Strategies for best-arm identification by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.finite.successive_elimination import DPSE, SuccessiveElimination
from banditproof.algorithms.identification.sequential import LUCB, TTUCB, TrackAndStop
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Strategy
from banditproof.theory.errors import InvalidInput, close_to, one_of
from banditproof.theory.privacy.budget import Budget


@dataclass(frozen=True)
class StrategyEntry:
    """One strategy: `private` ones need a pure budget. `options` are keyword arguments that may be overridden."""

    name: str
    source: str
    private: bool
    make: Callable[..., Any]
    options: dict[str, Any]

    def build(
        self, arms: int, delta: float, epsilon: Any, generator: np.random.Generator, replications: int, **options: Any
    ) -> Strategy:
        """Fresh replications for at least two arms, `delta` in (0, 1) and an epsilon that is positive or None.

        Raises InvalidInput, for options it does not know too.
        """
        if not isinstance(arms, int | np.integer) or arms < 2:
            raise InvalidInput("arms", arms, "an integer, at least 2")
        if not 0 < delta < 1:
            raise InvalidInput("delta", delta, "in (0, 1)")
        budget = None if epsilon is None else Budget.pure(epsilon)
        unknown = set(options) - set(self.options)
        if unknown:
            allowed, strange = ", ".join(sorted(self.options)) or "nothing", ", ".join(sorted(unknown))
            raise InvalidInput("option", strange, f"one of {allowed} for {self.name}", close_to(strange, self.options))
        if self.private and budget is None:
            raise InvalidInput("epsilon", "none", f"a budget for {self.name}")
        given = {self.risk: delta, "replications": replications, **self.options, **options}
        if self.private:
            return self.make(arms, budget, NoiseSource(generator), **given)
        return self.make(arms, **given)

    @property
    def risk(self) -> str:
        """What its class calls delta."""
        return "beta" if issubclass(self.make, DPSE) else "delta"  # pyright: ignore[reportArgumentType]


STRATEGIES: dict[str, StrategyEntry] = {
    entry.name: entry
    for entry in (
        StrategyEntry("adap-tt", "ALG-A-ADAPTT", True, AdaPTT, {"beta": 0.5, "bonus": "phase"}),
        StrategyEntry("adap-tt-star", "ALG-A-ADAPTTS", True, AdaPTTStar, {"beta": 0.5, "bonus": "phase"}),
        StrategyEntry("dp-se", "ALG-A-DPSE-BAI", True, DPSE, {}),
        StrategyEntry("ttucb", "ALG-A3", False, TTUCB, {"beta": 0.5, "share": "fixed"}),
        StrategyEntry("track-and-stop", "TH-S2.2j", False, TrackAndStop, {}),
        StrategyEntry("lucb", "TH-D2.19", False, LUCB, {}),
        StrategyEntry("successive-elimination", "ALG-A-SE", False, SuccessiveElimination, {}),
    )
}


def strategy(name: str) -> StrategyEntry:
    """The strategy of this name. Raises InvalidInput with the names there are."""
    one_of("algorithm", name, STRATEGIES)
    return STRATEGIES[name]
