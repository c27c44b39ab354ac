"""Simulation of batched index policies, compiled by numba (extra `fast`): as `simulate`, draw for draw."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from banditproof.algorithms.batches import PolynomialBatches
from banditproof.algorithms.environment import BernoulliBandit, GaussianBandit
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB, TIES
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.finite.index import IMED, KLUCB, UCB, AnytimeUCB, FollowTheLeader
from banditproof.algorithms.noise import has_plain_noise, product_rounded_up, quotient_rounded_up

WORTH_LOADING = 50_000  # batches that NumPy plays in about the second that loading the compiled loop takes

INDEX: dict[type[Any], str] = {
    FollowTheLeader: "MEAN",
    UCB: "FIXED",
    AnytimeUCB: "ANYTIME",
    DPKLUCB: "DP_KLUCB",
    KLUCB: "DP_KLUCB",
    DPIMED: "DP_IMED",
    IMED: "DP_IMED",
    EpisodicUCB: "HOEFFDING",
    AdaPUCB: "ADAP",
    AdaPKLUCB: "ADAP_KLUCB",
    AdaCUCB: "ADAC",
    AdaRUCB: "ADAC",
}
"""The policies that there is a loop for; a subclass might act differently."""


def has_batched_loop(policy: Any, environment: Any, horizon: int) -> bool:
    """Whether there is a loop for this policy and these rewards, numba is installed, and loading both pays."""
    known = type(policy) in INDEX and has_plain_noise(policy)
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
    gaussian = policy.budget.gaussian
    if gaussian:
        scale = product_rounded_up(np.ones(policy.replications), policy.multiplier)
    else:
        scale = quotient_rounded_up(1.0, policy.epsilon)
    fixed = policy.level if kind is UCB else getattr(policy, "beta", 0.0)
    epsilon = policy.budget.parameters.get("epsilon", scale)
    sizes = np.ones(1, dtype=np.int64) if _one_by_one(policy) else policy.batches.sizes_until(horizon)
    coins = np.random.default_rng(0) if policy.generator is None else policy.generator  # an argument has one type
    rewards = kernels.GAUSSIAN if type(environment) is GaussianBandit else kernels.BERNOULLI
    made(kernels.loop, getattr(kernels, INDEX[kind]))(
        (TIES.index(policy.ties), policy.clipping, policy.forgetting, gaussian),
        (
            np.full(policy.replications, float(fixed)),
            getattr(policy, "exploration", "") == "log f(t)",
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
