"""Simulation of batched index policies, compiled by numba (extra `fast`): as `simulate`, draw for draw."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from banditproof.algorithms.batches import PolynomialBatches
from banditproof.algorithms.environment import BernoulliBandit, GaussianBandit
from banditproof.algorithms.finite.dp_index import DPIMED, GROWTHS, TIES
from banditproof.algorithms.finite.episodic import AdaPKLUCB, EpisodicUCB
from banditproof.algorithms.finite.index import IMED
from banditproof.algorithms.noise import has_plain_noise, product_rounded_up, quotient_rounded_up

WORTH_LOADING = 50_000  # batches that NumPy plays in about the second that loading the compiled loop takes

OF_ALL_ARMS: dict[type[Any], str] = {DPIMED: "DP_IMED", IMED: "DP_IMED", AdaPKLUCB: "ADAP_KLUCB"}
"""The policies whose index of an arm depends on the other arms, and its name in the loop."""


def has_formula(kind: type[Any]) -> bool:
    """Whether there is a loop for a class: it is registered and states its own `index`, or is one of `OF_ALL_ARMS`.

    A subclass might act differently.
    """
    return kind in OF_ALL_ARMS or {"registrations", "index"} <= vars(kind).keys()


def has_batched_loop(policy: Any, environment: Any, horizon: int) -> bool:
    """Whether there is a loop for this policy and these rewards, numba is installed, and loading both pays."""
    known = has_formula(type(policy)) and has_plain_noise(policy)
    if not known or type(environment) not in (BernoulliBandit, GaussianBandit) or find_spec("numba") is None:
        return False
    if policy.clipping and type(environment) is GaussianBandit:
        return False
    most = horizon if _one_by_one(policy) else policy.arms * len(policy.batches.sizes_until(horizon))
    return policy.replications * min(most, horizon) >= WORTH_LOADING


def play_batches(policy: Any, environment: Any, horizon: int, generator: np.random.Generator, kept: Any) -> None:
    """Play a fresh policy to the horizon; its state, and the trajectory `kept`, are filled in place."""
    from banditproof.algorithms.run import batched_loops as kernels
    from banditproof.theory.laws.compiling import made

    kind = type(policy)
    gaussian = policy.budget.takes_gaussian
    if gaussian:
        scale = product_rounded_up(np.ones(policy.replications), policy.multiplier)
    else:
        scale = quotient_rounded_up(1.0, policy.epsilon)
    epsilon = policy.budget.parameters.get("epsilon", scale)
    sizes = np.ones(1, dtype=np.int64) if _one_by_one(policy) else policy.batches.sizes_until(horizon)
    coins = np.random.default_rng(0) if policy.generator is None else policy.generator  # an argument has one type
    rewards = kernels.GAUSSIAN if type(environment) is GaussianBandit else kernels.BERNOULLI
    formula = EpisodicUCB.index if kind in OF_ALL_ARMS else kind.index  # there it is not called, but has to be one
    made(kernels.loop, getattr(kernels, OF_ALL_ARMS.get(kind, "FORMULA")), formula)(
        (TIES.index(policy.ties), policy.clipping, policy.forgetting, gaussian),
        (
            np.full(policy.replications, float(policy.factor)),
            list(GROWTHS).index(policy.growth),
            np.asarray(epsilon, dtype=float),
            np.asarray(policy.multiplier, dtype=float),
            np.asarray(scale, dtype=float),
        ),
        (policy.sums, policy.samples, policy.batches_done, policy.clock, policy.recommended),
        sizes,
        (rewards, np.array(environment.means), float(getattr(environment, "deviation", 0.0)), np.array(kept.gaps)),
        int(horizon),
        kept.times.astype(np.int64),
        (kept.pulls, kept.regret, kept.recorded, kept.arm, kept.start, kept.regret_at_start),
        (generator, coins, policy.noise.coins(scale)),
    )


def _one_by_one(policy: Any) -> bool:
    return isinstance(policy.batches, PolynomialBatches) and policy.batches.power == 0
