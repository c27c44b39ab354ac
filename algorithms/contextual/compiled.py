"""Compiled windows for the contextual policies (extra `fast`): as `simulation.play`, draw for draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banditproof.algorithms.contextual.environment import ContextualBandit
from banditproof.algorithms.contextual.oful import OFUL, AdaCOFUL, AdaROFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.policy import EveryRoundPolicy
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.algorithms.noise import product_rounded_up, quotient_rounded_up


def play_compiled(
    policy: Any, sets: np.ndarray, means: np.ndarray, noise: np.ndarray, bandit: ContextualBandit
) -> np.ndarray:
    """Lets a policy of a class in `ROUNDS` play through a window; the mean reward of what it picked, [R, B].

    Raises InvalidInput as the policy does, for rewards and contexts out of bounds once the window is over, and
    ImportError where numba is not installed.
    """
    policy.checked_contexts(sets)
    if isinstance(policy, EveryRoundPolicy):
        policy.checked_length(sets.shape[1])
    arm, heard, end = np.zeros(noise.shape, dtype=np.int64), np.zeros(noise.shape), policy.clock + sets.shape[1]
    ROUNDS[type(policy)](policy, (sets, means, noise, bandit.deviation, bandit.clipped), (arm, heard))
    policy.clock = end
    policy.checked(heard, np.take_along_axis(sets, arm[:, :, np.newaxis, np.newaxis], axis=2)[:, :, 0])
    return np.take_along_axis(means, arm[:, :, np.newaxis], axis=2)[:, :, 0]


def _oful(policy: OFUL, window: tuple[Any, ...], played: tuple[Any, ...]) -> None:
    from banditproof.algorithms.contextual.loops import oful_rounds

    width = (2 * np.log(1 / policy.confidence), np.sqrt(policy.ridge) * policy.radius)
    oful_rounds(window, width, policy.inverse, policy.log_volume, policy.total, *played)


def _linpriv(policy: LinPriv, window: tuple[Any, ...], played: tuple[Any, ...]) -> None:
    from banditproof.algorithms.contextual.loops import linpriv_rounds

    width = (policy.ridge, policy.confidence, np.sqrt(policy.ridge) + policy.allowance)
    scale = quotient_rounded_up(policy.sensitivity, policy.node_budget.epsilon)
    ridge_regressions = (policy.inverse, policy.estimate)
    linpriv_rounds(window, width, scale, *ridge_regressions, *_noise_and_tree(policy), *played)


def _joint(policy: JointDPLinUCB, window: tuple[Any, ...], played: tuple[Any, ...]) -> None:
    from banditproof.algorithms.contextual.loops import joint_rounds

    width = (2 * np.log(1 / policy.confidence), policy.ridge, policy.ridge + policy.shift, policy.offset)
    scale = product_rounded_up(np.asarray(policy.sensitivity), policy.multiplier)
    joint_rounds(window, width, scale, *_noise_and_tree(policy), *played)


def _noise_and_tree(policy: LinPriv | JointDPLinUCB) -> tuple[Any, Any]:
    """The round with the generator of the noise (one never drawn from, if there is none); the arrays of the tree."""
    generator, tree = policy.noise.generator, policy.tree
    drawn = np.random.default_rng(0) if generator is None else generator
    return (int(policy.clock[0]), drawn), (tree.items, tree.true, tree.noisy, tree.began)


def _rarely(policy: AdaCOFUL, window: tuple[Any, ...], played: tuple[Any, ...]) -> None:
    from banditproof.algorithms.contextual.loops import rounds_until_update

    replications, rounds = window[0].shape[:2]
    began, start, due = policy.clock, np.zeros_like(policy.clock), np.zeros(replications, dtype=bool)
    width = (2 * np.log(1 / policy.confidence), np.sqrt(policy.ridge) * policy.radius)
    width += (np.log1p(policy.growth), policy.ridge)
    known = policy.released, policy.updates, np.broadcast_to(policy.noise_norm(1), replications)
    spread = np.empty((replications, 0))
    if policy.eigenvalue is not None:
        spread = policy.spread(began[:, np.newaxis] + np.arange(1, rounds + 1))
    rule, sums = (policy.inverse, policy.estimate, policy.logdet, policy.width), (policy.design, policy.pending)
    if policy.today is None:
        policy.today = np.linalg.inv(policy.design), np.linalg.slogdet(policy.design)[1]
    while True:
        rounds_until_update(window, width, known, spread, rule, sums, policy.today, start, due, played)
        policy.clock = began + start
        if not due.any():
            return
        policy.release(np.flatnonzero(due))


ROUNDS: dict[type[Any], Callable[[Any, tuple[Any, ...], tuple[Any, ...]], None]] = {
    OFUL: _oful,
    AdaCOFUL: _rarely,
    AdaROFUL: _rarely,
    RarelySwitchingOFUL: _rarely,
    LinPriv: _linpriv,
    JointDPLinUCB: _joint,
}
"""How a window is played: the policy, the arguments that all kernels begin with, and the arrays they fill."""
