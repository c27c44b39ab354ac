import platform
import subprocess
import sys
from itertools import product
from math import prod

import numpy as np
import pytest

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import BernoulliBandit, RewardList, RewardTable
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB
from banditproof.algorithms.finite.index import IMED, KLUCB
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy, Replicated
from banditproof.algorithms.run.simulator import simulate, simulate_per_pull
from banditproof.theory import Budget, InvalidInput
from tests.cases import texts

TEXTS = texts(__file__)


class Scripted(Policy):
    """Replication r plays arms 0, 1, ..., K-1, 0, ... in batches of lengths[r] pulls and notes what it hears."""

    per_replication = ("lengths", "played", "heard")

    def __init__(self, arms, lengths):
        super().__init__(arms, len(lengths))
        self.lengths = np.array(lengths)
        self.played = np.zeros(len(lengths), dtype=int)
        self.heard = np.zeros(len(lengths))

    def next_batch(self):
        return self.played % self.arms, self.lengths

    def observe(self, total, count, arm=None):
        self.played = self.played + 1
        self.heard = self.heard + total


def private(kind, replications=1, seed=0, epsilon=0.5):
    generator = np.random.default_rng(seed)
    return kind(3, Budget.pure(epsilon), GeometricBatches("1.5"), NoiseSource(generator), replications=replications,
                ties="random", generator=generator)  # fmt: skip


def test_each_replication_runs_on_its_own_clock():
    run = simulate(Scripted(2, [1, 2, 5]), RewardList([1.0] * 7, 2), 7, None, np.arange(1, 8))
    assert run.actions.tolist() == [[0, 1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 0, 0, 1], [0, 0, 0, 0, 0, 1, 1]]
    assert run.pulls.tolist() == [[4, 3], [4, 3], [5, 2]]


def test_progress_is_that_of_the_slowest_replication():
    seen = []
    table, generator = RewardTable(np.zeros((10, 2))), np.random.default_rng(0)
    simulate(Scripted(2, [3, 5]), table, 10, generator, progress=lambda *at: seen.append(at))
    assert seen == [(3, 10), (6, 10), (9, 10), (10, 10)]


def test_the_regret_inside_a_batch_is_known_exactly():
    run = simulate(Scripted(2, [4]), BernoulliBandit([0.5, 0.25]), 12, np.random.default_rng(1), [3, 4, 6, 8, 9, 12])
    assert run.regret.tolist() == [[0.0, 0.0, 0.5, 1.0, 1.0, 1.0]]


@pytest.mark.parametrize("kind", [DPIMED, DPKLUCB])
def test_the_regret_is_the_sum_of_gaps_times_pulls(kind):
    means, horizon = np.array([0.2, 0.9, 0.6]), 400
    run = simulate(
        private(kind, 30), BernoulliBandit(means), horizon, np.random.default_rng(2), np.arange(1, horizon + 1)
    )
    gaps = 0.9 - means
    np.testing.assert_allclose(run.regret, gaps[run.actions].cumsum(axis=1), rtol=1e-12)  # 400 roundings
    np.testing.assert_allclose(run.regret[:, -1], run.pulls @ gaps, rtol=1e-12)
    assert all(np.array_equal(np.bincount(row, minlength=3), n) for row, n in zip(run.actions, run.pulls, strict=True))


def test_record_times_do_not_change_what_happens():
    def run(times):
        return simulate(private(DPIMED, 20), BernoulliBandit([0.2, 0.9, 0.6]), 500, np.random.default_rng(3), times)

    some, all_times = run([1, 17, 499]), run(np.arange(1, 501))
    assert np.array_equal(some.regret, all_times.regret[:, [0, 16, 498]])
    assert np.array_equal(some.actions, all_times.actions[:, [0, 16, 498]])
    assert np.array_equal(some.pulls, all_times.pulls)


def test_by_default_the_horizon_alone_is_recorded():
    run = simulate(Scripted(2, [3]), BernoulliBandit([0.5, 0.5]), 10, np.random.default_rng(4))
    assert run.record_times.tolist() == [10]
    assert run.regret.shape == run.actions.shape == (1, 1)


def test_the_last_batch_is_cut_at_the_horizon_and_heard():
    policy = Scripted(2, [4])
    run = simulate(policy, RewardList([1.0] * 6, 2), 6, None)
    assert run.pulls.tolist() == [[4, 2]]
    assert policy.heard.tolist() == [6.0]


def test_overshooting_changes_nothing_up_to_the_horizon():
    def run(overshoot):
        return simulate(
            Scripted(2, [7, 3, 4]), RewardList([1.0] * 20, 2), 10, None, np.arange(1, 11), overshoot=overshoot
        )

    cut, full = run(False), run(True)
    assert np.array_equal(cut.actions, full.actions)
    assert cut.pulls.sum(axis=1).tolist() == [10, 10, 10]
    assert full.pulls.sum(axis=1).tolist() == [14, 12, 12]


def test_a_horizon_inside_the_first_batches_ends_the_run_there():
    policy = DPIMED(3, Budget.pure(np.inf), GeometricBatches(2, 10), NoiseSource())
    run = simulate(policy, RewardList([1.0] * 15, 3), 15, None)
    assert run.pulls.tolist() == [[10, 5, 0]]


def test_an_environment_without_means_has_actions_but_no_regret():
    run = simulate(Scripted(2, [2]), RewardTable([[0, 1], [0, 1], [1, 0], [1, 0]]), 4, None, [1, 2, 3, 4])
    assert np.isnan(run.regret).all()
    assert run.actions.tolist() == [[0, 0, 1, 1]]


