"""The compiled loops against the per-pull reference: the same actions, regret and generator state, draw for draw."""

import sys

import numpy as np
import pytest

from banditproof.algorithms import DPIMED, NoiseSource, simulate_per_pull
from banditproof.algorithms.environment import BernoulliBandit, GaussianBandit, RewardList
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.finite.index import IMED, KLUCB, UCB, AnytimeUCB, FollowTheLeader
from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.finite.thompson import ThompsonSampling
from banditproof.algorithms.run.compiled import has_loop, simulate_compiled
from banditproof.theory import Budget, InvalidInput

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts

T = 600


def dp_ucb(variant, epsilon):
    return lambda g: DPUCB(3, Budget.pure(epsilon), NoiseSource(g), horizon=T, variant=variant)


POLICIES = {
    "follow the leader": lambda g: FollowTheLeader(3),
    "UCB": lambda g: UCB(3, horizon=T),
    "UCB, random ties": lambda g: UCB(3, delta=0.1, ties="random", generator=g),
    "anytime UCB": lambda g: AnytimeUCB(3),
    "anytime UCB, least pulled": lambda g: AnytimeUCB(3, ties="least-pulled"),
    "KL-UCB": lambda g: KLUCB(3),
    "KL-UCB with f": lambda g: KLUCB(3, exploration="log f(t)", ties="most-pulled"),
    "IMED": lambda g: IMED(3),
    "IMED, random ties": lambda g: IMED(3, ties="random", generator=g),
    "Thompson sampling": lambda g: ThompsonSampling(3, g),
    "DP-UCB": dp_ucb("thesis", 1.0),
    "DP-UCB, MT15": dp_ucb("mt15", 5.0),
    "DP-UCB without noise": dp_ucb("thesis", np.inf),
    "DP-UCB, MT15 without noise": dp_ucb("mt15", np.inf),  # there the rise of the logarithm often decides
    "Lazy-DP-TS": lambda g: LazyDPTS(3, Budget.pure(0.7), NoiseSource(g), g),
    "Lazy-DP-TS, little noise": lambda g: LazyDPTS(3, Budget.pure(50.0), NoiseSource(g), g, optimism=0.5),
    "Lazy-DP-TS without noise": lambda g: LazyDPTS(3, Budget.pure(np.inf), NoiseSource(), g),
}
BANDITS = [[0.3, 0.5, 0.4], [0.9, 0.1, 0.95], [0.0, 1.0, 0.5], [0.5, 0.5, 0.5]]


@pytest.mark.one_in(40)  # every policy and every bandit
@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("seed", range(len(BANDITS)))
def test_the_compiled_run_is_the_reference_draw_for_draw(name, seed):
    bandit, times = BernoulliBandit(BANDITS[seed]), np.arange(1, T + 1)
    one, other = np.random.default_rng([seed, 7]), np.random.default_rng([seed, 7])
    reference = simulate_per_pull(POLICIES[name](one), bandit, T, one, times)
    compiled = simulate_compiled(POLICIES[name](other), bandit, T, other, times)
    assert np.array_equal(reference.actions, compiled.actions)
    assert np.array_equal(reference.regret, compiled.regret)
    assert np.array_equal(reference.pulls, compiled.pulls)
    assert one.random() == other.random()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("make", [POLICIES["UCB"], POLICIES["anytime UCB"], POLICIES["follow the leader"]])
def test_normal_rewards_are_drawn_like_the_reference_draws_them(make):
    bandit, times = GaussianBandit([0.0, 0.3, -1.0], 0.7), np.arange(1, T + 1)
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    reference = simulate_per_pull(make(one), bandit, T, one, times)
    assert np.array_equal(reference.actions, simulate_compiled(make(other), bandit, T, other, times).actions)


def test_replications_are_the_reference_run_again_and_again():
    bandit, seeds = BernoulliBandit([0.4, 0.6]), (np.random.default_rng(4), np.random.default_rng(4))
    together = simulate_compiled(ThompsonSampling(2, seeds[0], replications=3), bandit, 50, seeds[0], [10, 50])
    for r in range(3):
        single = simulate_per_pull(ThompsonSampling(2, seeds[1]), bandit, 50, seeds[1], [10, 50])
        assert np.array_equal(single.regret[0], together.regret[r])
        assert np.array_equal(single.pulls[0], together.pulls[r])


