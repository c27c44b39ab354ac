"""Every algorithm by its name, with the budget it needs and how it is built for an experiment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.finite.index import IMED, KLUCB, UCB, AnytimeUCB, ExploreThenCommit, FollowTheLeader
from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.finite.successive_elimination import DPSE, SuccessiveElimination
from banditproof.algorithms.finite.thompson import ThompsonSampling
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory.errors import InvalidInput, close_to, one_of
from banditproof.theory.privacy.budget import Budget


@dataclass(frozen=True)
class Setting:
    """What an algorithm is built for: `generator` serves its noise and its coin flips, `budget` is None without one."""

    arms: int
    horizon: int
    budget: Budget | None
    generator: np.random.Generator
    replications: int

    @property
    def noise(self) -> NoiseSource:
        """The door for releases."""
        return NoiseSource(self.generator)


@dataclass(frozen=True)
class Algorithm:
    """One algorithm. `kinds` of budget it takes (none: not private), `every_pull` if it decides at every pull.

    `options` are keyword arguments with the values that the experiments of the papers state, which may be overridden.
    """

    name: str
    source: str
    kinds: tuple[str, ...]
    every_pull: bool
    make: Callable[..., Policy]
    options: dict[str, Any]

    def build(self, setting: Setting, **options: Any) -> Policy:
        """A fresh policy. Raises InvalidInput for another kind of budget and for options it does not know."""
        kind = None if setting.budget is None else setting.budget.kind
        if self.kinds and kind not in self.kinds:
            raise InvalidInput("budget", str(setting.budget or "none"), f"{' or '.join(self.kinds)} for {self.name}")
        unknown = set(options) - set(self.options)
        if unknown:
            allowed, strange = ", ".join(sorted(self.options)) or "nothing", ", ".join(sorted(unknown))
            raise InvalidInput("option", strange, f"one of {allowed} for {self.name}", close_to(strange, self.options))
        return self.make(setting, **{**self.options, **options})


def _private(policy: Callable[..., Policy]) -> Callable[..., Policy]:
    def make(s: Setting, **options: Any) -> Policy:
        return policy(s.arms, s.budget, noise=s.noise, replications=s.replications, **options)

    return make


def _free(policy: Callable[..., Policy]) -> Callable[..., Policy]:
    def make(s: Setting, **options: Any) -> Policy:
        return policy(s.arms, replications=s.replications, **options)

    return make


def _batched(policy: Callable[..., Policy]) -> Callable[..., Policy]:
    def make(s: Setting, *, alpha: Any, **options: Any) -> Policy:
        return _private(policy)(s, batches=GeometricBatches(alpha), generator=s.generator, **options)

    return make


def _with_horizon(policy: Callable[..., Policy]) -> Callable[..., Policy]:
    """The probability of failure is 1/T or 1/T^2 where the experiments say so, or it is given."""

    def make(s: Setting, **options: Any) -> Policy:
        given = {name: value for name, value in options.items() if value is not None}
        known = {} if {"beta", "delta"} & set(given) else {"horizon": s.horizon}
        return (_free if policy in (UCB, SuccessiveElimination) else _private)(policy)(s, **known, **given)

    return make


def _tree(variant: str) -> Callable[..., Policy]:
    def make(s: Setting, **options: Any) -> Policy:
        return _private(DPUCB)(s, horizon=max(2, s.horizon), variant=variant, **options)

    return make


def _thompson(s: Setting) -> Policy:
    return ThompsonSampling(s.arms, s.generator, replications=s.replications)


def _lazy(s: Setting, **options: Any) -> Policy:
    assert s.budget is not None  # checked by `build`
    return LazyDPTS(s.arms, s.budget, s.noise, s.generator, replications=s.replications, **options)


PURE, GAUSSIAN = ("pure",), ("zcdp", "approximate")
TOP_TWO = {"delta": 0.01, "beta": 0.5, "bonus": "phase"}

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("follow-the-leader", "TH-A2.FTL", (), True, _free(FollowTheLeader), {}),
        Algorithm("explore-then-commit", "TH-A2.ETC", (), False, _free(ExploreThenCommit), {"exploration": 100}),
        Algorithm("ucb", "TH-EQ2.9", (), True, _with_horizon(UCB), {"delta": None}),
        Algorithm("anytime-ucb", "TH-EQ2.12", (), True, _free(AnytimeUCB), {}),
        Algorithm("kl-ucb", "TH-EQ2.14", (), True, _free(KLUCB), {"exploration": "log f(t)"}),
        Algorithm("imed", "BDP-S2.1", (), True, _free(IMED), {}),
        Algorithm("thompson-sampling", "ALG-A-NP-UCB", (), True, _thompson, {}),
        Algorithm(
            "successive-elimination", "ALG-A-SE", (), False, _with_horizon(SuccessiveElimination), {"beta": None}
        ),
        Algorithm("episodic-ucb", "ALG-A7", (), False, _free(EpisodicUCB), {"beta": 3.1}),
        Algorithm("dp-ucb", "ALG-A-DPUCB", PURE, True, _tree("thesis"), {"delta": None}),
        Algorithm("dp-ucb-mt15", "ALG-A-DPUCB", PURE, True, _tree("mt15"), {"gamma": 0.1}),
        Algorithm("dp-se", "ALG-A-DPSE", PURE, False, _with_horizon(DPSE), {"beta": None}),
        Algorithm("adap-tt", "ALG-A-ADAPTT", PURE, False, _private(AdaPTT), TOP_TWO),
        Algorithm("adap-tt-star", "ALG-A-ADAPTTS", PURE, False, _private(AdaPTTStar), TOP_TWO),
        Algorithm("adap-ucb", "ALG-A-ADAPUCB", PURE, False, _private(AdaPUCB), {"beta": 3.1}),
        Algorithm("adap-klucb", "ALG-A-ADAPKLUCB", PURE, False, _private(AdaPKLUCB), {"beta": 3.1}),
        Algorithm("lazy-dp-ts", "ALG-A-LAZYDPTS", PURE, True, _lazy, {"optimism": 3.0}),
        Algorithm("dp-klucb", "BDP-A1", PURE, False, _batched(DPKLUCB), {"alpha": 2, "ties": "lowest-arm"}),
        Algorithm("dp-imed", "BDP-A1", PURE, False, _batched(DPIMED), {"alpha": 2, "ties": "lowest-arm"}),
        Algorithm("adac-ucb", "ALG-A-ADACUCB", GAUSSIAN, False, _private(AdaCUCB), {"beta": 1.0}),
        Algorithm("adar-ucb", "RDP-A2", ("rdp",), False, _private(AdaRUCB), {"beta": 1.0}),
    )
}


def algorithm(name: str) -> Algorithm:
    """The algorithm of this name. Raises InvalidInput with the names there are."""
    one_of("algorithm", name, ALGORITHMS)
    return ALGORITHMS[name]
