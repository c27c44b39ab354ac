"""Playing against losses fixed beforehand, compiled by numba (extra `fast`): `play` draw for draw, much faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF
from banditproof.algorithms.adversarial.losses import LossTable, Played, play, regret_of, valid_game
from banditproof.algorithms.noise import has_plain_noise, quotient_rounded_up
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from types import ModuleType

    from banditproof.algorithms.policy import Policy

_LEARNERS = (EXP3, HTINF, FTPL, EXP4)
_PROGRESS = ("clock", "log_weights", "estimates")  # what is 0 in a policy that has not played


def play_compiled(
    policy: Policy, losses: LossTable, record_times: Sequence[int] | None = None, *, panel: Panel | None = None
) -> Played:
    """`play` for every replication of a fresh `policy`, one after the other; the policy keeps its state.

    Replication r draws after replication r - 1 from the same generators, so that a single one gives the losses that
    `play` gives. The policy is EXP3, HTINF, FTPL or EXP4, in PrivateBatches or not, under FromBandit or not, or
    PrivateEXP4 (not a subclass, which might act differently). Raises InvalidInput, and ImportError without numba.
    """
    kernels = _load()
    times = valid_game(policy, losses, record_times).astype(np.int64)
    if not has_loop(policy):
        raise InvalidInput("policy", type(policy).__name__, "supported by the compiled loops")
    if any(np.any(getattr(part, name, 0)) for part in _parts(policy) for name in _PROGRESS):
        raise InvalidInput("policy", type(policy).__name__, "a new one, because this one has already played")
    loop, arguments = _loop(policy, kernels)
    size, scale, noise = _batches(policy)
    sizes, scales = (np.broadcast_to(one, policy.replications) for one in (size, scale))
    lost = np.zeros((policy.replications, times.size))
    for r in range(policy.replications):
        batches = kernels.Batches(int(sizes[r]), float(scales[r]), noise)
        loop(*arguments, batches, kernels.Table(losses.cumulated, times, lost[r]))
    return regret_of(lost, losses, times, panel)


def play_fastest(
    policy: Policy, losses: LossTable, record_times: Sequence[int] | None = None, *, panel: Panel | None = None
) -> Played:
    """`play_compiled` where it knows the policy and numba is installed, `play` elsewhere."""
    compiled = has_loop(policy) and find_spec("numba") is not None
    return (play_compiled if compiled else play)(policy, losses, record_times, panel=panel)


def has_loop(policy: Policy) -> bool:
    """Whether `play_compiled` knows this policy and its noise source (not subclasses, which may act differently)."""
    bandit = policy.learner if type(policy) is FromBandit else policy
    if not has_plain_noise(bandit):
        return False
    if type(policy) is PrivateEXP4:
        return True
    learner = bandit.learner if type(bandit) is PrivateBatches else bandit
    return type(learner) in _LEARNERS and not (type(policy) is FromBandit and type(learner) is EXP4)


def _load() -> ModuleType:
    try:
        from banditproof.algorithms.adversarial import loops as kernels
    except ImportError as error:
        if error.name != "numba":
            raise
        raise ImportError("compiled simulation needs numba: install banditproof[fast]", name="numba") from error
    return kernels


def _parts(policy: Any) -> list[Any]:
    """The policy, and the learners inside it; the last one chooses the arms."""
    parts = [policy]
    while isinstance(parts[-1], FromBandit | PrivateBatches):
        parts.append(parts[-1].learner)
    return parts


def _loop(policy: Any, kernels: Any) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """The loop of what chooses the arms, and its arguments before the batches and the table."""
    learner = _parts(policy)[-1]
    if isinstance(learner, EXP4 | PrivateEXP4):
        loop = kernels.exp4 if isinstance(learner, EXP4) else kernels.private_exp4
        return loop, (learner.weights.rate, learner.mixing, learner.panel.advice, learner.generator)
    experts = kernels.Experts(policy.panel.advice, policy.generator) if isinstance(policy, FromBandit) else None
    if isinstance(learner, EXP3):
        return kernels.exp3, (learner.rate, learner.mixing, learner.generator, experts)
    if isinstance(learner, HTINF):
        return kernels.htinf, (learner.sigma, learner.alpha, learner.threshold, learner.generator, experts)
    return kernels.ftpl, (learner.rate, learner.cap, learner.as_printed, learner.generator, experts)


def _batches(policy: Any) -> tuple[Any, Any, np.random.Generator]:
    """The size of batches and the scale of their noise, one number or one per replication, and what draws the noise."""
    if isinstance(policy, PrivateEXP4):
        sensitivity, spent = policy.release
        scale = quotient_rounded_up(sensitivity, np.asarray(spent.epsilon))
        return policy.batch, scale, policy.noise.coins(scale)
    for part in _parts(policy):
        if isinstance(part, PrivateBatches):
            scale = quotient_rounded_up(1.0, np.asarray(part.epsilon))
            return part.batch, scale, part.noise.coins(scale)
    return 1, 0.0, np.random.default_rng(0)  # which is never drawn from
