"""Follow the leader, explore then commit, the UCBs, KL-UCB with f and Thompson sampling, against pseudo code."""

from math import log, sqrt

import numpy as np
import pytest

from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.environment import BernoulliBandit, GaussianBandit
from banditproof.algorithms.finite.index import KLUCB, UCB, AnytimeUCB, ExploreThenCommit, FollowTheLeader
from banditproof.algorithms.finite.thompson import ThompsonSampling
from banditproof.algorithms.run.simulator import simulate, simulate_per_pull
from tests.algorithms.finite.test_index import actions_of
from tests.algorithms.finite.textbook import kl, largest_mean

ARMS, HORIZON = 3, 150


def literal_index_policy(index, rewards, arms=ARMS):
    """Algorithm 2: each arm once, then the largest index(mean, pulls, t); the lowest of several."""
    sums, pulls, actions = [0.0] * arms, [0] * arms, []
    for t, reward in enumerate(rewards, start=1):
        arm = t - 1 if t <= arms else max(range(arms), key=lambda a: index(sums[a] / pulls[a], pulls[a], t))
        actions.append(arm)
        sums[arm] += reward
        pulls[arm] += 1
    return actions


def f(t):
    return 1 + t * log(t) ** 2


def kl_ucb(mean, pulls, level):
    return largest_mean(lambda q: pulls * kl(mean, q) <= level, mean)


LITERAL = [
    (lambda: FollowTheLeader(ARMS), lambda mean, n, t: mean),
    (lambda: UCB(ARMS, delta=0.05), lambda mean, n, t: mean + sqrt(2 * log(20) / n)),
    (lambda: UCB(ARMS, horizon=HORIZON), lambda mean, n, t: mean + sqrt(4 * log(HORIZON) / n)),
    (lambda: AnytimeUCB(ARMS), lambda mean, n, t: mean + sqrt(2 * log(f(t)) / n)),
    (lambda: KLUCB(ARMS), lambda mean, n, t: kl_ucb(mean, n, log(t))),
    (lambda: KLUCB(ARMS, **KLUCB.presets["thesis"]), lambda mean, n, t: kl_ucb(mean, n, log(f(t)))),
]


@pytest.mark.parametrize(("make", "index"), LITERAL)
@pytest.mark.parametrize("seed", range(5))
def test_index_policies_play_the_largest_index(make, index, seed):
    rewards = np.random.default_rng(seed).random(HORIZON)
    assert actions_of(make(), rewards) == literal_index_policy(index, rewards)


def test_explore_then_commit_pulls_each_arm_m_times_and_then_the_best_mean_for_ever():
    rewards = [0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert actions_of(ExploreThenCommit(3, 2), rewards) == [0, 0, 1, 1, 2, 2] + [1] * 6


def test_explore_then_commit_commits_once_however_long_it_runs():
    policy = ExploreThenCommit(2, 5, replications=100)
    run = simulate(policy, BernoulliBandit([0.9, 0.1]), 10**9, np.random.default_rng(0))
    assert set(run.pulls[:, 0].tolist()) <= {5, 10**9 - 5}


def test_a_batch_that_is_credited_to_another_arm_leaves_a_longest_one_to_play():
    policy = ExploreThenCommit(2, 5)
    for credited in (0, 1, 0, 0):
        _, count = policy.next_batch()
        policy.observe(1.0 * count, count, np.array([credited]))
    assert policy.batches_done.tolist() == [[3, 1]] and policy.next_batch()[1].tolist() == [LONGEST_BATCH]


def test_rewards_outside_the_unit_interval_are_not_clipped():
    rewards = [-5.0, 7.0, 3.0, 3.0]
    policy = FollowTheLeader(2)
    for reward in rewards:
        arm, count = policy.next_batch()
        policy.observe(np.array([reward]), count)
    assert policy.next_batch()[0].tolist() == [1]
    assert policy.sums.tolist() == [[-5.0, 13.0]]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "make",
    [
        lambda r, g: UCB(2, delta=0.1, replications=r),
        lambda r, g: AnytimeUCB(2, replications=r),
        lambda r, g: ExploreThenCommit(2, 7, replications=r),
        lambda r, g: ThompsonSampling(2, g, replications=r),
    ],
)
@pytest.mark.parametrize("bandit", [BernoulliBandit([0.4, 0.6]), GaussianBandit([0.4, 0.6], 0.3)])
def test_replications_moving_together_have_the_law_of_the_per_pull_loop(make, bandit):
    from scipy.stats import chi2_contingency

    if isinstance(bandit, GaussianBandit) and isinstance(make(1, np.random.default_rng(0)), ThompsonSampling):
        bandit = BernoulliBandit([0.2, 0.3])
    runs, horizon = 250, 60
    generator = np.random.default_rng(5)
    together = simulate(make(runs, generator), bandit, horizon, generator).pulls[:, 0]
    single = [simulate_per_pull(make(1, generator), bandit, horizon, generator).pulls[0, 0] for _ in range(runs)]
    edges = np.quantile(together, [0.2, 0.4, 0.6, 0.8])
    table = [np.bincount(np.searchsorted(edges, counts), minlength=5) for counts in (together, single)]
    table = np.array(table)[:, np.sum(table, axis=0) > 0]
    if table.shape[1] > 1:
        assert chi2_contingency(table).pvalue > 1e-6
    else:
        assert np.array_equal(np.sort(together), np.sort(single))


def test_thompson_sampling_starts_with_each_arm_equally_often():
    from scipy.stats import binomtest

    policy = ThompsonSampling(2, np.random.default_rng(1), replications=10_000)
    first = int((policy.next_batch()[0] == 0).sum())
    assert binomtest(first, 10_000).pvalue > 1e-6


def test_thompson_sampling_follows_its_posterior():
    """After 3 successes in 4 pulls against 1 in 2: P(Beta(4, 2) > Beta(2, 2)) = 31/42, by integration."""
    from scipy.integrate import quad
    from scipy.stats import beta, binomtest

    policy = ThompsonSampling(2, np.random.default_rng(2), replications=20_000)
    policy.sums[:], policy.samples[:] = [3, 1], [4, 2]
    wins = int((policy.next_batch()[0] == 0).sum())
    probability = quad(lambda x: beta.pdf(x, 4, 2) * beta.cdf(x, 2, 2), 0, 1)[0]
    assert binomtest(wins, 20_000, probability).pvalue > 1e-6


def test_the_sum_of_normal_rewards_has_the_variance_of_a_sum():
    from scipy.stats import kstest

    bandit = GaussianBandit([1.0, -2.0], 0.5)
    sums = bandit.sum_of_rewards(np.full(5000, 1), np.full(5000, 9), np.random.default_rng(3))
    assert kstest(sums, "norm", args=(-18.0, 1.5)).pvalue > 1e-6
