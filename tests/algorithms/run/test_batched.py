"""The compiled loop of batched index policies beside the NumPy reference: draw for draw."""

import numpy as np
import pytest

from banditproof.algorithms import AdaPUCB, BernoulliBandit, GeometricBatches, NoiseSource, simulate
from banditproof.algorithms.environment import GaussianBandit
from banditproof.algorithms.finite.dp_index import DPIMED, TIES
from banditproof.algorithms.finite.index import KLUCB, ExploreThenCommit
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithms
from banditproof.algorithms.run import batched
from banditproof.theory import Budget
from banditproof.theory.privacy.budget import KINDS

pytest.importorskip("numba")
R, HORIZON = 6, 1000
BATCHES = GeometricBatches("1.3")


def registered(entry, g, **options):
    """A policy of the roster; of a private one every replication has a budget of its own."""
    kind = KINDS[entry.kinds[0]] if entry.private else None
    usual = {} if kind is None else kind.example().parameters
    budget = kind and kind.checked({**usual, kind.amount: usual[kind.amount] * np.linspace(0.1, 1, R)})
    make, given = entry.call(Setting(4, HORIZON, budget, g, R))
    return make(**{**given, **options})


LOOPED = {name: entry for name, entry in algorithms().items() if batched.has_formula(entry.made)}
POLICIES = {name: lambda g, entry=entry, **o: registered(entry, g, **o) for name, entry in LOOPED.items()} | {
    "dp-imed, forgetting": lambda g, **o: registered(LOOPED["dp-imed"], g, forgetting=True, **o),
    "free": lambda g, **o: AdaPUCB(4, Budget.pure(np.inf), NoiseSource(), replications=R, **o),
    "kl-ucb, log t": lambda g, **o: KLUCB(4, replications=R, exploration="log t", **o),
}


def test_the_roster_has_a_loop_for_most_index_policies():
    assert len(LOOPED) >= 12 and LOOPED["adap-ucb"].made is AdaPUCB


def played(name, ties, environment, compiled, seed, horizon=HORIZON):
    rewards, coins, noise = np.random.default_rng(seed).spawn(3)
    policy = POLICIES[name](noise, ties=ties, generator=coins)
    times = np.unique(np.geomspace(1, horizon, 40).astype(int))
    result = simulate(policy, environment, horizon, rewards, times, compiled=compiled)
    return result, (rewards, coins, noise), policy


@pytest.fixture(autouse=True)
def at_any_length(monkeypatch):
    monkeypatch.setattr(batched, "WORTH_LOADING", 0)


@pytest.mark.one_in(26)  # every policy and every rule for ties
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("name", POLICIES)
def test_the_loop_makes_the_draws_and_actions_of_the_reference(name, ties):
    environment = BernoulliBandit([0.5, 0.8, 0.8, 0.1])
    (ours, after, policy), (reference, expected, _) = (
        played(name, ties, environment, compiled, seed=len(name)) for compiled in (True, False)
    )
    assert batched.has_batched_loop(policy, environment, HORIZON)
    assert np.array_equal(ours.actions, reference.actions)
    assert np.array_equal(ours.pulls, reference.pulls)
    assert np.array_equal(ours.regret, reference.regret)
    for own, other in zip(after, expected, strict=True):
        assert own.bit_generator.state == other.bit_generator.state


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", [name for name, entry in LOOPED.items() if not entry.made.clipping])
def test_also_with_gaussian_rewards(name):
    environment = GaussianBandit([0.5, 0.8, 0.8, 0.1], deviation=0.5)
    ours, reference = (played(name, "lowest-arm", environment, compiled, seed=3)[0] for compiled in (True, False))
    assert np.array_equal(ours.actions, reference.actions)
    assert np.array_equal(ours.regret, reference.regret)


def test_what_a_subclass_or_another_noise_source_might_change_is_left_to_the_reference():
    class Other(DPIMED):
        pass

    class Watched(NoiseSource):
        pass

    bandit, g = BernoulliBandit([0.5, 0.4]), np.random.default_rng(0)
    assert not batched.has_batched_loop(Other(2, Budget.pure(1.0), BATCHES, NoiseSource(g)), bandit, 100)
    assert not batched.has_batched_loop(DPIMED(2, Budget.pure(1.0), BATCHES, Watched(g)), bandit, 100)
    assert not batched.has_batched_loop(ExploreThenCommit(2, 3), bandit, 100)
    assert not batched.has_batched_loop(KLUCB(2), GaussianBandit([0.5, 0.4]), 100)
