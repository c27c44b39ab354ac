"""Algorithm 7 and its private instances, against the worked example and a transcript of the pseudo code."""

from math import log, sqrt

import numpy as np
import pytest

from banditproof.algorithms import DoublingBatches, NoiseSource, simulate, simulate_per_pull
from banditproof.algorithms.environment import BernoulliBandit, RewardList
from banditproof.algorithms.finite.episodic import (
    AdaCUCB,
    AdaPKLUCB,
    AdaPUCB,
    AdaRUCB,
    EpisodicUCB,
    leading_kl_ucb_indices,
    printed_multiplier,
)
from banditproof.theory import Budget, kl_ucb_index
from tests.algorithms.finite.scripted import Scripted
from tests.algorithms.finite.textbook import kl, largest_mean

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts


def bisected_kl_ucb(mean, level):
    return largest_mean(lambda q: kl(mean, q) <= level, mean)


def literal_algorithm_7(arms, index, scale, rewards, noise):
    """The pseudo code: index(mean of the last episode, its length, t); episodes double the count; actions."""
    rewards, noise, actions = list(rewards), list(noise), []
    mean, length, count = [0.0] * arms, [1] * arms, [0] * arms

    def play(arm, steps):
        heard = rewards[len(actions) : len(actions) + steps]
        actions.extend([arm] * len(heard))
        count[arm] += len(heard)
        if len(heard) == steps:
            mean[arm], length[arm] = (sum(heard) + scale * noise.pop(0)) / steps, steps

    for arm in range(arms):
        play(arm, 1)
    while len(actions) < len(rewards):
        t = len(actions) + 1
        arm = max(range(arms), key=lambda a: index(mean[a], length[a], t))
        play(arm, count[arm])
    return actions


BETA, EPSILON, B = 3.1, 0.7, 0.8  # B: variance of the Gaussian noise on a sum
PRIVATE = [
    (AdaPUCB, Budget.pure(EPSILON), 1 / EPSILON,
     lambda m, n, t: m + sqrt(BETA * log(t) / (2 * n)) + BETA * log(t) / (EPSILON * n)),
    (AdaPKLUCB, Budget.pure(EPSILON), 1 / EPSILON,
     lambda m, n, t: bisected_kl_ucb(min(max(0, m + BETA * log(t) / (EPSILON * n)), 1), BETA * log(t) / n)),
    (AdaCUCB, Budget.zcdp(1 / (2 * B)), sqrt(B),
     lambda m, n, t: m + sqrt((1 / (2 * n) + 2 * B / n**2) * BETA * log(t))),
    (AdaRUCB, Budget.rdp(2, 2 / (2 * B)), sqrt(B),
     lambda m, n, t: m + sqrt((1 / (2 * n) + 2 * B / n**2) * BETA * log(t))),
    (EpisodicUCB, Budget.pure(np.inf), 0.0, lambda m, n, t: m + sqrt(BETA * log(t) / (2 * n))),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "budget", "scale", "index"), PRIVATE)
@pytest.mark.parametrize("seed", range(4))
def test_the_actions_are_those_of_algorithm_7(kind, budget, scale, index, seed):
    arms, horizon = 3, 300
    generator = np.random.default_rng(seed)
    rewards, terms = generator.random(horizon), generator.normal(size=horizon)
    run = simulate(kind(arms, budget, Scripted(terms), beta=BETA), RewardList(rewards, arms), horizon, None,
                   np.arange(1, horizon + 1))  # fmt: skip
    assert run.actions[0].tolist() == literal_algorithm_7(arms, index, scale, rewards, terms)