@pytest.mark.parametrize("kind", [DPIMED, DPKLUCB])
@pytest.mark.parametrize("seed", range(5))
def test_batch_by_batch_and_pull_by_pull_act_identically_on_fixed_rewards_and_noise(kind, seed):
    horizon = 300
    table = RewardTable(np.random.default_rng(seed).random((horizon, 3)))
    times = np.arange(1, horizon + 1)
    batchwise = simulate(private(kind, seed=seed), table, horizon, None, times)
    per_pull = simulate_per_pull(private(kind, seed=seed), table, horizon, None, times)
    assert np.array_equal(batchwise.actions, per_pull.actions)
    assert np.array_equal(batchwise.pulls, per_pull.pulls)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", [DPIMED, DPKLUCB])
def test_batch_by_batch_and_pull_by_pull_agree_in_distribution(kind, every_point):
    from scipy.stats import ks_2samp

    bandit, horizon, times = BernoulliBandit([0.4, 0.7, 0.2]), 150, [20, 60, 150]
    runs = 400 if every_point else 150
    per_pull = np.concatenate([
        simulate_per_pull(private(kind, seed=[1, r]), bandit, horizon, np.random.default_rng([2, r]), times).regret
        for r in range(runs)
    ])  # fmt: skip
    batchwise = simulate(private(kind, 10 * runs, seed=3), bandit, horizon, np.random.default_rng(4), times).regret
    tenths, of_batches = np.rint(10 * per_pull), np.rint(10 * batchwise)  # gaps are .3 and .5: roundings are no atoms
    for column in range(len(times)):  # error probability 1e-6 each
        assert ks_2samp(tenths[:, column], of_batches[:, column], method="asymp").pvalue > 1e-6


@pytest.mark.parametrize("kind", [IMED, KLUCB])
def test_the_law_of_the_actions_is_the_product_of_kernels_and_reward_probabilities(kind):
    from scipy.stats import chisquare

    means, horizon, runs = (0.3, 0.6), 6, 50_000
    times = np.arange(1, horizon + 1)
    law = {}
    for rewards in product((0.0, 1.0), repeat=horizon):  # without noise the actions are a function of the rewards
        actions = simulate(kind(2), RewardList(rewards, 2), horizon, None, times).actions[0]
        probability = prod(means[a] if r else 1 - means[a] for a, r in zip(actions, rewards, strict=True))
        law[tuple(actions)] = law.get(tuple(actions), 0.0) + probability
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-12)
    run = simulate(kind(2, replications=runs), BernoulliBandit(means), horizon, np.random.default_rng(9), times)
    paths, counts = np.unique(run.actions, axis=0, return_counts=True)
    seen = dict(zip(map(tuple, paths), counts, strict=True))
    assert seen.keys() <= law.keys()
    assert chisquare([seen.get(path, 0) for path in law], [runs * p for p in law.values()]).pvalue > 1e-6


@pytest.mark.parametrize("run", [simulate, simulate_per_pull])
@pytest.mark.parametrize(
    ("parameter", "horizon", "times"),
    [
        *(("horizon", horizon, None) for horizon in (0, 2.5)),
        *(("record_times", 10, times) for times in ([], [0], [11], [3, 3], [4, 2], [1.5], 5)),
    ],
)
def test_bad_times_are_named(run, parameter, horizon, times):
    with pytest.raises(InvalidInput, match=parameter):
        run(Scripted(2, [1]), BernoulliBandit([0.5, 0.5]), horizon, np.random.default_rng(0), times)


def test_a_policy_for_another_number_of_arms_is_refused():
    with pytest.raises(InvalidInput, match="arms"):
        simulate(Scripted(3, [1]), BernoulliBandit([0.5, 0.5]), 10, np.random.default_rng(0))


def test_pulling_one_reward_at_a_time_is_for_one_replication():
    with pytest.raises(InvalidInput, match="replications"):
        simulate_per_pull(Scripted(2, [1, 1]), BernoulliBandit([0.5, 0.5]), 10, np.random.default_rng(0))


@pytest.mark.parametrize("run", [simulate, simulate_per_pull])
@pytest.mark.parametrize(("parameter", "arm", "count"), [("count", 0, 0), ("arm", -1, 1), ("arm", 2, 1)])
def test_an_empty_batch_or_no_arm_is_refused_instead_of_running_forever(run, parameter, arm, count):
    policy = Scripted(2, [1])
    policy.next_batch = lambda: (np.array([arm]), np.array([count]))
    with pytest.raises(InvalidInput, match=parameter):
        run(policy, BernoulliBandit([0.5, 0.5]), 10, np.random.default_rng(0))


MANY_ARMS = "\n" + TEXTS["many arms"]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator")
def test_what_a_step_frees_is_not_faulted_in_again_by_the_next():
    told = subprocess.run([sys.executable, "-c", MANY_ARMS], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 2000  # 200 steps over arrays of 80 pages each


def test_policies_of_one_replication_side_by_side_play_as_they_do_alone():
    rewards, times = RewardList([1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0], 2), np.arange(1, 8)
    together = simulate(Replicated([Scripted(2, [length]) for length in (1, 2, 5)]), rewards, 7, None, times)
    assert (together.actions == simulate(Scripted(2, [1, 2, 5]), rewards, 7, None, times).actions).all()
    assert not hasattr(Replicated([Scripted(2, [1])]), "stopped")


@pytest.mark.parametrize("policies", [[], [Scripted(2, [1, 2])], [Scripted(2, [1])] * 2])
def test_only_different_policies_of_one_replication_are_put_side_by_side(policies):
    with pytest.raises(InvalidInput, match="policies must be"):
        Replicated(policies)
