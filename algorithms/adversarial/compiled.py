"""Playing against losses fixed beforehand, compiled by numba (extra `fast`): `play` draw for draw, much faster."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF
from banditproof.algorithms.adversarial.losses import LossTable, Played, play, regret_of, valid_game
from banditproof.algorithms.noise import NoiseSource, quotient_rounded_up
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from types import ModuleType

    from banditproof.algorithms.policy import Policy

_LEARNERS = (EXP3, HTINF, FTPL, EXP4)


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
        raise InvalidInput("policy", type(policy).__name__, "one that the compiled loops know")
    lost = np.zeros((policy.replications, times.size))
    if isinstance(policy, PrivateEXP4):
        if policy.clock:
            raise InvalidInput("policy", "PrivateEXP4", "fresh: it has played already")
        sensitivity, spent = policy.release
        scale = np.broadcast_to(quotient_rounded_up(sensitivity, np.asarray(spent.epsilon)), policy.replications)
        for r in range(policy.replications):
            kernels.run_batched_exp4(
                policy.weights.rate, policy.mixing, policy.batch, float(scale[r]), losses.cumulated,
                policy.panel.advice, times, policy.generator, policy.noise.generator, lost[r],
            )  # fmt: skip
        return regret_of(lost, losses, times, panel)
    bandit = policy.learner if isinstance(policy, FromBandit) else policy
    private = bandit if isinstance(bandit, PrivateBatches) else None
    learner: Any = bandit if private is None else private.learner
    _fresh(learner)
    advice = getattr(policy, "panel", None) or getattr(learner, "panel", None)
    batch = np.ones(policy.replications, dtype=np.int64) if private is None else private.batch
    scale = 0.0 if private is None else quotient_rounded_up(1.0, np.asarray(private.epsilon))
    scales = np.broadcast_to(scale, policy.replications)
    for r in range(policy.replications):
        kernels.run(
            getattr(kernels, type(learner).__name__), *_parameters(learner), int(batch[r]), float(scales[r]),
            losses.cumulated, np.zeros((1, 1, losses.arms)) if advice is None else advice.advice,
            isinstance(policy, FromBandit), times, learner.generator, getattr(policy, "generator", learner.generator),
            learner.generator if private is None else private.noise.generator, lost[r],
        )  # fmt: skip
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
    if type(getattr(bandit, "noise", None)) not in (NoneType, NoiseSource):
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


def _parameters(learner: Any) -> tuple[float, float, float, float, int, bool]:
    """rate, mixing, alpha, threshold, cap, as_printed of `loops.run`."""
    if isinstance(learner, HTINF):
        return learner.sigma, 0.0, learner.alpha, learner.threshold, 1, False
    if isinstance(learner, FTPL):
        return learner.rate, 0.0, 2.0, 0.0, learner.cap, learner.as_printed
    rate = learner.weights.rate if isinstance(learner, EXP4) else learner.rate
    return rate, learner.mixing, 2.0, 0.0, 1, False


def _fresh(learner: Any) -> None:
    weights = learner.weights.log_weights if isinstance(learner, EXP4) else None
    state = getattr(learner, "log_weights", getattr(learner, "estimates", weights))
    if np.any(state):
        raise InvalidInput("policy", type(learner).__name__, "fresh: it has played already")
