"""LinPriv and the joint-DP LinUCB against transcripts, and the tree against the prefix sums it approximates."""

import numpy as np
import pytest

from banditproof.algorithms.contextual.environment import ContextualBandit, GivenContexts
from banditproof.algorithms.contextual.simulation import simulate_contextual
from banditproof.algorithms.contextual.tree import PrefixTree, levels_of
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget, InvalidInput, dyadic_cover
from tests.algorithms.contextual.given import GivenNoise

D, K, T = 2, 3, 60


@pytest.fixture(scope="module")
def rounds():
    draw = np.random.default_rng(5)
    sets = draw.standard_normal((T, K, D))
    sets /= np.linalg.norm(sets, axis=2, keepdims=True)
    return sets, np.clip(sets @ [0.7, -0.5] + 0.2 * draw.standard_normal((T, K)), -1, 1), draw.laplace(size=(T, 9))


def played(policy, sets, rewards):
    picked = []
    for t in range(T):
        arm, stop = policy.next_batch(sets[np.newaxis, t : t + 1], np.zeros(1, dtype=int))
        assert stop.tolist() == [1]
        policy.observe(rewards[t, arm])
        picked.append(int(arm[0, 0]))
    return picked


def node_sum(items, noise):
    """The sum over the nodes that cover the items so far; the node that ends with item n has the noise of item n."""
    return sum(sum(items[start:stop]) + noise[stop - 1] for start, stop in dyadic_cover(len(items))) if items else 0.0


def test_a_tree_adds_up_its_nodes():
    draw = np.random.default_rng(0)
    items, noise = draw.standard_normal((2, 11, 2))
    tree = PrefixTree(1, 1, 11, 2)
    assert tree.levels == levels_of(11) == 4
    spans = []
    for n in range(11):

        def release(value, rows, records, n=n):
            spans.append((int(records[0][0]), int(records[1][0])))
            return value + noise[n]

        tree.add(np.zeros(1, dtype=int), items[np.newaxis, n], np.array([n]), release)
        assert tree.sums[0, 0] == pytest.approx(node_sum(list(items[: n + 1]), list(noise)))
    assert spans == [dyadic_cover(n)[-1] for n in range(1, 12)]
    assert max(sum(start <= n < stop for start, stop in spans) for n in range(11)) == 4


def test_linpriv_picks_what_its_description_picks(rounds):
    sets, rewards, numbers = rounds
    epsilon, levels, delta, ridge = 2.0, levels_of(T), 0.01, 0.7
    policy = LinPriv(D, K, Budget.pure(epsilon), GivenNoise(numbers), horizon=T, ridge=ridge, confidence=delta)
    scale = 2 * np.sqrt(D) * levels / epsilon
    s = scale * np.sqrt(8 * levels) * np.log(2 * D * K * T / delta) * np.sqrt(D) / np.sqrt(ridge)
    items, noise, V = [[] for _ in range(K)], [[] for _ in range(K)], [ridge * np.eye(D) for _ in range(K)]
    picked = []
    for t in range(T):
        index = []
        for i, x in enumerate(sets[t]):
            norm = np.sqrt(x @ np.linalg.inv(V[i]) @ x)
            theta = np.linalg.inv(V[i]) @ (np.zeros(D) + node_sum(items[i], noise[i]))
            w = np.sqrt(2 * D * np.log((1 + (t + 1) / ridge) / delta)) + np.sqrt(ridge)
            index.append(theta @ x + norm * (w + s))
        i = int(np.argmax(index))
        picked.append(i)
        items[i].append(sets[t, i] * rewards[t, i])
        noise[i].append(scale * numbers[t, :D])
        V[i] = V[i] + np.outer(sets[t, i], sets[t, i])
    assert played(policy, sets, rewards) == picked and len(set(picked)) == K


def test_joint_dp_linucb_picks_what_its_description_picks(rounds):
    sets, rewards, numbers = rounds
    rho, levels, delta = 0.5, levels_of(T), 0.01
    policy = JointDPLinUCB(D, Budget.zcdp(rho), GivenNoise(numbers), horizon=T, confidence=delta)
    deviation = 2 * np.sqrt(2) * np.sqrt(levels / (2 * rho))
    tail = np.sqrt(2 * np.log(2 * T / delta))
    gamma = deviation * np.sqrt(levels) * (2 * np.sqrt(D) + tail)
    items, noise, picked = [], [], []
    for t in range(T):
        noisy = np.zeros((D + 1, D + 1)) + node_sum(items, noise)
        V, u = noisy[:D, :D] + 2 * gamma * np.eye(D), noisy[:D, D]
        width = np.sqrt(2 * np.log(1 / delta) + D * np.log(1 + t / (gamma * D))) + np.sqrt(3 * gamma)
        width += deviation * np.sqrt(levels / 2) * (np.sqrt(D) + tail) / np.sqrt(gamma)
        inverse = np.linalg.inv(V)
        i = int(np.argmax([inverse @ u @ a + width * np.sqrt(a @ inverse @ a) for a in sets[t]]))
        picked.append(i)
        both = np.append(sets[t, i], rewards[t, i])
        items.append(np.outer(both, both))
        symmetric = np.zeros((D + 1, D + 1))
        for (j, k), x in zip(zip(*np.triu_indices(D + 1), strict=True), numbers[t], strict=False):
            symmetric[j, k] = symmetric[k, j] = deviation * x * (1 if j == k else np.sqrt(0.5))
        noise.append(symmetric)
    assert played(policy, sets, rewards) == picked


def test_replications_do_not_disturb_each_other():
    sets = GivenContexts(np.random.default_rng(2).uniform(-0.5, 0.5, (20, K, D)))
    bandit = ContextualBandit(np.array([[0.9, 0.0], [0.0, 0.9], [-0.5, 0.5]]), sets, deviation=0.0)
    policy = LinPriv(D, K, Budget.pure(np.full(3, np.inf)), NoiseSource(), horizon=100)
    together = simulate_contextual([policy], bandit, 100, np.random.default_rng(0))[0, :, 0]
    alone = []
    for theta in bandit.theta:
        one = LinPriv(D, K, Budget.pure(np.inf), NoiseSource(), horizon=100)
        bandit_of_one = ContextualBandit(theta, sets, deviation=0.0)
        alone.append(simulate_contextual([one], bandit_of_one, 100, np.random.default_rng(0))[0, 0, 0])
    assert together == pytest.approx(alone)


def test_a_run_beyond_the_horizon_and_another_number_of_arms_are_refused():
    policy = LinPriv(D, K, Budget.pure(1.0), NoiseSource(np.random.default_rng(0)), horizon=1)
    with pytest.raises(InvalidInput, match="contexts"):
        policy.next_batch(np.zeros((1, 1, K + 1, D)), np.zeros(1, dtype=int))
    policy.next_batch(np.zeros((1, 1, K, D)), np.zeros(1, dtype=int))
    policy.observe(np.zeros((1, 1)))
    with pytest.raises(InvalidInput, match="horizon"):
        policy.next_batch(np.zeros((1, 1, K, D)), np.zeros(1, dtype=int))
