"""Exact output laws: they are laws, they agree where definitions say they must, and runs of the policy follow them."""

import random
from collections import Counter
from fractions import Fraction as F

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import random_kernel, randomised_response_kernel, reward_lists, reward_tables
from banditproof.verify.finite.output_laws import acr_law, history_law, table_law, view_law

SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
def test_view_and_table_laws_sum_to_one(seed):
    kernel = random_kernel(seed, 3, 2 + seed % 2, smallest_weight=seed % 2)
    assert all(sum(view_law(kernel, rewards).values()) == 1 for rewards in reward_lists(kernel))
    assert all(sum(table_law(kernel, table).values()) == 1 for table in list(reward_tables(kernel))[::7])


def test_the_view_law_of_win_stay_lose_shift_is_the_one_computed_by_hand():
    kernel = randomised_response_kernel(3, 2, F(3))
    law = view_law(kernel, (1, 0, 0))
    assert law[0, 0, 0] == F(1, 2) * F(3, 4) * F(1, 4)
    assert law[0, 1, 0] == F(1, 2) * F(1, 4) * F(3, 4)


def test_a_table_with_equal_columns_is_a_reward_list():
    kernel = random_kernel(5, 3, 2)
    for rewards in reward_lists(kernel):
        assert table_law(kernel, tuple((r, r) for r in rewards)) == view_law(kernel, rewards)


@pytest.mark.parametrize("seed", SEEDS)
def test_history_probabilities_sum_to_one_and_regret_is_gaps_times_pulls(seed):
    kernel = random_kernel(seed, 3, 2)
    means = (F(2, 3), F(1, 5))
    law = history_law(kernel, tuple({1: mean, 0: 1 - mean} for mean in means))
    assert sum(law.values()) == 1
    from_rewards = 3 * max(means) - sum(p * sum(r for _, r in history) for history, p in law.items())
    pulls = [sum(p * sum(a == arm for a, _ in history) for history, p in law.items()) for arm in range(2)]
    assert from_rewards == sum((max(means) - mean) * n for mean, n in zip(means, pulls, strict=True))


def test_runs_of_the_policy_have_the_frequencies_of_the_view_law():
    kernel, rewards, runs = random_kernel(11, 3, 2), (1, 0, 1), 20_000
    generator, seen = random.Random(0), Counter()
    for _ in range(runs):
        history = ()
        for reward in rewards:
            arm = generator.choices(range(2), weights=[float(p) for p in kernel.probability(history)])[0]
            history += ((arm, reward),)
        seen[tuple(arm for arm, _ in history)] += 1
    law = view_law(kernel, rewards)
    # Hoeffding: a frequency is off by more than 0.025 with probability below 2 exp(-2 n 0.025^2) < 3e-11
    assert all(abs(seen[actions] / runs - p) < 0.025 for actions, p in law.items())


def test_inputs_of_the_wrong_length_and_unknown_sides_are_refused():
    kernel = random_kernel(0, 3, 2)
    with pytest.raises(InvalidInput, match="rewards"):
        view_law(kernel, (0, 1))
    with pytest.raises(InvalidInput, match="table"):
        table_law(kernel, ((0, 1),))
    with pytest.raises(InvalidInput, match="history"):
        view_law(kernel, (0, 7, 0))
    with pytest.raises(InvalidInput, match="side"):
        acr_law(kernel, lambda actions: (0, 1), 1, "M")
    with pytest.raises(InvalidInput, match="reward_laws"):
        history_law(kernel, ({0: F(1)},))
