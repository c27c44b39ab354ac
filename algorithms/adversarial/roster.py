"""The algorithms of the paper by name, with the parameters that its corollaries and theorems print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF, Learner
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory.bounds.adversarial import (
    batched_exp4_parameters,
    exp3_parameters,
    ftpl_parameters,
    local_exp4_parameters,
)
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.privacy.budget import Budget


@dataclass(frozen=True)
class Game:
    """What an algorithm is tuned to: `arms`, rounds, budget, the experts if there are any, and how many runs move."""

    arms: int
    horizon: int
    budget: Budget
    panel: Panel | None = None
    runs: int = 1

    @property
    def epsilon(self) -> float:
        return float(self.budget.epsilon)

    def experts(self) -> Panel:
        """The panel. Raises InvalidInput where there is none or it names other actions."""
        if self.panel is None:
            raise InvalidInput("panel", None, "a panel, which this algorithm listens to")
        if self.panel.actions != self.arms:
            raise InvalidInput("panel", self.panel.actions, f"advice on {self.arms} actions, as many as are played")
        return self.panel


def _mixing(value: float, game: Game) -> float:
    """A printed mixing weight that makes probabilities. Raises InvalidInput for another one."""
    if not 0 < value <= 1:
        raise InvalidInput("horizon", game.horizon, f"such that the printed gamma, here {value:.3g}, is in (0, 1]")
    return value


def _long_enough(game: Game, what: str, product: float) -> None:
    if product <= 1:
        raise InvalidInput("epsilon", game.epsilon, f"such that {what} > 1: the printed parameters take its logarithm")


def _exp3(game: Game, arms: int, generator: np.random.Generator) -> Learner:
    _long_enough(game, "epsilon K T", game.epsilon * arms * game.horizon)
    rate, mixing = (float(x) for x in exp3_parameters(arms, game.horizon, game.epsilon))
    return EXP3(arms, generator, rate=rate, mixing=_mixing(mixing, game), replications=game.runs)


def _ftpl(game: Game, arms: int, generator: np.random.Generator) -> Learner:
    _long_enough(game, "epsilon T", game.epsilon * game.horizon)
    rate, cap = (float(x) for x in ftpl_parameters(arms, game.horizon, game.epsilon))
    return FTPL(arms, generator, rate=rate, cap=cap, replications=game.runs)


def _htinf(game: Game, arms: int, generator: np.random.Generator) -> Learner:
    return HTINF(arms, generator, sigma=6**0.5, replications=game.runs)


LEARNERS: dict[str, Callable[[Game, int, np.random.Generator], Learner]] = {
    "exp3": _exp3,
    "ftpl": _ftpl,
    "htinf": _htinf,
}
EXPERT_ALGORITHMS = ("experts-exp3", "experts-ftpl", "experts-htinf", "exp4-local", "exp4-batched")
NAMES = (*LEARNERS, "exp3-every-round", *EXPERT_ALGORITHMS)


def adversarial_policy(name: str, game: Game, generator: np.random.Generator) -> Policy:
    """The algorithm of this `name` in `NAMES` with its printed parameters; `generator` draws everything.

    exp3, ftpl and htinf are the conversions of Corollaries 22, 24 and 2, experts-htinf that of Corollary 8,
    exp4-local is Algorithm 6 and exp4-batched Algorithm 2 (gamma as proved, its batch rounded up); exp3-every-round
    adds noise in every round, as was done before. Raises InvalidInput for a name, a budget, a horizon and a panel that
    the algorithm is not defined for. Source: ADV-C2, ADV-C8, ADV-C22, ADV-C24, ADV-T9, ADV-T10
    """
    one_of("algorithm", name, NAMES)
    kind = "approximate" if name == "exp4-batched" else "pure"
    if game.budget.kind != kind or not 0 < game.epsilon <= 1:
        raise InvalidInput("budget", str(game.budget), f"{kind}, with epsilon in (0, 1], for {name}")
    noise = NoiseSource(generator)
    if name == "exp4-batched":
        return _batched_exp4(game, noise, generator)
    if name == "exp4-local":
        panel = game.experts()
        rate, mixing = (
            float(x) for x in local_exp4_parameters(game.arms, max(panel.experts, 2), game.horizon, game.epsilon)
        )
        learner = EXP4(panel, generator, rate=rate, mixing=_mixing(mixing, game), replications=game.runs)
        return PrivateBatches(learner, game.budget, noise, batch=1)
    if name == "exp3-every-round":
        return PrivateBatches(_exp3(game, game.arms, generator), game.budget, noise, batch=1)
    if name in LEARNERS:
        return PrivateBatches(LEARNERS[name](game, game.arms, generator), game.budget, noise)
    panel = game.experts()
    learner = LEARNERS[name.removeprefix("experts-")](game, panel.experts, generator)
    return FromBandit(PrivateBatches(learner, game.budget, noise), panel, generator)


def _batched_exp4(game: Game, noise: NoiseSource, generator: np.random.Generator) -> PrivateEXP4:
    panel, delta = game.experts(), float(game.budget.delta)
    sizes = (game.arms, max(panel.experts, 2), game.horizon, game.epsilon, delta)
    found = batched_exp4_parameters(*sizes, as_proved=True)
    batch = int(np.ceil(float(found.batch)))
    if not 1 <= batch <= game.horizon:
        raise InvalidInput("horizon", game.horizon, f"at least the printed batch, here {batch}")
    return PrivateEXP4(
        panel, game.budget, noise, generator, batch=batch, rate=float(found.rate),
        mixing=_mixing(float(found.mixing), game), replications=game.runs,
    )  # fmt: skip
