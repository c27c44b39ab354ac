from math import log

import numpy as np
import pytest

from banditproof.algorithms import DPIMED, DPKLUCB, NoiseSource, simulate
from banditproof.algorithms.batches import PolynomialBatches
from banditproof.algorithms.environment import BernoulliBandit, RewardList
from banditproof.algorithms.finite.index import IMED, KLUCB
from banditproof.theory.privacy.budget import Budget
from tests.algorithms.finite.textbook import kl

PAIRS = [(IMED, DPIMED), (KLUCB, DPKLUCB)]


def actions_of(policy, rewards):
    run = simulate(policy, RewardList(rewards, policy.arms), len(rewards), None, np.arange(1, len(rewards) + 1))
    return run.actions[0].tolist()


def literal_imed(arms, rewards):
    sums, pulls, actions = [0.0] * arms, [0] * arms, []
    for t, reward in enumerate(rewards):
        if t < arms:
            arm = t
        else:
            best = max(s / n for s, n in zip(sums, pulls, strict=True))
            index = [n * kl(s / n, best) + log(n) for s, n in zip(sums, pulls, strict=True)]
            arm = index.index(min(index))
        actions.append(arm)
        sums[arm] += reward
        pulls[arm] += 1
    return actions


@pytest.mark.parametrize("seed", range(5))
def test_imed_plays_the_minimum_of_its_textbook_index(seed):
    rewards = np.random.default_rng(seed).random(150)
    assert actions_of(IMED(3), rewards) == literal_imed(3, rewards)


@pytest.mark.parametrize(("plain", "private"), PAIRS)
@pytest.mark.parametrize("binary", [True, False])
def test_without_noise_and_with_single_pulls_the_private_policy_is_the_plain_one(plain, private, binary):
    generator = np.random.default_rng(6)
    rewards = generator.integers(0, 2, 200).astype(float) if binary else generator.random(200)
    without_noise = private(4, Budget.pure(np.inf), PolynomialBatches(0), NoiseSource())
    assert actions_of(plain(4), rewards) == actions_of(without_noise, rewards)


@pytest.mark.parametrize(("plain", "_"), PAIRS)
def test_a_non_private_policy_finds_the_best_arm(plain, _):
    horizon = 1000
    run = simulate(plain(3, replications=50), BernoulliBandit([0.3, 0.9, 0.5]), horizon, np.random.default_rng(8))
    assert np.median(run.pulls[:, 1]) > 0.9 * horizon


def test_a_non_private_policy_draws_no_noise():
    class Forbidden(NoiseSource):
        def release(self, distribution, value, scale, **declared):
            assert not scale.any()
            return super().release(distribution, value, scale, **declared)

    assert len(actions_of(IMED(2, noise=Forbidden()), np.ones(20))) == 20
