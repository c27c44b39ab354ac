"""The algorithms of the paper with the parameters that its corollaries and theorems print.

exp3, ftpl and htinf are the conversions of Corollaries 22, 24 and 2, their versions with experts go through
Algorithm 5; exp4-local is Algorithm 6 and exp4-batched Algorithm 2 (gamma as proved, its batch rounded up);
exp3-every-round adds noise in every round, as was done before.

Source: ADV-C2, ADV-C8, ADV-C22, ADV-C24, ADV-T9, ADV-T10
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF, Learner
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.registration import Game, registered
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.bounds.adversarial import (
    batched_exp4_parameters,
    exp3_parameters,
    ftpl_parameters,
    local_exp4_parameters,
)

PURE, ADVICE = ("pure",), ("experts",)


def _mixing(value: float, game: Game) -> float:
    """A printed mixing weight that makes probabilities. Raises InvalidInput for another one."""
    if not 0 < value <= 1:
        raise InvalidInput("horizon", game.horizon, f"such that the printed gamma, here {value:.3g}, is in (0, 1]")
    return value


def _long_enough(game: Game, what: str, product: float) -> None:
    if product <= 1:
        raise InvalidInput("epsilon", game.epsilon, f"such that {what} > 1: the printed parameters take its logarithm")


def _exp3(game: Game, arms: int) -> Learner:
    _long_enough(game, "epsilon K T", game.epsilon * arms * game.horizon)
    rate, mixing = (float(x) for x in exp3_parameters(arms, game.horizon, game.epsilon))
    return EXP3(arms, game.generator, rate=rate, mixing=_mixing(mixing, game), replications=game.replications)


def _ftpl(game: Game, arms: int) -> Learner:
    _long_enough(game, "epsilon T", game.epsilon * game.horizon)
    rate, cap = (float(x) for x in ftpl_parameters(arms, game.horizon, game.epsilon))
    return FTPL(arms, game.generator, rate=rate, cap=cap, replications=game.replications)


def _htinf(game: Game, arms: int) -> Learner:
    return HTINF(arms, game.generator, sigma=6**0.5, replications=game.replications)


Tuned = Callable[[Game, int], Learner]


def _playing(learner: Tuned) -> Callable[..., Policy]:
    return lambda play, **asked: play(learner, **asked)


@registered("exp3", Game, "ADV-C22", kinds=PURE, how=_playing(_exp3))
@registered("ftpl", Game, "ADV-C24", kinds=PURE, how=_playing(_ftpl))
@registered("htinf", Game, "ADV-C2", kinds=PURE, how=_playing(_htinf))
def converted(learner: Tuned, game: Game, budget: Budget, noise: NoiseSource) -> Policy:
    """A learner on arms behind Algorithm 1. Raises InvalidInput."""
    return PrivateBatches(learner(game, game.arms), budget, noise)


@registered("exp3-every-round", Game, "ADV-A3", kinds=PURE)
def every_round(game: Game, budget: Budget, noise: NoiseSource) -> Policy:
    """EXP3 with noise in every round. Raises InvalidInput."""
    return PrivateBatches(_exp3(game, game.arms), budget, noise, batch=1)


@registered("experts-exp3", Game, "ADV-T7", kinds=PURE, asks=ADVICE, how=_playing(_exp3))
@registered("experts-ftpl", Game, "ADV-T7", kinds=PURE, asks=ADVICE, how=_playing(_ftpl))
@registered("experts-htinf", Game, "ADV-C8", kinds=PURE, asks=ADVICE, how=_playing(_htinf))
def of_experts(learner: Tuned, game: Game, experts: Panel, budget: Budget, noise: NoiseSource) -> Policy:
    """A learner whose arms are the experts behind Algorithms 1 and 5. Raises InvalidInput."""
    return FromBandit(PrivateBatches(learner(game, experts.experts), budget, noise), experts, game.generator)


@registered("exp4-local", Game, "ADV-T9", kinds=PURE, asks=ADVICE)
def local_exp4(game: Game, experts: Panel, budget: Budget, noise: NoiseSource) -> Policy:
    """EXP4 with noise on every loss. Raises InvalidInput."""
    parameters = local_exp4_parameters(game.arms, max(experts.experts, 2), game.horizon, game.epsilon)
    rate, mixing = (float(x) for x in parameters)
    learner = EXP4(experts, game.generator, rate=rate, mixing=_mixing(mixing, game), replications=game.replications)
    return PrivateBatches(learner, budget, noise, batch=1)


@registered("exp4-batched", Game, "ADV-T10", kinds=("approximate",), asks=ADVICE)
def batched_exp4(game: Game, experts: Panel, budget: Budget, noise: NoiseSource) -> PrivateEXP4:
    """EXP4 on noisy sums of batches. Raises InvalidInput."""
    sizes = (game.arms, max(experts.experts, 2), game.horizon, game.epsilon, float(budget.delta))
    parameters = batched_exp4_parameters(*sizes, as_proved=True)
    batch = int(np.ceil(float(parameters.batch)))
    if not 1 <= batch <= game.horizon:
        raise InvalidInput("horizon", game.horizon, f"at least the printed batch, here {batch}")
    return PrivateEXP4(
        experts, budget, noise, game.generator, batch=batch, rate=float(parameters.rate),
        mixing=_mixing(float(parameters.mixing), game), replications=game.replications,
    )  # fmt: skip
