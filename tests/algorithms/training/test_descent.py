"""Descents: steps against closed forms, clipping one by one, and what the ledger counts of private ones."""

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource
from banditproof.algorithms.training import Network, Private, blocks, descend, poisson_batches
from banditproof.theory import Budget
from banditproof.verify.runs.ledger import cost_per_reward, privacy_loss
from banditproof.verify.runs.recorder import RecordingNoise

NETWORK = Network((3, 4))
GENERATOR = np.random.default_rng(5)
X, Y = GENERATOR.standard_normal((12, 3)), GENERATOR.integers(4, size=12)
THETA = GENERATOR.standard_normal(16)


@pytest.mark.parametrize(("size", "batches"), [(12, blocks(12, 12, 1)), (4, blocks(12, 4, 3)), (1, blocks(12, 1, 5))])
def test_steps_go_against_the_mean_gradient_of_their_batch(size, batches):
    run = descend(NETWORK, THETA, X, Y, batches, 0.1)
    expected = [THETA]
    for k in range(len(batches)):
        rows = np.arange(k * size, (k + 1) * size)
        expected.append(expected[-1] - 0.1 * NETWORK.gradients(expected[-1], X[rows], Y[rows]).mean(axis=0))
    np.testing.assert_allclose(run.thetas, expected, atol=1e-12)


def test_a_step_on_one_record_from_zero_is_that_of_the_closed_form():
    """At theta = 0 all classes have the same probability."""
    x, y = np.array([[2.0, -1.0]]), np.array([0])
    run = descend(Network((2, 2)), np.zeros(6), x, y, blocks(1, 1, 1), 0.5)
    np.testing.assert_allclose(run.thetas[1], [0.5, -0.25, 0.25, -0.5, 0.25, -0.25])


def test_full_descent_reaches_the_minimum_of_a_convex_loss():
    run = descend(NETWORK, THETA, X, Y, blocks(12, 12, 4000), 1.0)
    assert np.linalg.norm(NETWORK.gradients(run.thetas[-1], X, Y).mean(axis=0)) < 1e-3
    losses = [NETWORK.losses(theta, X, Y).mean() for theta in run.thetas[::100]]
    assert np.all(np.diff(losses) < 0)


def test_what_was_averaged_is_read_off_the_parameters_at_changing_rates():
    batches, rates = blocks(12, 4, 3), np.array([0.5, 0.01, 2])
    run = descend(NETWORK, THETA, X, Y, batches, rates)
    expected = [NETWORK.gradients(t, X[b], Y[b]).mean(axis=0) for t, b in zip(run.thetas, batches, strict=False)]
    np.testing.assert_allclose(run.gradients(), expected, atol=1e-11)
    np.testing.assert_array_equal(run.gradients(printed=True), -run.gradients())


def test_blocks_are_epochs_or_uniform_draws_and_sampled_batches_take_each_record_at_its_rate():
    assert [b.start for b in blocks(10, 3, 5)] == [0, 3, 6, 0, 3]
    drawn = blocks(12, 4, 3000, np.random.default_rng(0))
    counts = np.bincount([b.start for b in drawn])[[0, 4, 8]]
    assert np.all(np.abs(counts - 1000) < 150)
    sizes = [len(b) for b in poisson_batches(100, 0.3, 400, np.random.default_rng(0))]
    assert abs(np.mean(sizes) - 30) < 1.5 and np.std(sizes) == pytest.approx(21**0.5, rel=0.2)


class Silent(NoiseSource):
    """Adds no noise and keeps what was asked for."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def draw(self, distribution, scale, shape):
        self.asked.append((distribution, float(np.ravel(scale)[0]), shape))
        return np.zeros(shape)


def test_private_steps_average_gradients_clipped_one_by_one_and_ask_for_the_printed_noise():
    source, sent = Silent(), np.array([[9.0] + [0] * 15, [0.0] * 16])
    run = descend(NETWORK, THETA, X, Y, blocks(12, 6, 1), 0.1, Private(0.8, 0.5, source), sent=sent)
    gradients = np.concatenate([NETWORK.gradients(THETA, X[:6], Y[:6]), sent])
    clipped = [g if np.linalg.norm(g) <= 0.8 else 0.8 * g / np.linalg.norm(g) for g in gradients]
    assert 0 < sum(np.linalg.norm(g) > 0.8 for g in gradients) < len(gradients)
    np.testing.assert_allclose(run.gradients()[0], np.sum(clipped, axis=0) / 6, atol=1e-13)
    assert source.asked == [("normal", pytest.approx(0.5 * 0.8, rel=1e-15), (1, 16))]


@pytest.mark.parametrize(("neighbours", "moved"), [("replace", 2), ("presence", 1)])
def test_the_ledger_counts_each_record_the_steps_of_its_block(neighbours, moved):
    source, gamma = RecordingNoise(np.random.default_rng(1)), 0.7
    batches = blocks(12, 4, 7, np.random.default_rng(2))
    descend(NETWORK, THETA, X, Y, batches, 0.1, Private(0.8, gamma, source, neighbours))
    steps = np.bincount([b.start // 4 for b in batches], minlength=3).repeat(4)
    costs = cost_per_reward(source.releases, 12, Budget.gdp(1.0))
    np.testing.assert_allclose(costs, steps * (moved / (gamma * 4)) ** 2, rtol=1e-12)
    renyi = privacy_loss(source.releases, 12, Budget.rdp(3.0, 1.0))
    assert renyi == pytest.approx(3 * costs.max() / 2) and len(set(steps)) > 1


def test_sampled_batches_and_sent_gradients_are_charged_to_everybody():
    source = RecordingNoise(np.random.default_rng(1))
    private = Private(0.8, 0.7, source, "presence")
    descend(NETWORK, THETA, X, Y, poisson_batches(12, 0.5, 2, np.random.default_rng(0)), 0.1, private, size=6)
    descend(NETWORK, THETA, X, Y, blocks(12, 4, 1), 0.1, private, sent=np.eye(16))
    assert [release.records for release in source.releases] == [None] * 3


def test_the_sensitivity_that_is_declared_is_that_of_replaced_records():
    """A batch of opposite gradients: the worst case is reached, and never exceeded."""
    network, private = Network((1, 2)), Private(0.5, 1.0, source := RecordingNoise(np.random.default_rng(0)))
    far = np.array([[30.0], [-1.0], [2.0]])
    for label in (0, 1):
        descend(network, np.zeros(4), far, np.array([label, 0, 1]), blocks(3, 3, 1), 1.0, private)
    first, second = source.releases
    assert np.linalg.norm(first.value - second.value) == pytest.approx(first.sensitivity, rel=1e-12)
    assert first.sensitivity == 2 * 0.5 / 3
