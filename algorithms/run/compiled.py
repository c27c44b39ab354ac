"""Simulation of policies that decide at every pull, compiled by numba (extra `fast`).

    simulate_compiled(UCB(5, horizon=10**7), BernoulliBandit([0.75, 0.625, 0.5, 0.375, 0.25]), 10**7, generator)

does what `simulate_per_pull` does, draw for draw from the same generators. Noise-free episodic policies and the private
ones with batches need no compiler: `simulate` is faster for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from banditproof.algorithms.noise import has_plain_noise, quotient_rounded_up
from banditproof.algorithms.policy import PrivatePolicy
from banditproof.algorithms.run.simulator import SimulationResult, simulate, valid_times
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from types import ModuleType

    from banditproof.algorithms.policy import Policy


_ANY_REWARDS = (FollowTheLeader, UCB, AnytimeUCB)
_UNIT_REWARDS = (KLUCB, IMED, ThompsonSampling, DPUCB, LazyDPTS)


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
    kernels = _load()
    times = valid_times(policy, environment, horizon, record_times)
    run, parameters = _loop(policy, kernels)
    gaussian = isinstance(environment, GaussianBandit)
    if not gaussian and not isinstance(environment, BernoulliBandit):
        raise InvalidInput("environment", type(environment).__name__, "BernoulliBandit or GaussianBandit")
    if gaussian and isinstance(policy, _UNIT_REWARDS):
        raise InvalidInput("environment", type(environment).__name__, "BernoulliBandit for this policy")
    if isinstance(policy, DPUCB) and policy.horizon < horizon:
        raise InvalidInput("horizon", policy.horizon, "at least the length of the run")
    ties = TIES.index(getattr(policy, "ties", "lowest-arm"))
    bandit = kernels.Bandit(np.array(environment.means), float(environment.deviation) if gaussian else None)
    coins = getattr(policy, "generator", None)
    noise = policy.noise.coins(1 / policy.epsilon) if isinstance(policy, PrivatePolicy) else generator
    # a loop's argument has one type, so what is never drawn from is a generator as well
    draws = kernels.Draws(generator, generator if coins is None else coins, noise)
    stops = np.array([0, *times, horizon], dtype=np.int64)
    pulls = np.zeros((policy.replications, stops.size, policy.arms), dtype=np.int64)
    actions = np.zeros((policy.replications, stops.size), dtype=np.int64)
    columns = [np.broadcast_to(parameter, policy.replications) for parameter in parameters]
    for r in range(policy.replications):
        run(*(column[r] for column in columns), ties, bandit, draws, kernels.Record(stops, pulls[r], actions[r]))
    gaps = (environment.means.max() - environment.means).tolist()
    regret = [
        [fsum(n * gap for n, gap in zip(row, gaps, strict=True)) for row in run.tolist()] for run in pulls[:, 1:-1]
    ]
    return SimulationResult(times, np.array(regret), actions[:, 1:-1], pulls[:, -1])


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
    return has_plain_noise(policy) and find_spec("numba") is not None


def _load() -> ModuleType:
    """The compiled loops. Raises ImportError with the remedy where numba is missing."""
    try:
        from banditproof.algorithms.run import loops as kernels
    except ImportError as error:
        if error.name != "numba":
            raise
        raise ImportError("compiled simulation needs numba: install banditproof[fast]", name="numba") from error
    return kernels


def _loop(policy: Any, kernels: Any) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """The loop of a policy's index and what it asks for: numbers, or arrays with one per replication."""
    from banditproof.theory.laws.compiling import made

    kind = type(policy)
    if np.any(getattr(policy, "samples", 0)):
        raise InvalidInput("policy", kind.__name__, "a new one, because this one has already played")
    if not has_plain_noise(policy):
        raise InvalidInput("noise", type(policy.noise).__name__, "a NoiseSource, no subclass")
    if kind is FollowTheLeader:
        return kernels.ucb, (0.0,)
    if kind is UCB:
        return kernels.ucb, (float(policy.level),)
    if kind is AnytimeUCB:
        return kernels.anytime_ucb, ()
    if kind is KLUCB:
        return made(kernels.kl_ucb), (policy.exploration == "log f(t)",)
    if kind is IMED:
        return made(kernels.imed), ()
    if kind is ThompsonSampling:
        return kernels.thompson_sampling, ()
    if kind is DPUCB:
        scale, bonus = quotient_rounded_up(1.0, policy.node_budget), np.asarray(policy.fixed_bonus, dtype=float)
        return kernels.dp_ucb, (policy.levels, scale, bonus, log(2 / policy.delta), policy.variant == "mt15")
    if kind is LazyDPTS:
        epsilon = np.asarray(policy.epsilon, dtype=float)
        return kernels.lazy_dp_ts, (float(policy.optimism), epsilon, quotient_rounded_up(1.0, epsilon))
    known = ", ".join(one.__name__ for one in (*_ANY_REWARDS, *_UNIT_REWARDS))
    raise InvalidInput("policy", kind.__name__, f"one of {known}")
