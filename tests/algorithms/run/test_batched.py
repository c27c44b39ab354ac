"""The compiled loop of batched index policies beside the NumPy reference: draw for draw."""

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, GeometricBatches, NoiseSource
from banditproof.algorithms.environment import GaussianBandit
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB, TIES
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.finite.index import IMED, KLUCB, UCB, AnytimeUCB, ExploreThenCommit, FollowTheLeader
from banditproof.algorithms.run import batched
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory import Budget

pytest.importorskip("numba")
PURE, R = Budget.pure(np.linspace(0.1, 2, 6)), 6
BATCHES = GeometricBatches("1.3")
POLICIES = {
    "dp-klucb": lambda g, **o: DPKLUCB(4, PURE, BATCHES, NoiseSource(g), **o),
    "dp-imed": lambda g, **o: DPIMED(4, PURE, BATCHES, NoiseSource(g), **o),
    "dp-imed, forgetting": lambda g, **o: DPIMED(4, PURE, BATCHES, NoiseSource(g), forgetting=True, **o),
    "episodic-ucb": lambda g, **o: EpisodicUCB(4, replications=R, **o),
    "adap-ucb": lambda g, **o: AdaPUCB(4, PURE, NoiseSource(g), **o),
    "adap-klucb": lambda g, **o: AdaPKLUCB(4, PURE, NoiseSource(g), **o),
    "adac-ucb": lambda g, **o: AdaCUCB(4, Budget.zcdp(np.linspace(0.1, 1, R)), NoiseSource(g), **o),
    "adar-ucb": lambda g, **o: AdaRUCB(4, Budget.rdp(2.0, 1.0), NoiseSource(g), replications=R, **o),
    "free": lambda g, **o: AdaPUCB(4, Budget.pure(np.inf), NoiseSource(), replications=R, **o),
    "kl-ucb": lambda g, **o: KLUCB(4, replications=R, **o),
    "kl-ucb, thesis": lambda g, **o: KLUCB(4, replications=R, exploration="log f(t)", **o),
    "imed": lambda g, **o: IMED(4, replications=R, **o),
    "ucb": lambda g, **o: UCB(4, horizon=3000, replications=R, **o),
    "anytime": lambda g, **o: AnytimeUCB(4, replications=R, **o),
    "leader": lambda g, **o: FollowTheLeader(4, replications=R, **o),
}


def played(name, ties, environment, compiled, seed, horizon=3000):
    rewards, coins, noise = np.random.default_rng(seed).spawn(3)
    policy = POLICIES[name](noise, ties=ties, generator=coins)
    times = np.unique(np.geomspace(1, horizon, 40).astype(int))
    result = simulate(policy, environment, horizon, rewards, times, compiled=compiled)
    return result, (rewards, coins, noise), policy


@pytest.fixture(autouse=True)
def at_any_length(monkeypatch):
    monkeypatch.setattr(batched, "WORTH_LOADING", 0)


@pytest.mark.one_in(3)  # every policy and every rule for ties
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("name", POLICIES)
def test_the_loop_makes_the_draws_and_actions_of_the_reference(name, ties):
    environment = BernoulliBandit([0.5, 0.8, 0.8, 0.1])
    (ours, after, policy), (reference, expected, _) = (
        played(name, ties, environment, compiled, seed=len(name)) for compiled in (True, False)
    )
    assert batched.has_batched_loop(policy, environment, 3000)
    assert np.array_equal(ours.actions, reference.actions)
    assert np.array_equal(ours.pulls, reference.pulls)
    assert np.array_equal(ours.regret, reference.regret)
    for own, other in zip(after, expected, strict=True):
        assert own.bit_generator.state == other.bit_generator.state


@pytest.mark.parametrize("name", ["ucb", "anytime", "leader", "adap-ucb"])
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