def test_the_worked_example_with_two_arms():
    """Example 5.1: t = 3 arm 1, t = 4, 5 arm 1, t = 6 arm 2, and from t = 7 four pulls of arm 1."""
    rewards = [1, 0, 1, 0, 0, 0, 1, 1, 1, 1]
    noise = Scripted([0.0] * 10)
    policy = EpisodicUCB(2, noise=noise)
    arms, spans = [], []
    time = 0
    for arm in (0, 1, 0, 0, 1, 0):  # what the example plays
        policy.next_batch()
        count = np.array([policy._size(policy.batches_done[:, arm])[0]])
        policy.observe(np.array([float(sum(rewards[time : time + count[0]]))]), count, np.array([arm]))
        arms += [arm] * int(count[0])
        spans.append(noise.releases[-1].records)
        time += int(count[0])
    assert arms == [0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    assert spans == [(0, 1), (1, 2), (2, 3), (3, 5), (5, 6), (6, 10)]
    assert policy.samples.tolist() == [[4, 1]]


def test_episodes_double_and_every_reward_is_released_once():
    noise = Scripted(np.random.default_rng(1).normal(size=200))
    policy = AdaPUCB(3, Budget.pure(1.0), noise)
    rewards = np.random.default_rng(2).random(1000)
    run = simulate(policy, RewardList(rewards, 3), 1000, None, np.arange(1, 1001))
    spans = [release.records for release in noise.releases]
    assert [start for start, _ in spans[1:]] == [stop for _, stop in spans[:-1]]
    lengths = {arm: [stop - start for start, stop in spans if run.actions[0, start] == arm] for arm in range(3)}
    for arm, episodes in lengths.items():
        if run.actions[0, -1] == arm:
            episodes.pop()  # cut at the horizon
        assert episodes == [DoublingBatches().size(m) for m in range(len(episodes))]


@pytest.mark.parametrize(
    ("kind", "budget", "noise", "scale"),
    [
        (AdaPUCB, Budget.pure(0.5), "laplace", 2.0),
        (AdaPKLUCB, Budget.pure(0.25), "laplace", 4.0),
        (AdaCUCB, Budget.zcdp(0.125), "normal", 2.0),
        (AdaRUCB, Budget.rdp(8.0, 1.0), "normal", 2.0),
    ],
)
def test_the_sum_of_an_episode_gets_the_noise_of_the_budget(kind, budget, noise, scale):
    source = Scripted([0.0] * 20)
    simulate(kind(2, budget, source), RewardList([1.0] * 50, 2), 50, None)
    assert {(release.distribution, release.scale) for release in source.releases} == {(noise, scale)}


def test_the_printed_gaussian_multiplier_enters_noise_and_index():
    source, multiplier = Scripted([0.0] * 20), printed_multiplier(0.5, 1e-5)
    policy = AdaCUCB(2, Budget.approximate(0.5, 1e-5), source, multiplier=multiplier)
    simulate(policy, RewardList([1.0] * 20, 2), 20, None)
    assert source.releases[0].scale == pytest.approx(sqrt(2 * log(1.25e5)) / 0.5, rel=1e-12)
    n, level = np.array([[4.0]]), np.array([[2.0]])
    b = 2 * log(1.25e5) / 0.25
    assert policy.width(n, level)[0, 0] == pytest.approx(sqrt((1 / 8 + 2 * b / 16) * 2), rel=1e-12)


def test_without_noise_all_hoeffding_indices_are_those_of_episodic_ucb():
    rewards = np.random.default_rng(3).random(500)

    def actions(policy):
        return simulate(policy, RewardList(rewards, 3), 500, None, np.arange(1, 501)).actions[0].tolist()

    plain = actions(EpisodicUCB(3))
    assert actions(AdaPUCB(3, Budget.pure(np.inf))) == plain
    assert actions(AdaCUCB(3, Budget.zcdp(np.inf))) == plain
    assert actions(AdaRUCB(3, Budget.rdp(2.0, np.inf))) == plain


def test_indices_that_are_left_out_are_below_the_largest_one():
    generator = np.random.default_rng(4)
    means, level = np.clip(generator.normal(0.5, 0.5, (2000, 4)), 0, 1), generator.exponential(2.0, (2000, 4))
    exact, leading = kl_ucb_index(means, level), leading_kl_ucb_indices(means, level)
    assert np.array_equal(exact.argmax(axis=1), leading.argmax(axis=1))
    known = leading > -np.inf
    np.testing.assert_allclose(leading[known], exact[known], rtol=1e-12)  # Newton's last step may differ
    assert (exact[~known] < np.broadcast_to(exact.max(axis=1, keepdims=True), exact.shape)[~known]).all()
    assert known.mean() < 0.6


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("kind", "budget"), [(AdaPUCB, Budget.pure(2.0)), (AdaCUCB, Budget.zcdp(1.0))])
def test_replications_moving_together_have_the_law_of_the_per_pull_loop(kind, budget):
    from scipy.stats import ks_2samp

    runs, bandit, generator = 400, BernoulliBandit([0.2, 0.7]), np.random.default_rng(6)
    together = simulate(kind(2, budget, NoiseSource(generator), replications=runs), bandit, 200, generator)
    single = [
        simulate_per_pull(kind(2, budget, NoiseSource(generator)), bandit, 200, generator).pulls[0, 0]
        for _ in range(runs)
    ]
    assert ks_2samp(together.pulls[:, 0], single, method="asymp").pvalue > 1e-6


def test_a_sweep_over_gaussian_budgets_keeps_each_replication_with_its_own():
    policy = AdaCUCB(2, Budget.zcdp(np.array([0.5, 2.0, np.inf])), Scripted([0.0] * 9))
    assert policy.multiplier.tolist() == [1.0, 0.5, 0.0]
    policy.keep(np.array([False, True, True]))
    assert policy.multiplier.tolist() == [0.5, 0.0] and policy.budget.rho.tolist() == [2.0, np.inf]


def test_only_a_clipped_mean_of_one_has_the_index_one():
    policy = AdaPKLUCB(2, Budget.pure(1000.0), NoiseSource(), beta=10.0)
    policy.clock = np.array([20_000])  # beta log t = 99, and 1 - exp(-198) rounds to 1
    score = policy.score(np.array([[0.5, 1.0]]), np.array([[1, 64]]))
    assert score[0, 0] < score[0, 1] == 1.0
