"""Simulation of policies that decide at every pull, compiled by numba (extra `fast`).

    simulate_compiled(UCB(5, horizon=10**7), BernoulliBandit([0.75, 0.625, 0.5, 0.375, 0.25]), 10**7, generator)

does what `simulate_per_pull` does, draw for draw from the same generators. Noise-free episodic policies and the private
ones with batches need no compiler: `simulate` is faster for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import fsum, log
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit, Environment, GaussianBandit
from banditproof.algorithms.finite.dp_index import TIES
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.finite.index import IMED, KLUCB, UCB, AnytimeUCB, FollowTheLeader
from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.finite.thompson import ThompsonSampling
from banditproof.algorithms.noise import quotient_rounded_up
from banditproof.algorithms.run.simulator import SimulationResult, simulate, valid_times
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from types import ModuleType

    from banditproof.algorithms.policy import Policy


_ANY_REWARDS = (FollowTheLeader, UCB, AnytimeUCB)
_UNIT_REWARDS = (KLUCB, IMED, ThompsonSampling, DPUCB, LazyDPTS)


@dataclass(frozen=True)
class _Job:
    """The arguments of a compiled loop that depend on the policy, but for a tree's budget; names as there."""

    index: str
    level: float = 0.0
    bonus: np.ndarray | float = 0.0  # one number, or one per replication
    scale: np.ndarray | float = 0.0
    tree_levels: int = 0
    anytime: bool = False


def simulate_compiled(
    policy: Policy,
    environment: BernoulliBandit | GaussianBandit,
    horizon: int,
    generator: np.random.Generator,
    record_times: Sequence[int] | np.ndarray | None = None,
) -> SimulationResult:
    """`simulate_per_pull` for every replication of a fresh `policy`, one after the other; the policy keeps its state.

    Replication r draws after replication r - 1 from the same generators, so that a single one gives the actions that
    `simulate_per_pull` gives. The policy is one of FollowTheLeader, UCB, AnytimeUCB, KLUCB, IMED, ThompsonSampling,
    DPUCB and LazyDPTS (not a subclass, which might act differently). KLUCB and IMED need rewards in [0, 1].

    Raises InvalidInput, and ImportError where numba is not installed.
    """
    kernels = load_kernels()
    from banditproof.theory.laws.compiling import made

    times = valid_times(policy, environment, horizon, record_times)
    job = _job(policy)
    gaussian = isinstance(environment, GaussianBandit)
    if not gaussian and not isinstance(environment, BernoulliBandit):
        raise InvalidInput("environment", type(environment).__name__, "BernoulliBandit or GaussianBandit")
    if gaussian and isinstance(policy, _UNIT_REWARDS):
        raise InvalidInput("environment", type(environment).__name__, "BernoulliBandit for this policy")
    if isinstance(policy, DPUCB) and policy.horizon < horizon:
        raise InvalidInput("horizon", policy.horizon, "at least the length of the run")
    ties = TIES.index(getattr(policy, "ties", "lowest-arm"))
    coins, noise = _generator(policy, "generator"), _generator(getattr(policy, "noise", None), "generator")
    pulls = np.zeros((policy.replications, times.size + 1, policy.arms), dtype=np.int64)
    actions = np.zeros((policy.replications, times.size), dtype=np.int64)
    bonus, scale = (np.broadcast_to(value, policy.replications) for value in (job.bonus, job.scale))
    run = made(kernels.loop, getattr(kernels, job.index))
    for r in range(policy.replications):
        run(
            ties, job.level, float(bonus[r]), float(scale[r]), job.tree_levels,
            job.anytime, kernels.GAUSSIAN if gaussian else kernels.BERNOULLI, np.array(environment.means),
            getattr(environment, "deviation", 0.0), int(horizon), times.astype(np.int64),
            generator, coins, noise, pulls[r], actions[r],
        )  # fmt: skip
    gaps = (environment.means.max() - environment.means).tolist()
    regret = [
        [fsum(n * gap for n, gap in zip(row, gaps, strict=True)) for row in run.tolist()] for run in pulls[:, :-1]
    ]
    return SimulationResult(times, np.array(regret), actions, pulls[:, -1])


def simulate_fastest(
    policy: Policy,
    environment: Environment,
    horizon: int,
    generator: np.random.Generator,
    record_times: Sequence[int] | np.ndarray | None = None,
) -> SimulationResult:
    """`simulate_compiled` where it knows the policy and the rewards and numba is installed, `simulate` elsewhere."""
    if isinstance(environment, BernoulliBandit | GaussianBandit) and has_loop(policy, environment):
        return simulate_compiled(policy, environment, horizon, generator, record_times)
    return simulate(policy, environment, horizon, generator, record_times)


def has_loop(policy: Policy, environment: Environment) -> bool:
    """Whether `simulate_compiled` can run this policy (not a subclass of one it knows) in this environment, here."""
    kinds = _ANY_REWARDS if type(environment) is GaussianBandit else (*_ANY_REWARDS, *_UNIT_REWARDS)
    if type(environment) not in (BernoulliBandit, GaussianBandit) or type(policy) not in kinds:
        return False
    return find_spec("numba") is not None


def load_kernels() -> ModuleType:
    """The compiled loops. Raises ImportError with the remedy where numba is missing."""
    try:
        from banditproof.algorithms.run import loops as kernels
    except ImportError as error:
        if error.name != "numba":
            raise
        raise ImportError("compiled simulation needs numba: install banditproof[fast]", name="numba") from error
    return kernels


def _job(policy: Any) -> _Job:
    kind = type(policy)
    if np.any(getattr(policy, "samples", 0)):
        raise InvalidInput("policy", kind.__name__, "fresh: it has played already")
    if kind is FollowTheLeader:
        return _Job("FIXED")
    if kind is UCB:
        return _Job("FIXED", level=policy.level)
    if kind is AnytimeUCB:
        return _Job("ANYTIME")
    if kind is KLUCB:
        return _Job("KL_UCB", anytime=policy.exploration == "log f(t)")
    if kind is IMED:
        return _Job("IMED")
    if kind is ThompsonSampling:
        return _Job("THOMPSON")
    if kind is DPUCB:
        return _Job(
            "TREE",
            level=log(2 / policy.delta),
            bonus=policy.fixed_bonus,
            scale=quotient_rounded_up(1.0, policy.node_budget),
            tree_levels=policy.levels,
            anytime=policy.variant == "mt15",
        )
    if kind is LazyDPTS:
        return _Job("LAZY", level=policy.optimism, bonus=policy.epsilon, scale=quotient_rounded_up(1.0, policy.epsilon))
    known = ", ".join(one.__name__ for one in (*_ANY_REWARDS, *_UNIT_REWARDS))
    raise InvalidInput("policy", kind.__name__, f"one of {known}")


def _generator(owner: Any, name: str) -> np.random.Generator:
    """The owner's generator, or one that is never drawn from: a kernel's argument has one type."""
    found = getattr(owner, name, None)
    return np.random.default_rng(0) if found is None else found
