"""A policy given by a table of laws plays these laws, and refuses what is none."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, HistoryPolicy, simulate
from banditproof.algorithms.environment import RewardList
from banditproof.theory.errors import InvalidInput


def test_it_draws_each_arm_as_often_as_its_row_says():
    row = (Fraction(1, 5), Fraction(0), Fraction(4, 5))
    policy = HistoryPolicy(3, lambda history: row, np.random.default_rng(1), replications=20_000)
    result = simulate(policy, BernoulliBandit([0.5, 0.5, 0.5]), 1, np.random.default_rng(2))
    counts = result.pulls.sum(axis=0)
    assert counts[1] == 0 and abs(counts[0] / 20_000 - 0.2) < 5 * (0.16 / 20_000) ** 0.5


def test_it_hears_arms_and_rewards_in_order():
    seen = []

    def probability(history):
        seen.append(history)
        return (1, 0) if len(history) % 2 else (0, 1)

    policy = HistoryPolicy(2, probability, np.random.default_rng(1))
    simulate(policy, RewardList([1.0, 0.0, 1.0], 2), 3, None)
    assert seen == [(), ((1, 1),), ((1, 1), (0, 0))]


@pytest.mark.parametrize("row", [(0.5, 0.6), (1.5, -0.5), (1,)])
def test_a_row_that_is_no_law_is_refused(row):
    policy = HistoryPolicy(2, lambda history: row, np.random.default_rng(1))
    with pytest.raises(InvalidInput, match="^probability must be 2 probabilities that sum to 1"):
        policy.next_batch()


def test_a_reward_between_whole_numbers_is_refused():
    policy = HistoryPolicy(2, lambda history: (1, 0), np.random.default_rng(1))
    with pytest.raises(InvalidInput, match="^reward must be a whole number"):
        simulate(policy, RewardList([0.5, 0.5], 2), 2, None)
