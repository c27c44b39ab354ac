from math import floor, log, sqrt

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource, simulate
from banditproof.algorithms.environment import BernoulliBandit, RewardTable
from banditproof.algorithms.finite.successive_elimination import DPSE, SuccessiveElimination
from banditproof.theory import Budget
from tests.algorithms.finite.scripted import Scripted


def literal_dp_se(arms, epsilon, beta, rewards, noise):
    """The pseudo code on a table of rewards; the actions."""
    active, epoch, actions, noise = list(range(arms)), 0, [], list(noise)
    horizon = len(rewards)
    while len(active) > 1 and len(actions) < horizon:
        epoch += 1
        gap, size = 2.0**-epoch, len(active)
        upper, lower = log(8 * size * epoch**2 / beta), log(4 * size * epoch**2 / beta)
        pulls = floor(max(32 * upper / gap**2, 8 * lower / (epsilon * gap))) + 1
        slack = 2 * sqrt(upper / (2 * pulls)) + 2 * lower / (pulls * epsilon)
        means = {}
        for arm in active:
            start = len(actions)
            heard = rewards[start : start + pulls, arm]
            actions += [arm] * len(heard)
            if len(heard) == pulls:
                means[arm] = (heard.sum() + noise.pop(0) / epsilon) / pulls
        if len(means) == size:
            best = max(means.values())
            active = [arm for arm in active if best - means[arm] <= slack]
    return actions + active[:1] * (horizon - len(actions))


@pytest.mark.parametrize("epsilon", [0.05, 1.0, np.inf])
@pytest.mark.parametrize("seed", range(2))
def test_the_actions_are_those_of_the_pseudo_code(epsilon, seed):
    generator = np.random.default_rng([seed, 3])
    horizon = 40_000
    rewards = (generator.random((horizon, 3)) < [0.1, 0.9, 0.5]).astype(float)
    terms = generator.laplace(size=50)
    policy = DPSE(3, Budget.pure(epsilon), Scripted(terms), beta=0.1)
    run = simulate(policy, RewardTable(rewards), horizon, None, np.arange(1, horizon + 1))
    assert run.actions[0].tolist() == literal_dp_se(3, epsilon, 0.1, rewards, terms)


def test_every_reward_is_released_once_with_the_whole_budget():
    noise = Scripted([0.0] * 100)
    simulate(
        DPSE(3, Budget.pure(0.5), noise, beta=0.1), BernoulliBandit([0.1, 0.9, 0.5]), 10**6, np.random.default_rng(0)
    )
    assert {release.scale for release in noise.releases} == {2.0}
    spans = [release.records for release in noise.releases]
    assert [start for start, _ in spans[1:]] == [stop for _, stop in spans[:-1]]


def test_the_best_arm_survives_with_high_probability():
    from scipy.stats import binomtest

    runs, beta = 2000, 0.2
    policy = SuccessiveElimination(3, beta=beta, replications=runs)
    run = simulate(policy, BernoulliBandit([0.3, 0.6, 0.55]), 10**7, np.random.default_rng(1), [10**7])
    lost = int((run.actions[:, 0] != 1).sum())
    assert binomtest(lost, runs, beta, alternative="greater").pvalue > 1e-6


def test_replications_with_different_budgets_do_what_each_does_alone():
    epsilon = np.array([0.1, 1.0])
    rewards = (np.random.default_rng(2).random((20_000, 2)) < [0.2, 0.8]).astype(float)
    times = np.arange(1, 20_001)

    def actions(values):
        return simulate(
            DPSE(2, Budget.pure(values), Quiet(), horizon=20_000), RewardTable(rewards), 20_000, None, times
        ).actions

    class Quiet(NoiseSource):
        def draw(self, distribution, scale, shape):
            return np.zeros(shape)

    together = actions(epsilon)
    for row, value in zip(together, epsilon, strict=True):
        assert np.array_equal(row, actions(float(value))[0])