def test_replications_of_dp_ucb_have_their_own_budgets():
    bandit, generator = BernoulliBandit([0.2, 0.8]), np.random.default_rng(5)
    policy = DPUCB(2, Budget.pure(np.array([1e6, 1e-3])), NoiseSource(generator), horizon=2000)
    good, bad = simulate_compiled(policy, bandit, 2000, generator).pulls[:, 1]
    assert good > 1800 > 1500 > bad


def test_record_times_change_nothing_else():
    bandit = BernoulliBandit([0.4, 0.6, 0.5])
    few, many = (
        simulate_compiled(UCB(3, delta=0.1), bandit, 500, np.random.default_rng(6), times)
        for times in ([3, 500], np.arange(1, 501))
    )
    assert np.array_equal(few.regret, many.regret[:, [2, 499]])
    assert np.array_equal(few.pulls, many.pulls)


def test_without_numba_the_error_names_the_remedy(monkeypatch):
    monkeypatch.delitem(sys.modules, "banditproof.algorithms.run.loops", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    import banditproof.algorithms.run as room

    monkeypatch.delattr(room, "loops", raising=False)
    with pytest.raises(ImportError, match=r"banditproof\[fast\]"):
        simulate_compiled(UCB(2, delta=0.1), BernoulliBandit([0.1, 0.2]), 10, np.random.default_rng(0))


def test_importing_the_front_does_not_import_numba():
    import subprocess

    code = "import sys, banditproof.algorithms.run.compiled; assert 'numba' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class OtherUCB(UCB):
    """Might act differently."""


class OtherNoise(NoiseSource):
    """Might act differently."""


def played_before():
    policy = UCB(2, delta=0.1)
    policy.next_batch()
    policy.observe(np.array([1.0]), np.array([1]))
    return policy


def test_another_noise_source_is_played_by_the_reference():
    bandit, budget = BernoulliBandit([0.1, 0.2]), Budget.pure(1.0)
    ours, other = (DPUCB(2, budget, noise(), horizon=10) for noise in (NoiseSource, OtherNoise))
    assert has_loop(ours, bandit) and not has_loop(other, bandit)


@pytest.mark.parametrize(
    ("parameter", "policy", "bandit", "horizon"),
    [
        ("policy", OtherUCB(2, delta=0.1), BernoulliBandit([0.1, 0.2]), 10),
        ("policy", DPIMED, BernoulliBandit([0.1, 0.2]), 10),
        ("policy", played_before(), BernoulliBandit([0.1, 0.2]), 10),
        ("environment", KLUCB(2), GaussianBandit([0.1, 0.2]), 10),
        ("environment", UCB(2, delta=0.1), RewardList([1.0] * 10, 2), 10),
        ("arms", UCB(3, delta=0.1), BernoulliBandit([0.1, 0.2]), 10),
        ("horizon", UCB(2, delta=0.1), BernoulliBandit([0.1, 0.2]), 0),
        ("horizon", DPUCB(2, Budget.pure(1.0), NoiseSource(), horizon=5), BernoulliBandit([0.1, 0.2]), 10),
        ("generator", DPUCB(2, Budget.pure(1.0), NoiseSource(), horizon=10), BernoulliBandit([0.1, 0.2]), 10),
        ("noise", DPUCB(2, Budget.pure(1.0), OtherNoise(), horizon=10), BernoulliBandit([0.1, 0.2]), 10),
    ],
)
def test_bad_input_is_named(parameter, policy, bandit, horizon):
    if isinstance(policy, type):
        from banditproof.algorithms.batches import GeometricBatches

        policy = policy(2, Budget.pure(1.0), GeometricBatches(2), NoiseSource())
    with pytest.raises(InvalidInput, match=parameter):
        simulate_compiled(policy, bandit, horizon, np.random.default_rng(0))
