"""DP-UCB against a transcript of the tree mechanism and of both indices."""

from math import log, sqrt

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource, simulate
from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.theory import Budget, InvalidInput
from tests.algorithms.finite.scripted import Scripted

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts


class LiteralTree:
    """The binary mechanism as in the pseudo code: alpha_i and alpha_hat_i by level, cleared when merged."""

    def __init__(self, levels, scale, noise):
        self.exact, self.noisy, self.scale, self.noise, self.n = [0.0] * levels, [0.0] * levels, scale, noise, 0

    def add(self, x):
        self.n += 1
        i = (self.n & -self.n).bit_length() - 1
        self.exact[i] = x + sum(self.exact[:i])
        self.exact[:i], self.noisy[:i] = [0.0] * i, [0.0] * i
        self.noisy[i] = self.exact[i] + self.scale * self.noise.pop(0)
        return sum(hat for j, hat in enumerate(self.noisy) if self.n >> j & 1)


def literal_dp_ucb(variant, arms, epsilon, horizon, delta, gamma, rewards, noise):
    levels, noise = horizon.bit_length(), list(noise)
    per_tree = epsilon / arms if variant == "mt15" else epsilon
    trees = [LiteralTree(levels, levels / per_tree, noise) for _ in range(arms)]
    private_sum, actions = [0.0] * arms, []
    for t, reward in enumerate(rewards, start=1):

        def index(a, t=t):
            n, mean = trees[a].n, private_sum[a] / trees[a].n
            if variant == "thesis":
                tree = sqrt(8) * log(horizon) ** 1.5 * log(2 / delta) / (epsilon * n)
                return mean + sqrt(2 * log(2 / delta) / n) + tree
            g = arms * log(horizon) ** 2 * log(arms * horizon * log(horizon) / gamma) / epsilon
            return mean + sqrt(2 * log(t) / n) + g / n

        arm = t - 1 if t <= arms else max(range(arms), key=index)
        private_sum[arm] = trees[arm].add(reward)
        actions.append(arm)
    return actions


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", ["thesis", "mt15"])
@pytest.mark.parametrize("epsilon", [0.5, 20.0, np.inf])
@pytest.mark.parametrize("seed", range(2))
def test_the_actions_are_those_of_the_pseudo_code(variant, epsilon, seed):
    horizon, generator = 300, np.random.default_rng(seed)
    rewards, terms = generator.random(horizon), generator.laplace(size=horizon)
    policy = DPUCB(3, Budget.pure(epsilon), Scripted(terms), horizon=horizon, variant=variant, delta=0.01, gamma=0.1)
    run = simulate(policy, RewardList(rewards, 3), horizon, None, np.arange(1, horizon + 1))
    expected = literal_dp_ucb(variant, 3, epsilon, horizon, 0.01, 0.1, rewards, terms)
    assert run.actions[0].tolist() == expected


def test_a_reward_is_in_at_most_as_many_nodes_as_there_are_levels_and_every_node_holds_its_rewards():
    horizon, noise = 64, Scripted([0.0] * 64)
    rewards = np.random.default_rng(1).integers(0, 2, horizon).astype(float)
    policy = DPUCB(1, Budget.pure(1.0), noise, horizon=horizon)
    simulate(policy, RewardList(rewards, 1), horizon, None)
    touched = np.zeros(horizon, dtype=int)
    for _, value, scale, (start, stop, arm) in noise.releases:
        assert arm == 0
        touched[start:stop] += 1
        assert value == rewards[start:stop].sum()
        assert scale == pytest.approx(policy.levels)
    assert policy.levels == 7 and touched.max() == 7


def test_delta_is_one_over_the_horizon_unless_given():
    assert DPUCB(2, Budget.pure(1.0), NoiseSource(), horizon=500).delta == 1 / 500


def test_replications_keep_their_own_budget():
    policy = DPUCB(2, Budget.pure(np.array([1.0, 2.0])), Scripted([0.0]), horizon=8)
    assert policy.node_budget.tolist() == [0.25, 0.5]
    policy.keep(np.array([1]))
    assert policy.node_budget.tolist() == [0.5]


def test_a_run_that_outlasts_the_horizon_is_refused():
    policy = DPUCB(1, Budget.pure(np.inf), NoiseSource(), horizon=3)
    with pytest.raises(InvalidInput, match="horizon"):
        simulate(policy, RewardList([1.0] * 9, 1), 9, None)
