import numpy as np
import pytest

from banditproof.algorithms import AdaPUCB, NoiseSource, simulate
from banditproof.algorithms.environment import BernoulliBandit, RewardList, RewardTable
from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput


def test_the_sum_of_a_batch_has_the_binomial_law():
    from scipy.stats import binom, chisquare

    n, p, draws = 9, 0.3, 50_000
    bandit = BernoulliBandit([0.9, p])
    sums = bandit.sum_of_rewards(np.full(draws, 1), np.full(draws, n), np.random.default_rng(1))
    expected = draws * binom.pmf(np.arange(n + 1), n, p)
    observed = np.bincount(sums.astype(int), minlength=n + 1)
    few = expected < 5
    observed = np.append(observed[~few], observed[few].sum())
    assert chisquare(observed, np.append(expected[~few], expected[few].sum())).pvalue > 1e-6


def test_single_rewards_have_the_mean_of_their_arm():
    from scipy.stats import binomtest

    bandit, generator = BernoulliBandit([0.2, 0.7]), np.random.default_rng(2)
    for arm, mean in enumerate(bandit.means):
        rewards = [bandit.reward(arm, generator) for _ in range(20_000)]
        assert set(rewards) == {0.0, 1.0}
        assert binomtest(int(sum(rewards)), len(rewards), mean).pvalue > 1e-6


def test_arms_with_mean_zero_and_one_are_certain():
    bandit, generator = BernoulliBandit([0.0, 1.0]), np.random.default_rng(3)
    assert bandit.sum_of_rewards(np.array([0, 1]), np.array([1000, 1000]), generator).tolist() == [0.0, 1000.0]
    assert [bandit.reward(arm, generator) for arm in (0, 1)] == [0.0, 1.0]


def test_each_replication_hears_the_arm_and_the_count_it_asked_for():
    table = RewardTable([[0.0, 1.0], [0.5, 0.25], [0.125, 1.0]])
    sums = table.sum_of_rewards(np.array([0, 1, 0]), np.array([3, 2, 1]), time=np.array([0, 1, 2]))
    assert sums.tolist() == [0.625, 1.25, 0.125]


def test_a_reward_list_gives_the_same_reward_whatever_is_pulled():
    rewards = RewardList([0.25, 1.0, 0.5], arms=3)
    assert [rewards.reward(arm, time=1) for arm in range(3)] == [1.0, 1.0, 1.0]
    assert rewards.sum_of_rewards(np.array([2]), np.array([3])).tolist() == [1.75]


def test_the_sum_of_fixed_rewards_is_correctly_rounded():
    rewards = RewardList([0.1] * 10, arms=1)  # adding one by one gives 0.9999999999999999
    assert rewards.sum_of_rewards(np.array([0]), np.array([10])).tolist() == [1.0]


def test_rewards_past_the_end_of_a_fixed_list_are_refused():
    rewards = RewardList([0.0, 1.0], arms=2)
    with pytest.raises(InvalidInput, match="time"):
        rewards.sum_of_rewards(np.array([0]), np.array([2]), time=np.array([1]))
    with pytest.raises(InvalidInput, match="time"):
        rewards.reward(0, time=2)


def test_the_means_of_a_bandit_cannot_be_changed_from_outside():
    bandit = BernoulliBandit([0.5])
    with pytest.raises(ValueError, match="read-only"):
        bandit.means[0] = 0.9


@pytest.mark.parametrize("paid", [[float("nan")], [float("inf")], ["1"], [1j], [[1.0]], [1.0, 1.0]], ids=str)
def test_what_is_no_finite_sum_for_each_replication_is_refused(paid):
    """Sums that are nan were heard, and a policy that goes by them passed its check of regret."""

    class Paying(BernoulliBandit):
        def sum_of_rewards(self, arm, count, generator, *, time=0):
            return np.array(paid)

    generator = np.random.default_rng(0)
    policy = AdaPUCB(2, Budget.pure(1), NoiseSource(generator), beta=3.1)
    with pytest.raises(InvalidInput, match="sum_of_rewards must be an array of one finite sum for each of the 1"):
        simulate(policy, Paying([0.2, 0.7]), 10, generator)
